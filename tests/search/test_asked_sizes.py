"""Statements whose hypotheses ask for larger sizes than a setting draws; a few equal entries."""

import pytest
from sympy import Abs, Rational, Symbol, floor, log, sqrt, symbols

from boundcheck import Claim, Expected, Holds, Source, verify
from boundcheck.expressions import (
    greatest,
    inner,
    largest_entry,
    norm,
    operator_norm,
    outcome,
    total,
    world,
)
from boundcheck.search.asked_sizes import asked_sizes
from boundcheck.settings.matrices import d, square
from boundcheck.settings.rkhs import n, p as points
from boundcheck.settings.scalar_laws import K, k, p
from boundcheck.worlds import Integer, Matrix, Signs, Vector

PLACE = Source("A", 2000, "T").at("1")
A = square("A")
whole = symbols("whole", real=True)
number = Symbol("number", integer=True)
m = world("m", Integer(1, searched=5))
a, xi = world("a", Vector(m)), outcome("xi", Signs("xi", m))
Phi = world("Phi", Matrix(n, points))


def ranges(given, *names):
    claim = Claim(PLACE, Holds(operator_norm(Phi) <= 1), given=given, domains={
        n: Integer(1, searched=4), points: Integer(1, searched=3)})  # fmt: skip
    fields = asked_sizes(claim)
    return [(fields[name].low, fields[name].top) for name in names]


@pytest.mark.parametrize(("form", "given"), [
    (Holds(operator_norm(A) <= 2 * sqrt(d) * largest_entry(A)), [d >= 5]),
    (Holds(greatest(p[k], k) >= Rational(1, 8)), [K >= 9]),
    (Holds(total(p[k] ** 2, k) >= Rational(1, 8)), [K**2 >= 81]),
    (Expected(Abs(inner(a, xi)) >= Rational(72, 100) * norm(a)), [m >= 7]),
])  # fmt: skip
def test_sizes_are_drawn_from_where_hypotheses_allow_them(form, given):
    verdict = verify("a/b:c", Claim(PLACE, form, given=given), controls=False)
    assert verdict.outcome == "refuted"


@pytest.mark.parametrize(("form", "given"), [
    (Holds(operator_norm(A) <= d * largest_entry(A)), [d >= 5]),
    (Expected(Abs(inner(a, xi)) >= norm(a) / sqrt(2)), [m >= 7]),
])  # fmt: skip
def test_what_holds_at_these_sizes_stands(form, given):
    verdict = verify("a/b:c", Claim(PLACE, form, given=given), controls=False)
    assert verdict.outcome in ("proved", "supported")


@pytest.mark.parametrize(("given", "where"), [
    ([whole >= 40, whole <= 43], 42), ([whole >= 8], 14), ([whole >= 103, whole < 107], 105),
])  # fmt: skip
def test_every_number_of_a_range_that_hypotheses_leave_is_listed(given, where):
    """Of 40 to 43 the first and the last alone were looked at, and said to be all."""
    claim = Claim(PLACE, Holds(floor(whole / 7) * 7 < whole), given=given,
                  parameters={whole: Integer(1, searched=5)})  # fmt: skip
    verdict = verify("a/b:c", claim, controls=False)
    assert verdict.outcome == "refuted" and verdict.witness.values["whole"] == str(where)


def test_a_range_begins_at_the_least_size_or_reaches_up_to_it():
    assert ranges([n >= 10], "n") == [(10, 13)]
    assert ranges([n > 2], "n") == [(3, 6)]
    assert ranges([n >= 2 * points + 6], "n", "p") == [(1, 11), (1, 3)]
    assert ranges([n <= 3], "n") == [(1, 4)]
    assert ranges([n >= 1000], "n") == [(1, 4)]  # worlds so large are not built


@pytest.mark.parametrize(("hypothesis", "least"), [
    (1 / (number - 1) <= Rational(1, 2), 3), (log(number - 1) >= 1, 4),
    (sqrt(number - 5) >= 1, 6), (number / (number - 1) <= 2, 2),
])  # fmt: skip
def test_a_hypothesis_without_a_value_at_the_least_integer_is_not_met_there(hypothesis, least):
    """SymPy compares neither zoo nor I with a number."""
    claim = Claim(PLACE, Holds(number**2 >= 4 * number), given=[hypothesis],
                  parameters={number: Integer(1, searched=5)})  # fmt: skip
    assert asked_sizes(claim)["number"].low == least


def test_what_fails_where_such_a_hypothesis_has_a_value_is_refuted():
    claim = Claim(PLACE, Holds(number**2 >= 4 * number), given=[1 / (number - 1) <= Rational(1, 2)],
                  parameters={number: Integer(1, searched=5)})  # fmt: skip
    assert verify("a/b:c", claim).outcome == "refuted"


def test_a_number_reaches_what_the_least_of_another_asks_for():
    """Only the pairs with n >= 2 were looked at, and it fails at n = 1, m = 37 alone."""
    m, ranges = Symbol("m", integer=True), {number: Integer(1, searched=20)}
    residue = number - 2 * floor(number / 2)
    claim = Claim(PLACE, Holds((residue - 5) ** 2 < 3 * (3**number - 5) ** 2 - 1),
                  given=[number * m >= 37], parameters={**ranges, m: Integer(1, searched=20)})
    assert asked_sizes(claim)["m"].top == 37
    assert verify("a/b:c", claim).outcome == "refuted"
