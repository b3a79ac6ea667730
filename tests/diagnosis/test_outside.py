"""A hypothesis that mends a statement says where it fails: outside."""

import re
from dataclasses import replace
from types import SimpleNamespace

import pytest
from sympy import Eq, Max, Piecewise, exp, log

from boundcheck import Claim, Holds, Source, UpToConstant, verify
from boundcheck.checks.base import budget_named
from boundcheck.diagnosis import diagnose
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.excluded import says_it
from boundcheck.diagnosis.extent import _where
from boundcheck.diagnosis.hypotheses import hypotheses
from boundcheck.diagnosis.outside import outside
from boundcheck.diagnosis.record import EVERYWHERE, Extent, Repair
from boundcheck.diagnosis.trial import Bench
from boundcheck.expressions import define, greatest, norm, parameter, total, world
from boundcheck.library import Library, load_library
from boundcheck.settings.scalar_laws import K, k, p
from boundcheck.worlds import Integer, Real, Vector

WORK = Source("Folklore", 1900, "Statements")
a, b = (parameter(name, Real(0, None, open_low=True)) for name in "ab")
z = parameter("z", Real(None, None))
n = parameter("n", Integer(1, searched=9))
v = world("v", Vector(world("d", Integer(1, searched=3))))


def diagnosed(tmp_path, statement, given=(), **others):
    claim = Claim(WORK.at("1"), statement, given=list(given))
    claims = {"a/b:printed": claim} | {f"a/b:{name}": make(claim) for name, make in others.items()}
    return diagnose("a/b:printed", Library(tmp_path, claims))


@pytest.mark.parametrize(("statement", "given", "where"), [
    (Holds(abs(1 - a * b) <= 1), (), "fails only for b > 1/a"),
    (Holds(a / b <= 1), (), "fails only for a > b"),
    (Holds((1 + z) ** 3 >= 1 + 3 * z), (), "fails only for z < -1"),
    pytest.param(UpToConstant(a / (1 - b) <= a), [b < 1], "fails only for b above 1/2",
                 marks=pytest.mark.long),
])  # fmt: skip
def test_the_extent_is_what_the_missing_hypothesis_excludes(tmp_path, statement, given, where):
    assert diagnosed(tmp_path, statement, given).extent.fails_on == where


def test_a_part_met_by_search_that_is_smaller_stays(tmp_path):
    """e^z = 1 + z + z^2 at z = 1.79."""
    found = diagnosed(tmp_path, Holds(exp(z) <= 1 + z + 3 * z**2))
    assert found.grade == "hypothesis"
    said, _, end = found.extent.fails_on.rpartition(" ")
    assert said in ("fails only for z >", "fails only for z >=")
    assert float(end) >= 1


def test_a_hypothesis_that_the_library_states_tells_it_too(tmp_path):
    found = diagnosed(tmp_path, Holds(log(a * b) <= a - 1),
                      repaired=lambda claim: replace(claim, given=[b <= 1]))  # fmt: skip
    assert (found.grade, found.extent.fails_on) == ("hypothesis", "fails only for b > 1")


def test_a_formula_for_a_number_left_open_asks_for_some_of_its_values(tmp_path):
    size = world("N", Integer(1, searched=6))
    found = diagnosed(
        tmp_path, Holds(Eq((size - 1) // n, 0)),
        repaired=lambda claim: replace(claim, statement=Holds(Eq((size - 1) // Max(size, 2), 0))),
    )  # fmt: skip
    assert (found.grade, found.repairs[0].kind) == ("hypothesis", "hypothesis")
    assert found.repairs[0].edit == "the hypothesis n = Max(2, N) (1)"


def test_a_hypothesis_that_excludes_the_failures_and_no_more_leaves_the_numbers(tmp_path):
    """(a + b)^q <= a^q + b^q for q <= 1; twice the right side would do up to q = 2."""
    q = parameter("q", Real(0, 2, open_low=True))
    found = diagnosed(tmp_path, Holds((a + b) ** q <= a**q + b**q))
    assert (found.grade, found.repairs[0].edit) == ("hypothesis", "the hypothesis q <= 1")


def test_where_nothing_else_stands_the_part_without_failures_is_the_hypothesis(tmp_path):
    delta = parameter("delta", Real(0, 1, open_low=True, open_high=True))
    found = diagnosed(tmp_path, Holds(log(1 / delta) >= 1))
    assert (found.grade, found.repairs[0].edit) == ("hypothesis", "the hypothesis delta <= 1/3")
    assert found.extent.fails_on in ("fails only for delta > 0.367", "fails only for delta > 0.368")


def test_an_end_that_search_alone_found_is_one_of_failures_met():
    """The regret of Hedge with eta / 16 for eta / 8: of worlds near eta = 10^9 nothing is said."""
    key = "gallery_learning/hedge:sixteenth"
    found = diagnose(key, load_library(None, ["gallery_learning/"]))
    assert found.extent.fails_on.startswith("every failure met has eta > ")
    assert all(float(end) < 100 for end in re.findall(r"[\d.]+", found.extent.fails_on))


@pytest.mark.long
def test_sizes_that_search_does_not_reach_of_its_own_are_no_part_that_holds():
    """Z points have Z + 1 initial segments and VC dimension one, whatever Z is; search draws up to
    three points and four sets."""
    key = "gallery_learning/sauer_shelah:power"
    found = diagnose(key, load_library(None, ["gallery_learning/"]))
    assert found.extent.fails_on.startswith(EVERYWHERE)


def test_what_is_bounded_may_have_to_be_small(tmp_path):
    """Of the elliptical potential the minimum with one is often forgotten."""
    size = norm(v) ** 2
    found = diagnosed(tmp_path, Holds(size <= 2 * log(1 + size)))
    assert "‖v‖ <= 1" in found.repairs[0].edit and found.repairs[0].kind == "hypothesis"


def test_a_hypothesis_that_says_the_statement_is_none():
    for statement, offered, empty in [
        (norm(v) <= 2, 0, False), (norm(v) <= 1 + norm(v) ** 2 / 8, 1, True),
        (norm(v) <= norm(v) ** 2, 1, False),
    ]:  # fmt: skip
        claim = Claim(WORK.at("1"), Holds(statement))
        found = [h.claim for h in hypotheses(claim) if h.words == "the hypothesis norm(v) <= 1"]
        assert len(found) == offered
        case = Case("a/b:c", claim, verify("a/b:c", claim, controls=False),
                    Bench("a/b:c", budget_named("quick")))  # fmt: skip
        assert all(says_it(case, one) is empty for one in found)


def test_a_number_may_be_lost_beside_a_bound_of_which_no_multiple_serves(tmp_path):
    """The entropy of a law is at most log 2 and e log K, and no multiple of the second."""
    entropy = define("H", -total(Piecewise((0, Eq(p[k], 0)), (p[k] * log(p[k]), True)), k))
    error = define("e", 1 - greatest(p[k], k))
    found = diagnosed(tmp_path, Holds(entropy <= error * log(K)))
    assert found.repairs[0].edit == "a term 1 beside e*log(K)"


def test_a_place_is_where_all_failures_lie():
    worlds = [seen(violated=True, m=1)] * 250 + [seen(violated=False, m=2)]
    assert _where(SimpleNamespace(worlds=worlds, failures=[])).endswith(" m = 1")
    others = [*worlds, seen(violated=True, m=2)]
    assert _where(SimpleNamespace(worlds=others, failures=[])) == EVERYWHERE
    assert _where(SimpleNamespace(worlds=worlds, failures=[{"m": 2}])) == EVERYWHERE


def seen(*, violated, **values):
    return SimpleNamespace(violated=violated, setting=SimpleNamespace(values=values))


def told(found, *repairs, grade_of=None):
    claim = Claim(WORK.at("1"), Holds(log(a * b) <= a - 1))
    library = Library(None, {"a/b:c": claim})
    return outside(SimpleNamespace(claim=claim), library, found, grade_of, repairs).fails_on


def asking(words, verdict="supported"):
    return Repair(f"the hypothesis {words}", "", "hypothesis", 3.0, verdict)


def test_a_part_that_search_ends_close_by_ends_where_a_hypothesis_begins():
    """Search bisects: of b >= 1 it tells b < 1.02."""
    met = Extent("fails only for b < 1.02", corner=False)
    assert told(met, asking("b >= 1")) == "fails only for b < 1"
    assert told(met, asking("b >= 1", "undecided")) == met.fails_on
    assert told(met, asking("b >= 2"), asking("a >= 1"), asking("b <= 1")) == met.fails_on


def test_a_hypothesis_that_only_may_mend_a_statement_says_where_failures_were_met():
    nowhere = Extent(EVERYWHERE, corner=False)
    may = asking("b <= 1", "undecided")
    assert told(nowhere, grade_of=may) == "every failure met has b > 1"
    assert told(nowhere, grade_of=asking("b <= 1")) == "fails only for b > 1"
    known = Extent("fails only for a > 7", corner=False)
    assert told(known, grade_of=may) == known.fails_on
