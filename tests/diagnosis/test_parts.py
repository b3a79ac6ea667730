"""The part of a domain in which a statement fails, and formulas beside each other."""

from importlib import import_module
from types import SimpleNamespace

import pytest
from flint import fmpq
from sympy import Eq, Ne, Rational, cosh, exp, factorial, floor, log

from boundcheck import Claim, Expected, Holds, Source
from boundcheck.checks.base import budget_named
from boundcheck.diagnosis import diagnose
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.corners import decided_in
from boundcheck.diagnosis.divided import Side, _is_told, _sides
from boundcheck.diagnosis.extent import VALUES
from boundcheck.diagnosis.record import Extent
from boundcheck.diagnosis.trial import Bench
from boundcheck.engine import verify
from boundcheck.expressions import (
    determinant,
    frobenius_norm,
    greatest,
    index,
    least,
    operator_norm,
    parameter,
    spectral_radius,
    total,
    trace,
    world,
)
from boundcheck.expressions.printed import as_printed
from boundcheck.library import Library, load_library
from boundcheck.search.portfolio import SearchResult
from boundcheck.settings.matrices import square, symmetric
from boundcheck.settings.scalar_laws import E, K, P, Var, k, p, sample_mean, t, values
from boundcheck.worlds import Integer, Real, Vector

extent = import_module("boundcheck.diagnosis.extent")  # also the name of a function
HERE = Source("Folklore", 1900, "Statements").at("1")
x, z = parameter("x", Real(0, 2)), parameter("z", Real(None, None))
n = parameter("n", Integer(1, searched=40))
i, j = index("i", n), index("j", K)
X = values()[k]
A, B = symmetric("A"), symmetric("B")


def diagnosed(tmp_path, relation, given=()):
    claim = Claim(HERE, Holds(relation), given=list(given))
    return diagnose("a/b:c", Library(tmp_path, {"a/b:c": claim}))


def test_where_few_worlds_fail_failures_met_are_not_said_to_be_all(tmp_path):
    """m = 2, n = 3 and m = 12, n = 17, and so on without end."""
    m = parameter("m", Integer(1, searched=40))
    found = diagnosed(tmp_path, Ne(n**2, 2 * m**2 + 1))
    assert not found.extent.fails_on.startswith("fails only")


def test_a_part_is_told_by_a_number_that_failures_keep_to_one_side_of(tmp_path):
    """exp(-x) = 1 - x/2 at x = 0 and x = 1.5936."""
    found = diagnosed(tmp_path, exp(-x) <= 1 - x / 2)
    said, _, number = found.extent.fails_on.rpartition(" ")
    assert said == "fails only for x >"
    assert 1.5 < float(number) <= 1.5936
    assert not found.extent.corner


def test_a_sliver_at_the_end_of_a_domain_is_no_part():
    """The Gaussian tail at the variance fails at every t; search met t = 3e-9 without a failure."""
    key = "classical/bernstein:gaussian"
    claim = load_library(None, ["classical/"])[key]
    bench = Bench(key, budget_named("quick"))
    case = Case(key, claim, verify(key, claim, controls=False), bench)
    inner = [side.inner for side in _sides(case) if side.sign > 0]
    assert all(value > fmpq(1, 10**6) for value in inner)


def test_a_part_may_end_on_both_sides(tmp_path):
    """cosh(z - 1) = exp((z - 1)^2/4) at z = 1 and |z - 1| = 3.111."""
    ends = diagnosed(tmp_path, cosh(z - 1) <= exp((z - 1) ** 2 / 4)).extent.excluded
    lows = [float(text.split()[-1]) for text in ends if ">" in text]
    highs = [float(text.split()[-1]) for text in ends if "<" in text]
    assert -2.6 < lows[0] < -2.1 and 4.1 < highs[0] < 4.6


@pytest.mark.parametrize(("relation", "where", "edit"), [
    (z**4 <= z**2, "Abs(z) > 1", "the hypothesis Abs(z) <= 1"),
    (z**2 <= z**4, "Abs(z) < 1", "the hypothesis Abs(z) >= 1"),
])  # fmt: skip
def test_a_part_may_lie_about_zero(tmp_path, relation, where, edit):
    found = diagnosed(tmp_path, relation)
    assert (found.grade, found.extent.fails_on) == ("hypothesis", f"fails only for {where}")
    assert found.repairs[0].edit == edit and found.repairs[0].verdict == "proved"


@pytest.mark.long
def test_the_first_integer_that_hypotheses_allow_is_a_corner(tmp_path):
    found = diagnosed(tmp_path, total(1 / (i + 1), i) <= 2 * log(n), [n >= 2])
    assert (found.grade, found.extent.fails_on) == ("corner", "fails only for n = 2")


size = world("N", Integer(0, searched=3))
row = index("r", size)
entries = world("v", Vector(size))


@pytest.mark.parametrize(("relation", "given", "fails_on"), [
    (greatest(entries[row], row) >= least(entries[row], row), (), "has no value for N = 0"),
    (total(entries[row], row) ** 2 / size <= total(entries[row] ** 2, row), (),
     "has no value for N = 0"),
    (size >= 1, (), "fails only for N = 0"),
    (size >= 2, (), "fails only for N = 0 or 1"),
    (size >= 2, (size >= 1,), "fails only for N = 1"),
])  # fmt: skip
def test_nothing_is_no_size_of_one_thing(tmp_path, relation, given, fails_on):
    assert diagnosed(tmp_path, relation, given).extent.fails_on == fails_on


def test_some_first_integers_are_left_out_by_a_hypothesis(tmp_path):
    found = diagnosed(tmp_path, factorial(n) >= 2**n)
    assert found.extent.fails_on == "fails only for n < 4"
    assert found.repairs[0].edit == "the hypothesis n >= 4"
    assert found.repairs[0].stands


def test_a_function_of_a_mean_was_the_mean_of_a_function(tmp_path):
    found = diagnosed(tmp_path, P(X >= t) <= E(X) ** 2 / t**2)
    edit = f"{as_printed(E(X**2))} for {as_printed(E(X) ** 2)}"
    assert (found.grade, found.repairs[0].edit) == ("slip", edit)
    assert found.repairs[0].stands


def test_of_two_bounds_that_say_the_same_the_shorter_is_offered(tmp_path):
    entropy = -total(p[j] * log(p[j]), j)
    found = diagnosed(tmp_path, entropy <= log(K) / 2, [least(p[j], j) > 0])
    assert (found.grade, found.repairs[0].edit) == ("constant", "1 for 1/2")


def test_a_part_may_end_far_beyond_the_range_of_search(tmp_path):
    """log n = n^(1/10) at n = 3.4306 10^15."""
    found = diagnosed(tmp_path, log(n) <= n ** Rational(1, 10))
    end = int(found.extent.fails_on.rpartition(" ")[2])
    assert 3430 * 10**12 < end < 4000 * 10**12


def test_a_constant_is_tried_beyond_the_range_of_search(tmp_path):
    """sup n^3 / 2^n for n <= 3 is 3.375; at n = 4 it is 4."""
    few = parameter("n", Integer(1, searched=3))
    found = diagnosed(tmp_path, few**3 <= 2**few)
    assert found.constant.high == 4
    assert found.extent.fails_on == "fails only for n < 10"


@pytest.mark.long
def test_a_part_of_sizes_is_searched_as_far_as_it_goes(tmp_path):
    """||A||_F <= sqrt(d) ||A||: identities of size 5 and more fail."""
    found = diagnosed(tmp_path, frobenius_norm(A) <= 2 * operator_norm(A))
    assert found.extent.fails_on == "fails only for d > 4"


@pytest.mark.parametrize("relation, edit", [
    (trace(A * B) <= trace(A) * operator_norm(B), "A is positive semi-definite"),
    (trace(A * B) <= trace(A) * trace(B), "A and B are positive semi-definite"),
    (log(determinant(A)) <= trace(A), "A is positive definite"),
])  # fmt: skip
def test_no_more_matrices_are_definite_than_need_be(tmp_path, relation, edit):
    found = diagnosed(tmp_path, relation)
    assert (found.grade, found.repairs[0].edit) == ("hypothesis", f"the hypothesis that {edit}")


@pytest.mark.long
def test_a_hypothesis_under_which_the_print_is_attained_comes_before_its_reversal(tmp_path):
    M = square("M")
    found = diagnosed(tmp_path, operator_norm(M) <= spectral_radius(M))
    edits = [repair.edit for repair in found.repairs if repair.stands]
    assert (found.grade, edits[0]) == ("hypothesis", "the hypothesis that M is symmetric")
    assert ">= for <=" in edits


@pytest.mark.long
def test_a_factor_is_a_size_less_one(tmp_path):
    """The mean of the variance of a sample is (n - 1)/n times the variance."""
    spread = sample_mean(X**2) - sample_mean(X) ** 2
    claim = Claim(HERE, Expected(Eq(spread, Var(X))))
    found = diagnose("a/b:c", Library(tmp_path, {"a/b:c": claim}))
    assert (found.grade, found.repairs[0].edit) == ("slip", "a factor (n - 1)/n on the right")


@pytest.mark.parametrize(("undecided", "seen"), [(0, 18), (4, 14), (9, 9), (12, 0), (18, 0)])
def test_a_part_in_which_balls_could_hardly_tell_is_none_without_failures(undecided, seen):
    assert decided_in(SearchResult(evaluated=20, silent=2, undecided=undecided)) == seen


def test_what_fails_for_odd_numbers_fails_for_large_ones(tmp_path):
    """Beyond 9185470910124296 nothing was said to fail: a search so far out met even numbers."""
    found = diagnosed(tmp_path, (-1) ** n * n >= -5)
    assert found.extent.fails_on in ("fails only for n > 6", "fails only for n > 5")


def test_what_balls_cannot_tell_is_not_said_to_hold(tmp_path):
    """log_2 n is whole at every power of two, which balls tell of n = 1 alone."""
    whole = (log(n) + log(n) ** 2) / (log(2) + log(2) * log(n))
    strict = diagnosed(tmp_path, whole > floor(whole)).extent
    assert strict.fails_on.startswith("every failure met has ")


@pytest.mark.long
def test_what_balls_cannot_tell_is_not_said_to_differ(tmp_path):
    whole = (log(n) + log(n) ** 2) / (log(2) + log(2) * log(n))
    different = diagnosed(tmp_path, Ne(whole, floor(whole)))
    assert different.extent.fails_on == "every failure met has n = 1"
    assert different.reason == (
        "perhaps fails only at ends of the domain: every failure met has n = 1")


def test_what_has_no_value_is_told_in_its_own_words_where_worlds_are_left_open(monkeypatch):
    words = "has no value on a part of the domain and holds where it has one"
    found = Extent(words, True, (VALUES,), 20, undefined=True)
    monkeypatch.setattr(extent, "_least", lambda *args: found)
    monkeypatch.setattr(extent, "corners_of", lambda claim: [])
    claim = Claim(HERE, Holds(log(n) >= 0))
    searched = SearchResult(evaluated=20, doubtful=2)
    case = SimpleNamespace(claim=claim, verdict=SimpleNamespace(outcome="malformed"),
                           search=lambda *args: searched)  # fmt: skip
    assert extent._without_corners(case).fails_on == words


@pytest.mark.parametrize(("relation", "where"), [(z < 1, "z = 1"), (exp(-z) < 1, "z = 0")])
def test_one_end_of_a_number_between_zero_and_one_is_told_as_a_number(tmp_path, relation, where):
    claim = Claim(HERE, Holds(relation), parameters={z: Real(0, 1)})
    found = diagnose("a/b:c", Library(tmp_path, {"a/b:c": claim}))
    assert found.extent.fails_on == f"fails only for {where}" and found.grade == "corner"


near = parameter("c", Real(0, None, open_low=True, searched=(0, 4)))
free = parameter("y", Real(0, None, open_low=True, searched=(0, 4)))


@pytest.mark.parametrize(("relation", "where"), [
    (exp(free) >= 1 + near * free, "c > 1"),  # failures come near y = 0, where search stops short
    (free / (1 + near * free) <= log(1 + free), "c < 0.5"),
    (free**2 + near >= 2 * free, "c < 1"),  # and not y > 0 and y < 2
])  # fmt: skip
def test_a_part_ends_at_a_plain_number_and_on_one_side_where_that_stands(
    tmp_path, relation, where
):
    assert diagnosed(tmp_path, relation).extent.fails_on == f"fails only for {where}"


def test_a_part_does_not_end_at_a_plain_number_beyond_which_it_fails(tmp_path):
    """exp(y) = 1 + c y 200/199 at y = 0 for c = 199/200."""
    relation = exp(free) >= 1 + near * free * Rational(200, 199)
    said, _, number = diagnosed(tmp_path, relation).extent.fails_on.rpartition(" ")
    assert said == "fails only for c >" and 0.9 < float(number) <= 0.995


@pytest.mark.parametrize(("others", "sure"), [
    ({}, True), ({n: Integer(1, searched=9)}, False), ({n: Integer(1, 9)}, True),
])  # fmt: skip
def test_beside_an_integer_without_end_a_part_ends_where_search_ended(others, sure):
    claim = Claim(HERE, Holds(x <= 1), parameters={x: Real(0, 20), **others})
    side = Side(x, 1, fmpq(11), fmpq(3), False, 9, None)
    assert _is_told(SimpleNamespace(claim=claim), side, fmpq(101, 10)) is sure
    assert _is_told(SimpleNamespace(claim=claim), side, fmpq(2))
