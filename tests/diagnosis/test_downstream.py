"""What rests on a failing statement, at any distance, by the uses that the library states."""

from sympy import symbols

from boundcheck import Claim, Holds, Source
from boundcheck.checks.base import budget_named
from boundcheck.diagnosis.downstream import dependants
from boundcheck.diagnosis.record import Repair
from boundcheck.diagnosis.trial import Bench
from boundcheck.library import Library
from boundcheck.worlds import Real

WORK = Source("Folklore", 1900, "Statements")
x = symbols("x", real=True)
BENCH = Bench("a/b:lost", budget_named("quick"))
MENDED = Repair("2*x for x", "x <= 2*x", "constant", 2.2, "proved", written="a/b:mended")


def told(tmp_path, uses, known, repairs=(MENDED,)):
    claims = {
        f"a/b:{name}": Claim(source=WORK.at(name), statement=Holds(x <= x**2 + 1),
                             parameters={x: Real(0, 1)}, uses=tuple(f"a/b:{u}" for u in used))
        for name, used in uses.items()
    }  # fmt: skip
    found = dependants("a/b:lost", Library(tmp_path, claims), BENCH, repairs,
                       {f"a/b:{name}": verdict for name, verdict in known.items()})  # fmt: skip
    return {item.key[4:]: (item.status, item.why) for item in found}


def test_the_line_goes_on_through_what_is_conditional_and_ends_elsewhere(tmp_path):
    uses = {"lost": [], "near": ["lost"], "far": ["near"], "done": ["lost"], "past": ["done"]}
    known = {"near": "supported", "far": "supported", "done": "proved", "past": "supported"}
    found = told(tmp_path, uses, known)
    assert {name: status for name, (status, _) in found.items()} == {
        "near": "conditional", "far": "conditional", "done": "survives",
    }  # fmt: skip
    assert "true if a/b:near is" in found["far"][1]


def test_what_supports_itself_by_search_alone_does_not_survive(tmp_path):
    found = told(tmp_path, {"lost": [], "near": ["lost"]}, {"near": "supported"}, ())
    assert found["near"] == ("conditional", "no failure found; no repair of what it rests on")


def test_a_proof_that_uses_the_repair_survives(tmp_path):
    uses = {"lost": [], "near": ["lost", "mended"], "mended": []}
    assert told(tmp_path, uses, {"near": "supported"})["near"][0] == "survives"
    assert told(tmp_path, uses, {"near": "refuted"})["near"][0] == "fails"


def test_circles_of_uses_end(tmp_path):
    uses = {"lost": ["far"], "near": ["lost"], "far": ["near"]}
    found = told(tmp_path, uses, {"near": "supported", "far": "undecided"})
    assert set(found) == {"near", "far"}
