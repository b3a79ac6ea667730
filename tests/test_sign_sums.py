"""Means of powers of sums of signs, against the list of all outcomes."""

from itertools import product

import pytest
from flint import fmpq, fmpq_mat
from sympy import Abs, Rational, sqrt

from boundcheck import Claim, Holds, Source, exact
from boundcheck.arithmetic import sign, to_ball
from boundcheck.checks.base import Task, budget_named
from boundcheck.checks.enumeration import run
from boundcheck.expressions import (
    average,
    entry,
    greatest,
    index,
    inner,
    named,
    norm,
    outcome,
    row,
    total,
    world,
)
from boundcheck.expressions.scope import Scope
from boundcheck.sign_sums import factored, is_summed, moment
from boundcheck.worlds import Integer, Matrix, Signs, Vector

WORK = Source("A", 2024, "Example")
n = world("n", Integer(1, searched=5))
a = world("a", Vector(n))
A = world("A", Matrix(n, n))
xi = outcome("xi", Signs("xi", n))
i, j = index("i", n), index("j", n)
k = index("k", n - 1)
S = inner(a, xi)
SUMMED = [
    S, S**2, S**3, S**4, 3 * S**5, norm(a) * S**6, Abs(S) ** 4, (2 * S) ** 4, named("S", S) ** 4,
    total(a[i] * xi[i], i) ** 4, (S - total(xi[i], i) / 2) ** 4, inner(xi, a) ** 2 / (1 + norm(a)),
    total(A[i, j] * xi[j], i, j) ** 4, inner(row(A, 0), xi) ** 6, inner(a, A * xi) ** 4, xi[0] ** 3,
    total(a[i] * xi[n - 1 - i], i) ** 4, Abs(named("T", S)) ** 2, total(xi[i], i) ** 2,
    named("T", total((a[i] + i) * xi[i], i)) ** 4, total(a[i] * xi[i] - 2 * xi[i], i) ** 4,
    total(a[k] * xi[k], k) ** 4, total(xi[i] * total(A[i, j], j), i) ** 4,
]  # fmt: skip
LISTED = [
    Abs(S), Abs(S) ** 3, S * total(xi[i], i), (S + 1) ** 4, S**2 + S, sqrt(Abs(S)), S**14,
    total(xi[i] * xi[j], i, j), total(xi[i] ** 2 * a[i], i) ** 2, greatest(xi[i] * a[i], i) ** 2,
    1 / (1 + S**2), (S * xi[0]) ** 2, inner(xi, xi) ** 2, norm(A * xi) ** 2, (S / (2 + xi[0])) ** 2,
]  # fmt: skip


def world_of(number):
    return {
        "n": number, "a": tuple(fmpq(k * k - 3, k + 2) for k in range(number)),
        "A": fmpq_mat([[fmpq(p - 2 * q, 3 + p) for q in range(number)] for p in range(number)]),
    }.__getitem__  # fmt: skip


@pytest.mark.parametrize("vector", [xi, A * xi, total(xi[i] * row(A, i), i)], ids=str)
def test_the_mean_of_a_vector_is_one(vector):
    assert not is_summed(average(vector, xi))
    assert exact.value_of(norm(average(vector, xi)), world_of(7)) == 0


@pytest.mark.parametrize("expr", SUMMED, ids=str)
def test_moments_are_those_of_all_outcomes(expr):
    node = average(expr, xi)
    assert is_summed(node)
    body = exact.compiled(node.body)
    for number in (7, 8):
        look = world_of(number)
        found = exact.compiled(node)(look)
        listed = [body(Scope(look, {"xi": signs})) for signs in product((1, -1), repeat=number)]
        gap = found - sum(listed) / 2**number
        assert sign(to_ball(gap)) in (0, None) and float(abs(to_ball(gap)).upper()) < 1e-6


@pytest.mark.parametrize("expr", LISTED, ids=str)
def test_what_is_no_power_of_a_sum_is_listed(expr):
    assert factored(expr, xi) is None


def test_moments_of_many_signs():
    assert moment([1] * 100, 4) == 3 * 100**2 - 2 * 100
    assert moment([fmpq(1)] * 50, 7) == 0
    assert moment([], 4) == 0
    assert moment([2], 6) == 64


def test_a_constant_that_only_many_signs_break_falls():
    claim = Claim(WORK.at("1"), Holds(average(S**4, xi) <= Rational(29, 10) * norm(a) ** 4))
    found = run(Task("a/b:c", claim, budget_named("quick")))
    assert found.outcome == "refuted"
    assert int(found.detail.split("n = ")[1].split(",")[0]) > 20
    best = Claim(WORK.at("1"), Holds(average(S**4, xi) <= 3 * norm(a) ** 4))
    assert run(Task("a/b:c", best, budget_named("quick"))).outcome == "supported"


def test_entries_at_a_sign_are_no_sum():
    for place in ((xi[0] + 1) / 2, xi[0]):
        assert factored(entry(a, place) ** 2, xi) is None
