"""What leaves nothing to do is no repair, and what scales, meets or rises with a size is one."""

import pytest
import sympy
from sympy import Eq, Min, Rational, binomial, exp, log, symbols

from boundcheck import Claim, Holds, Source
from boundcheck.diagnosis import diagnose
from boundcheck.diagnosis.balanced import JOINT
from boundcheck.diagnosis.corners import corners_of
from boundcheck.diagnosis.edits import edits
from boundcheck.diagnosis.pointless import _swallows
from boundcheck.diagnosis.pricing import OF_RATES
from boundcheck.expressions import (
    index,
    inner,
    largest_eigenvalue,
    least,
    matrix_rank,
    multiplied,
    parameter,
    total,
    trace,
    world,
)
from boundcheck.library import Library
from boundcheck.settings.matrices import semidefinite, square, symmetric
from boundcheck.settings.scalar_laws import E, P, Var, k, law, p, values
from boundcheck.worlds import Integer, Real, Vector

AT = Source("Folklore", 1900, "Statements").at("1")
n = parameter("n", Integer(1, searched=9))
chosen = parameter("k", Integer(1, n))
L, eps = (parameter(name, Real(0, None, open_low=True, searched=(0, 9))) for name in ("L", "e"))
size = world("m", Integer(1, searched=4))
i = index("i", size)
x, y, z = (world(name, Vector(size)) for name in "xyz")
w = world("w", Vector(size, 0, None, (0, 4)))
A, B, M = square("A"), square("B"), symmetric("M")
S, T = semidefinite("S"), semidefinite("T")
q = law("q", zeros=False)
X = values()[k]


def diagnosed(relation, given=()):
    claim = Claim(AT, Holds(relation), given=list(given))
    return diagnose("a/b:c", Library(None, {"a/b:c": claim}))


def test_where_two_numbers_meet_is_a_corner():
    found = diagnosed(binomial(n, chosen) >= n)
    assert (found.grade, found.extent.fails_on) == ("corner", "fails only for k = n")
    assert found.repairs[0].edit == "the hypothesis k < n" and found.repairs[0].stands


def test_numbers_meet_by_their_fields_and_by_weak_hypotheses_alone():
    a, b, c = symbols("a b c", real=True)
    fields = {c: Real(0, 1), a: Real(0, 1), b: Real(0, "c")}
    claim = Claim(AT, Holds(a + b <= c), given=[a <= c, b < c, a <= 1], parameters=fields)
    meetings = [corner.name for corner in corners_of(claim) if corner.symbol is None]
    assert meetings == ["b = c", "a = c"]


def test_what_fails_for_n_near_a_logarithm_fails_for_any_n():
    """It was said to fail only for n < 1871, where L = exp(1870) fails for n = 1871."""
    found = diagnosed(L / 2**n <= eps, [n >= log(L / eps)])
    assert not found.extent.fails_on.startswith("fails only")
    assert "log(L/e)" in found.repairs[0].edit and found.repairs[0].stands


def test_one_side_is_none_of_what_the_other_takes_the_least_of():
    found = diagnosed(Eq(matrix_rank(A * B), Min(matrix_rank(A), matrix_rank(B))))
    assert found.repairs[0].edit == "<= for ="
    one, two = sympy.Symbol("one", real=True), sympy.Symbol("two", real=True)
    assert _swallows(Eq(one, two), Eq(one, Min(one, two), evaluate=False))
    assert not _swallows(Eq(one, Min(one, two), evaluate=False), Eq(one, Min(one, 2 * two),
                                                                   evaluate=False))


@pytest.mark.parametrize(("relation", "given", "edit"), [
    (multiplied(w[i], i) <= total(w[i], i) / size, (),
     "(sum_i(w[i])/m)**m for sum_i(w[i])/m"),
    (trace(S * T) <= trace(S) + trace(T), (), "product for sum in tr(S) + tr(T)"),
    (largest_eigenvalue(M) <= trace(M), (),
     "the hypothesis that M is positive semi-definite"),
    (log(total(p[k] ** 2, k)) <= total(p[k] * log(p[k]), k), (least(p[k], k) > 0,), ">= for <="),
    (P(X >= 2 * E(X)) <= Rational(1, 2), (E(X) > 0,), "the hypothesis that x is nonnegative"),
])  # fmt: skip
def test_the_nearest_mend_is_told_first(relation, given, edit):
    assert diagnosed(relation, given).repairs[0].edit == edit


def test_a_hypothesis_that_makes_printed_ones_idle_mends_nothing():
    found = diagnosed(inner(x, z) >= 0, [inner(x, y) > 0, inner(y, z) > 0])
    assert not [repair for repair in found.repairs if "nonnegative" in repair.edit]


def test_no_hypothesis_is_a_multiple_of_the_statement():
    joined = total(p[k] * log(2 * p[k] / (p[k] + q[k])) + q[k] * log(2 * q[k] / (p[k] + q[k])), k)
    found = diagnosed(joined / 2 <= Rational(1, 2), [least(p[k], k) > 0, least(q[k], k) > 0])
    assert not [repair for repair in found.repairs if repair.edit.endswith("<= 1")]


def test_what_is_bounded_beside_a_square_bounds_nothing():
    """E exp(X) <= E exp(X) + Var(X)/2 was told for exp(E X) on the right."""
    assert not diagnosed(E(exp(X)) <= exp(E(X)) + Var(X) / 2).repairs


def test_another_base_of_a_power_costs_more_than_another_factor():
    base = {edit.words: edit.cost for edit in edits(Claim(AT, Holds(2 * L <= 2**n)))}
    assert base["3 for 2"] >= base["4*2**n for 2**n"] + OF_RATES - 0.2
    assert JOINT > 0
