"""Sums of polynomials in an index against the same sums term by term."""

import pytest
import sympy
from flint import arb, fmpq

from boundcheck import exact, power_sums
from boundcheck.errors import Undefined
from boundcheck.expressions import average, index, outcome, total, world
from boundcheck.power_sums import power_sum, powers
from boundcheck.worlds import Signs, Vector

n, x = sympy.symbols("n x", real=True)
i, j = index("i", n), index("j", n)
v = world("v", Vector("d"))


@pytest.mark.parametrize("size", [0, 1, 2, 7])
@pytest.mark.parametrize("power", range(8))
def test_faulhaber(size, power):
    assert power_sum(size, power) == sum(at**power for at in range(size))


@pytest.mark.parametrize(
    "body", [sympy.Integer(3), i, x * i**2 - i / x + 1, (x + 1) ** 2 * i**3 / 7, sympy.sqrt(2) * i]
)
def test_sums_by_powers_are_the_sums_of_terms(body, monkeypatch):
    values = {"n": 20, "x": fmpq(3, 5)}
    slow = exact.compiled(total(body, i))(values.__getitem__)
    monkeypatch.setattr(power_sums, "LISTED", 2)
    monkeypatch.setattr(power_sums, "power_sum", counted := Counted())
    fast = exact.compiled(total(body, i))(values.__getitem__)
    assert counted.calls
    assert fast == slow or (fast - slow).contains(0)


class Counted:
    """Power sums, and how many were asked for."""

    calls = 0

    def __call__(self, *args):
        self.calls += 1
        return power_sum(*args)


def test_other_terms_are_added_one_by_one():
    inside = total(i * j, j)
    for body in (1 / (i + 1), sympy.Pow(2, i), i * x**i, (i + 1) ** 2, i**20, i * total(i, i)):
        assert (powers(body, i) is None) == (body != i * total(i, i))
    assert powers(inside, i) is None
    compiled = exact.compiled(total(i * j, i, j))
    assert compiled({"n": 300}.__getitem__) == power_sum(300, 1) ** 2


def test_a_coefficient_without_a_value_has_none_in_a_long_sum():
    compiled = exact.compiled(total(i / x, i))
    assert compiled({"n": 0, "x": fmpq(0)}.__getitem__) == 0
    with pytest.raises(Undefined):
        compiled({"n": 1_000, "x": fmpq(0)}.__getitem__)


def test_ten_to_the_forty_terms():
    compiled = exact.compiled(total(i, i))
    assert compiled({"n": 10**40}.__getitem__) == fmpq(10**40 * (10**40 - 1), 2)


def test_vectors_are_added_one_by_one():
    compiled = exact.compiled(total(i * v, i))
    assert compiled({"n": 300, "v": (1, 2), "d": 2}.__getitem__) == tuple(
        power_sum(300, 1) * entry for entry in (1, 2))  # fmt: skip


def test_fractions_that_grow_with_every_term_become_balls():
    """The harmonic sums that a question asks for, up to a million terms, did not end."""
    value = exact.compiled(total(1 / (i + 1), i))({"n": 30_000}.__getitem__)
    with exact.precision(256):
        assert not exact.is_exact(value)
        assert value.overlaps(arb(30_001).digamma() + arb.const_euler())
    assert exact.compiled(total(1 / (i + 1), i))({"n": 83}.__getitem__) > 5


def test_fractions_that_grow_with_every_outcome_become_balls():
    signs = outcome("xi", Signs("xi", "n"))
    body = 1 / (1 + total(2**i * (1 + signs[i]) / 2, i))
    few, many = (exact.compiled(average(body, signs))({"n": size}.__getitem__) for size in (3, 14))
    assert few == sum(fmpq(1, k) for k in range(1, 9)) / 8
    with exact.precision(256):
        assert not exact.is_exact(many)
        assert many.overlaps((arb(2**14 + 1).digamma() + arb.const_euler()) / 2**14)
