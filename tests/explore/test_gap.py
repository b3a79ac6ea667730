"""Lower bounds from worlds, slack by step and better lemmas, on claims worked out by hand."""

import json

import pytest
from flint import fmpq
from sympy import symbols

from boundcheck import Claim, Holds
from boundcheck.explore import plan
from boundcheck.explore.gap import _floor, _resting, at_size, gap
from boundcheck.worlds import Choice, Integer, Real

from .conftest import PLACE

n, eps, risk = symbols("n epsilon risk", real=True)


def average(constant, **changes):
    """The error 1/n is at most eps for n >= constant / eps; constant 1 is enough."""
    fields = {
        "source": PLACE, "statement": Holds(risk <= eps), "given": [n >= constant / eps],
        "parameters": {n: Integer(1, searched=50), eps: Real(0, 1, open_low=True)},
        "measure": {risk: lambda n: fmpq(1, int(n))}, "cost": 8,
    }  # fmt: skip
    return Claim(**{**fields, **changes})


class Library:
    """Three statements, of which the last is refuted by its golden file."""

    claims = {
        "a/b:loose": average(4), "a/b:tight": average(2),
        "a/b:false": average(1),
    }  # fmt: skip

    def __init__(self, root):
        self.root = root
        (root / "a").mkdir()
        (root / "a" / "verdicts.toml").write_text(
            '[b]\nloose = "supported"\ntight = "supported"\nfalse = "refuted"\n'
        )

    def __getitem__(self, key):
        return self.claims[key]

    def select(self, selectors):
        return sorted(self.claims)


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    library = Library(tmp_path_factory.mktemp("library"))
    made = plan({"a/b:loose": library["a/b:loose"]}, given={"epsilon": "1/10"}, rates=False)
    return gap(made, library)


def test_the_truth_lies_between_worlds_and_plan(found):
    (floor,) = found.floors
    assert (floor.failing, floor.planned, floor.kind) == (9, 40, "exact")  # 10 is the truth
    assert str(floor) == "n: 9 < needed <= 40 (exact world)"


def test_each_step_has_the_slack_of_its_own_verdict(found):
    slack = {step.key: step.slack for step in found.steps}
    assert slack == pytest.approx({"a/b:loose": 4}, rel=0.3)


def test_steps_are_what_the_statements_rest_on():
    claims = {"a/b:end": average(4, uses=("a/b:lemma", "gone/x:y")),
              "a/b:lemma": average(4, uses=("a/b:end",)), "a/b:other": average(2)}  # fmt: skip
    library = type("Library", (), {"claims": claims, "__getitem__": lambda _, key: claims[key]})()
    assert _resting(("a/b:end",), library) == ["a/b:end", "a/b:lemma"]


def test_a_better_statement_that_stands_is_offered(found):
    assert [(b.instead_of, b.key, int(b.cost)) for b in found.better] == [
        ("a/b:loose", "a/b:tight", 20)
    ]
    told = json.loads(json.dumps(found.as_json()))
    assert told["truth"][0]["more_than"] == "9" and told["better"][0]["cost"] == "20"


def test_a_claim_at_a_size_keeps_its_other_conditions():
    claim = average(4, given=[n >= 4 / eps, eps <= 1])
    fixed = at_size(claim, "n", {"n": 3, "epsilon": fmpq(1, 2)})
    assert list(map(str, fixed.given)) == ["epsilon <= 1"]
    assert {s.name: f.items for s, f in fixed.parameters.items()} == {
        "n": (3,), "epsilon": (fmpq(1, 2),)
    }  # fmt: skip


def test_what_worlds_measure_keeps_the_value_that_was_given():
    """The mean of one number x of weight 1/n is at most eps for n >= norm / eps."""
    norm, x = symbols("norm x", real=True)
    claim = Claim(
        PLACE, Holds(risk <= eps), given=[n >= 4 * norm / eps], cost=8,
        parameters={n: Integer(1, searched=50), eps: Real(0, 1, open_low=True), x: Real(0, 8)},
        measure={risk: lambda n, x: fmpq(x) / int(n), norm: lambda x: fmpq(x)},
    )  # fmt: skip
    made = plan({"a/b:c": claim}, given={"epsilon": "1/10", "norm": 1}, rates=False)
    fixed = at_size(claim, "n", {"n": 3, "norm": 1, "epsilon": fmpq(1, 2)})
    assert list(map(str, fixed.given)) == ["Eq(norm, 1)"]
    floor = _floor(made, claim, "a/b:c", "n", "quick", 0)
    assert (floor.failing, floor.planned) == (9, 40)  # with x = 8 it fails up to 79


def test_sizes_of_a_finite_set_have_no_floor_at_other_sizes(tmp_path):
    """Worlds of 1, 2, 4 points are none of a statement about 3 or 9 of them."""
    library = Library(tmp_path)
    library.claims = {"a/b:set": average(4, parameters={
        n: Choice((3, 9, 90)), eps: Real(0, 1, open_low=True)})}  # fmt: skip
    found = plan(library.claims, given={"epsilon": "0.5"})
    assert found.sizes == {"n": 9} and gap(found, library).floors == ()
