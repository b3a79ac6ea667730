"""Means over all outcomes at once, against one outcome after the other."""

from functools import reduce

import numpy
import pytest
from flint import arb, fmpq, fmpq_mat
from sympy import Abs, And, Eq, Max, Min, Not, Or, Rational, exp, sqrt

from boundcheck import exact, outcome_arrays, whole_arrays
from boundcheck.arithmetic import add, multiply
from boundcheck.errors import Undecided, Undefined
from boundcheck.expressions import (
    average,
    entry,
    greatest,
    index,
    indicator,
    inner,
    least,
    multiplied,
    named,
    norm,
    outcome,
    table,
    total,
    world,
)
from boundcheck.expressions.exactly import _over_outcomes
from boundcheck.worlds import Indices, Integer, Matrix, Real, Signs, Vector, Weights
from boundcheck.worlds.draws import Counts, Each, Listed

n, K = world("n", Integer(1, searched=5)), world("K", Integer(1, searched=4))
a, x = world("a", Vector(n)), world("x", Vector(K))
p = world("p", Weights(K))
M = world("M", Matrix(K, K))
q = world("q", Real(0, 1))
xi, I = outcome("xi", Signs("xi", n)), outcome("I", Indices("I", "p", "n"))
N, C = outcome("N", Counts("N", "p", "n")), outcome("C", Each("C", "L"))
i, j, k = index("i", n), index("j", n), index("k", K)
S = total(a[i] * xi[i], i)
PARTIAL = total(indicator(i <= j) * a[i] * xi[i], i)
BODIES = [
    (S * Abs(S), xi), (greatest(Abs(PARTIAL), j), xi), (least(PARTIAL, j) - q, xi),
    (indicator(greatest(PARTIAL, j) >= q), xi), (Max(S, q, 2 * S - 1) * Min(S, 1), xi),
    (indicator(And(S > 0, S <= 3)) + indicator(Or(S < -1, Eq(S, 1))), xi),
    (indicator(Not(Eq(S, 1))), xi), (multiplied(1 + a[i] * xi[i], i), xi),
    (inner(a, xi) * xi[0], xi), (named("S", S) ** 3 * xi[n - 1], xi), (xi[0] * 0 + q, xi),
    (inner(table(a[i] * xi[i], i), xi) * S, xi), (total(a[j] ** 2, j) * S * S * xi[0], xi),
    (greatest(total(x[I[i]], i), k), I), (Abs(x[I[0]] - x[I[n - 1]]), I),
    (total(M[I[i], I[j]], i, j), I), (entry(M, I[0], k.meaning.size - 1), I),
    (total(indicator(Eq(I[i], I[j])), i, j), I), (greatest(N[k] * x[k], k), N),
    (Abs(total(N[k] * x[k], k) / n - total(p[k] * x[k], k)), N),
    (greatest(x[C[i]], i), C), (indicator(C[0] < C[n - 1]), C),
]  # fmt: skip


def world_of(number, atoms=3):
    values = {
        "n": number, "K": atoms, "q": fmpq(1, 3),
        "a": tuple(fmpq(at * at - 3, at + 2) for at in range(number)),
        "x": tuple(fmpq(5 - 2 * at, 1 + at) for at in range(atoms)),
        "p": tuple(fmpq(at, atoms * (atoms - 1) // 2) for at in range(atoms)),
        "M": fmpq_mat([[fmpq(r - 2 * s, 3 + r) for s in range(atoms)] for r in range(atoms)]),
        "L": tuple((fmpq(1, at + 2), fmpq(0), fmpq(at + 1, at + 2)) for at in range(number)),
    }  # fmt: skip
    return values.__getitem__


def one_by_one(node):
    found = _over_outcomes(node)
    return lambda look: reduce(add, (multiply(*pair) for pair in found(look)))


def refused(_):
    raise AssertionError("the outcomes were listed")


@pytest.mark.parametrize("number", [3, 5])
@pytest.mark.parametrize(("body", "drawn"), BODIES, ids=str)
def test_all_outcomes_at_once_say_the_same(body, drawn, number):
    node, look = average(body, drawn), world_of(number + 6 if drawn == N else number)
    at_once = outcome_arrays.averaged(node, refused)
    assert at_once(look) == one_by_one(node)(look) == exact.value_of(node, look)


@pytest.mark.parametrize("body", [
    exp(S), sqrt(Abs(S)), 1 / (2 + S), S**14, xi[0] ** Rational(3, 2), norm(table(xi[i], i)),
    norm(a) * Abs(S),
], ids=str)  # fmt: skip
def test_what_has_no_rule_is_listed(body):
    node = average(body, xi)
    assert outcome_arrays.averaged(node, lambda _: "listed")(world_of(4)) == "listed"


def test_few_outcomes_are_listed():
    node = average(Abs(S), xi)
    found = outcome_arrays.averaged(node, lambda _: "listed")
    assert found(world_of(2)) == "listed"
    assert found(world_of(3)) != "listed"


def test_many_outcomes_are_read_in_parts(monkeypatch):
    node, look = average(Abs(S), xi), world_of(6)
    whole = exact.value_of(node, look)
    for together in (1, 7, 64):
        monkeypatch.setattr(outcome_arrays, "TOGETHER", together)
        assert outcome_arrays.averaged(node, refused)(look) == whole


@pytest.mark.parametrize("large", [10**6, 2**31, 2**40, 2**61, 2**62, 2**70])
@pytest.mark.parametrize("body", [
    Abs(S), S * Abs(S), Max(S, S * xi[0]), indicator(S > Abs(S) - 1), Abs(S) ** 3,
], ids=str)  # fmt: skip
def test_nothing_exceeds_its_room(body, large):
    values = {"n": 4, "a": (fmpq(large), fmpq(1, 3), fmpq(-large, 7), fmpq(large - 1))}
    node = average(body, xi)
    found = exact.value_of(node, values.__getitem__)
    assert found == one_by_one(node)(values.__getitem__)


def test_what_is_compared_keeps_its_room():
    """24 times 2^60 would be negative in 64 bits."""
    values = {"n": 4, "a": (fmpq(2**60), fmpq(0), fmpq(0), fmpq(0)), "q": fmpq(1, 24)}
    for body in (indicator(S >= q), Max(S, q), Min(S, q)):
        node = average(body, xi)
        assert exact.value_of(node, values.__getitem__) == one_by_one(node)(values.__getitem__)


def test_nothing_over_a_large_denominator_is_nothing():
    values = {"n": 4, "a": (fmpq(0),) * 4, "q": fmpq(1, 2**70)}
    for body in (Max(S, q), S + q, indicator(S >= q) + S):
        node = average(body, xi)
        found = outcome_arrays.averaged(node, refused)(values.__getitem__)
        assert found == one_by_one(node)(values.__getitem__)


def test_what_one_outcome_does_not_ask_for_is_not_asked():
    """Of a conjunction the first member settles what the second one cannot be asked."""
    body = total(indicator(And(j >= 1, a[j - 1] * xi[0] > 0)), j)
    node, look = average(body, xi), world_of(4)
    found = exact.value_of(node, look)
    assert found == one_by_one(node)(look)


@pytest.mark.parametrize("weights", [
    (fmpq(1, 2), fmpq(1, 4)), (fmpq(3, 2), fmpq(-1, 2)), (fmpq(1, 2), fmpq(3, 4)),
])  # fmt: skip
def test_weights_that_are_no_law_have_no_mean(weights):
    values = {"n": 4, "K": 2, "p": weights, "x": (fmpq(1), fmpq(2))}
    node = average(greatest(x[I[i]], i), I)
    with pytest.raises(Undecided):
        outcome_arrays.averaged(node, one_by_one(node))(values.__getitem__)


@pytest.mark.parametrize("body", [x[I[0] + 1], x[I[0] - 2], entry(M, I[0], I[1] - 2)], ids=str)
def test_places_that_a_list_does_not_have_are_no_others(body):
    node, look = average(body, I), world_of(4)
    listed = outcome_arrays.averaged(node, lambda _: "listed")(look)
    assert listed == "listed"
    with pytest.raises((Undefined, Undecided, IndexError)):
        one_by_one(node)(look)


def test_laws_that_are_listed():
    def single(n):
        return [(fmpq(1, n + 5), fmpq(at * at - 7, at + 2)) for at in range(n + 5)]

    def pairs(n):
        return [(chance, {"pair": (value, value**2)}) for chance, value in single(n)]

    def numbers(n):
        return [(chance, {"one": value}) for chance, value in single(n)]

    one = outcome("one", Listed(("one",), numbers), rank=0, needs=(n,))
    pair = outcome("pair", Listed(("pair",), pairs), rank=1, needs=(n,))
    for body, drawn in ((Max(one, 1) * one, one), (Abs(pair[0]) - pair[1], pair)):
        node, look = average(body, drawn), world_of(4)
        found = outcome_arrays.averaged(node, refused)(look)
        assert found == one_by_one(node)(look)


def test_numerators_are_whole_numbers_of_64_bits():
    for drawn in ([(1, -1), (-1, 1)], [(fmpq(1, 2), 1), (fmpq(1, 3), 0)]):
        column = whole_arrays.columns(drawn)[0]
        assert column.above.dtype == numpy.int64
        assert [fmpq(int(one), column.below) for one in column.above] == [row[0] for row in drawn]
    for odd in ([(arb(1),)], [(0.5, 1)], [(1, 2), (1,)], [((1, 2), (3, 4))], ["1"], [(True,)]):
        with pytest.raises(whole_arrays.Apart):
            whole_arrays.columns(odd)
