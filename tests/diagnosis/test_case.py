"""What is known of a failing claim: how far its sizes were seen to go."""

import pytest
from sympy import sqrt

from boundcheck import Claim, Holds, Source
from boundcheck.checks import definedness
from boundcheck.checks.base import budget_named
from boundcheck.diagnosis import trial
from boundcheck.diagnosis.beyond import MOST
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.trial import Bench
from boundcheck.expressions import average, outcome, parameter
from boundcheck.verdict import Evidence, Verdict, Witness
from boundcheck.worlds import Integer, Signs

WORK = Source("Folklore", 1900, "Statements")
n = parameter("n", Integer(1, searched=3))
k = parameter("k", Integer(1, 5))


@pytest.mark.parametrize(("sizes", "left"), [((1, 3), {"n"}), ((1, MOST), set()), ((), {"n"})])
def test_a_size_without_end_is_unreached_until_a_large_failure_is_met(sizes, left):
    claim = Claim(source=WORK.at("1"), statement=Holds(n * k <= sqrt(n)))
    verdict = Verdict("a/b:c", "refuted", "", None, 0.0, None, False, None, (), 0.0)
    case = Case("a/b:c", claim, verdict, Bench("a/b:c", budget_named("quick")))
    case.__dict__["_met"] = []
    case.__dict__["far"] = [{"n": size, "k": 1} for size in sizes]
    assert case.unreached == left


@pytest.mark.parametrize(
    ("kind", "extra", "first"),
    [("trend", {"law": True}, "trend"), ("trend", {"rescaling": "units"}, "invariance"),
     ("exact", {"rescaling": "units"}, "invariance"), ("exact", {}, "enumeration")],
)
def test_the_check_that_refuted_the_print_looks_first_whether_search_can(
    monkeypatch, kind, extra, first
):
    claim = Claim(source=WORK.at("1"), statement=Holds(n * k <= sqrt(n)))
    witness = Witness("a/b:c", "", kind, {"n": "2", "k": "2"}, {}, extra)
    verdict = Verdict("a/b:c", "refuted", "", None, 0.0, None, False, witness, (), 0.0)
    asked = []

    def run(name, task):
        asked.append(name)
        return Evidence(name, "refuted", "")

    monkeypatch.setattr(trial, "_run", run)
    case = Case("a/b:c", claim, verdict, Bench("a/b:c", budget_named("quick")))
    assert case.refutable
    assert asked == [first]


def test_a_short_search_looks_at_few_worlds_in_every_check():
    claim = Claim(source=WORK.at("1"), statement=Holds(n <= n * k))
    bench = Bench("a/b:c", budget_named("quick"))
    seen = []
    for share in (1.0, 0.12):
        found = definedness.run(bench.task(claim, "few", share))
        seen.append(int(found.detail.split()[4]))
    assert seen[1] == seen[0] * 2 / definedness.WORLDS


def test_searches_of_trials_end_at_counted_effort_on_any_machine():
    claim = Claim(source=WORK.at("1"), statement=Holds(n <= n * k))
    verdict = Verdict("a/b:c", "refuted", "", None, 0.0, None, False, None, (), 0.0)
    seen = []
    for effort in (40.0, trial.EFFORT):
        bench = Bench("a/b:c", budget_named("quick"), effort=effort)
        case = Case("a/b:c", claim, verdict, bench)
        seen.append(case.search(claim, "part", 1.0).evaluated)
        found = trial._run("enumeration", bench.task(claim, "whole"))
        assert found.numbers["out_of_time"] == (effort < trial.EFFORT)
    assert seen[0] < seen[1]


def test_no_world_of_a_search_takes_most_of_its_effort():
    """One of 26 features, of which every choice is averaged, took four minutes."""
    claim = Claim(source=WORK.at("1"), statement=Holds(n <= n * k))
    verdict = Verdict("a/b:c", "refuted", "", None, 0.0, None, False, None, (), 0.0)
    found = {}
    for effort in (4.0, 40.0):  # that of a world of two numbers is 2
        case = Case("a/b:c", claim, verdict, Bench("a/b:c", budget_named("quick"), effort=effort))
        found[effort] = case.search(claim, "part", 1.0)
    assert found[4.0].silent == found[4.0].evaluated > found[40.0].evaluated > 0
    assert found[40.0].silent == 0


def test_no_world_whose_averages_take_long_is_asked(monkeypatch):
    """What an average lists is counted whole, of which the effort of a world counts a part."""
    signs = outcome("xi", Signs("xi", n))
    claim = Claim(source=WORK.at("1"), statement=Holds(average(abs(signs[0]), signs) <= 1))
    verdict = Verdict("a/b:c", "refuted", "", None, 0.0, None, False, None, (), 0.0)
    case = Case("a/b:c", claim, verdict, Bench("a/b:c", budget_named("quick")))
    assert case.search(claim, "part", 1.0).silent == 0
    monkeypatch.setattr("boundcheck.diagnosis.case.DEAR", 3)  # two outcomes take two
    found = case.search(claim, "part", 1.0)
    assert 0 < found.silent < found.evaluated
