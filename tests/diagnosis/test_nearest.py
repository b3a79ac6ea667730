"""False statements of many fields, and the change that is told first."""

import pytest
from sympy import Abs, Eq, Rational, binomial, ceiling, exp, factorial, log, sqrt

from boundcheck import Claim, Holds, Source, UpToConstant
from boundcheck.diagnosis import diagnose
from boundcheck.expressions import (
    average,
    greatest,
    index,
    largest_eigenvalue,
    least,
    parameter,
    probability,
    total,
)
from boundcheck.library import Library
from boundcheck.settings.concentration import n as draws, signs
from boundcheck.settings.continuous import E as expected, normal
from boundcheck.settings.matrices import c, r, symmetric
from boundcheck.settings.scalar_laws import (
    E as mean,
    K,
    counts,
    k,
    law,
    p,
    relative_entropy,
    values,
)
from boundcheck.worlds import Integer, Real

AT = Source("Folklore", 1900, "Statements").at("1")


def positive(name):
    return parameter(name, Real(0, None, open_low=True, searched=("1/100", 10)))


def size(name, least=1):
    return parameter(name, Integer(least, searched=30))


a, x, L, s, t, u, v = (positive(name) for name in ("a", "x", "L", "s", "t", "u", "v"))
m, n, N = size("m"), size("n"), size("N", 2)
share = parameter("gamma", Real(0, 1, open_high=True))
weight = parameter("w", Real(0, 1))
epsilon, delta = (parameter(name, Real(0, 1, open_low=True, open_high=True))
                  for name in ("epsilon", "delta"))  # fmt: skip
T = index("T", n)
X = values()
matrix = symmetric("A")
i = index("i", draws)
between = weight * u**2 + (1 - weight) * v**2 - (weight * u + (1 - weight) * v) ** 2
FIRST = {
    "a ratio turned round": ((1 - 1 / n) ** m <= exp(-n / m), (), "slip", "-m/n for -n/m"),
    "a lost share": (Eq(between, weight * (u - v) ** 2), (), "slip",
                     "a factor 1 - w at w*(u - v)**2"),
    "an index off by one": ((N - n) / (N - 1) <= 1 - n / N, [n <= N], "slip", "n - 1 for n"),
    "a lost union bound": (n**2 * exp(-(epsilon**2) * m / 8) <= delta,
                           [m >= 8 * log(1 / delta) / epsilon**2], "slip",
                           "the hypothesis m >= 8*log(n**2/delta)/epsilon**2"),
    "a number that is approached": ((1 + 1 / n) ** n <= Rational(5, 2), (), "constant",
                                    "E for 5/2"),
    "e": (factorial(n) >= (2 * n / 5) ** n, (), "constant", "(n*exp(-1))**n for (2*n/5)**n"),
    "a covering": (ceiling(L / (2 * s)) <= L / s, (), "hypothesis", "the hypothesis s <= L"),
    "a root of a parameter": ((x + a / x) / 2 - sqrt(a) <= (x - sqrt(a)) ** 2 / (2 * sqrt(a)), (),
                              "hypothesis", "the hypothesis x >= sqrt(a)"),
    "a whole square": (total(share**T * (T + 1), T) <= 1 / (1 - share), (), "slip",
                       "(1 - gamma)**(-2) for 1/(1 - gamma)"),
    "no corner": (-log(1 - share) <= share + share**2, (), "hypothesis",
                  "the hypothesis gamma <= 1/2"),
}  # fmt: skip
entry = matrix[r, c]
OF_WORLDS = {
    "an order of extremes": (
        greatest(least(entry, c), r) >= least(greatest(entry, r), c), "slip", "<= for >="),
    "a modulus": (largest_eigenvalue(matrix) <= greatest(total(matrix[r, c], c), r), "slip",
                  "Abs(A[r, c]) for A[r, c] in max_r(sum_c(A[r, c]))"),
    "the size of what is drawn": (average(Abs(total(signs[i], i)), signs) <= 1, "slip",
                                  "a factor sqrt(n) at 1"),
}  # fmt: skip


def first(tmp_path, claim):
    found = diagnose("a/b:c", Library(tmp_path, {"a/b:c": claim}))
    return found.grade, found.repairs[0].edit if found.repairs else ""


@pytest.mark.parametrize("name", FIRST)
def test_the_change_that_was_made_is_told_first(tmp_path, name):
    relation, given, grade, edit = FIRST[name]
    assert first(tmp_path, Claim(AT, Holds(relation), given=list(given))) == (grade, edit)


@pytest.mark.parametrize("name", OF_WORLDS)
def test_so_is_one_about_what_is_measured(tmp_path, name):
    relation, grade, edit = OF_WORLDS[name]
    assert first(tmp_path, Claim(AT, Holds(relation))) == (grade, edit)


@pytest.mark.parametrize(
    ("relation", "edit"),
    [pytest.param(total(1 / (T + 1), T) <= 1, "a factor log(n) + 1 at 1", marks=pytest.mark.long),
     (binomial(2 * n, n) <= 4**n / n, "a factor sqrt(n) at 4**n/n")],
)
def test_the_rate_that_a_law_tells_is_the_one_that_was_lost(tmp_path, relation, edit):
    """Growth is refuted by a law along n; the slowest rate along which left over right ends."""
    assert first(tmp_path, Claim(AT, UpToConstant(relation))) == ("slip", edit)


def test_a_formula_of_a_bound_from_below_may_lose_a_term_where_it_is_attained(tmp_path):
    squares = Claim(AT, Holds(total(p[k] ** 2, k) >= 1 / (K - 1)),
                    domains={K: Integer(2, searched=5)})  # fmt: skip
    assert first(tmp_path, squares) == ("slip", "no term -1")


def test_a_number_on_the_right_of_an_equation_comes_before_a_power_on_the_left(tmp_path):
    Z = normal("Z", 0, s)
    moment = Claim(AT, Holds(Eq(expected(exp(Z * t), Z), exp(t**2 * s**2))))
    assert first(tmp_path, moment) == ("slip", "s**2*t**2/2 for s**2*t**2")


def test_that_a_probability_is_at_most_one_mends_nothing(tmp_path):
    """Two of n draws agree with a chance of some n^2/2 times the sum of squares; the square of the
    sum is one."""
    agree = probability(greatest(counts[k], k) >= 2, counts) <= total(p[k] ** 2, k)
    found = diagnose("a/b:c", Library(tmp_path, {"a/b:c": Claim(AT, Holds(agree))}))
    assert not [repair for repair in found.repairs if repair.edit.startswith("sum_k(p[k])**2")]


def test_that_a_divergence_is_zero_is_no_hypothesis(tmp_path):
    q = law("q", zeros=False)
    bounded = Claim(AT, Holds(total(q[k] * X[k], k) <= relative_entropy(q, p) + mean(X[k])),
                    given=[least(p[k], k) > 0])  # fmt: skip
    assert "= 0" not in first(tmp_path, bounded)[1]
