"""What a plan says of conditions that hold nowhere but in a window, and of costs below zero."""

import pytest
from sympy import Eq, Integer as Whole, Ne, Rational, symbols

from boundcheck import Claim, Holds, Source
from boundcheck.errors import InvalidArgument
from boundcheck.explore import plan
from boundcheck.worlds import Integer, Real

PLACE = Source("A", 2024, "Example").at("1")
M, n, lam, risk = symbols("M n lambda risk", real=True)
COUNT, POSITIVE = Integer(1, searched=9), Real(0, None, open_low=True)


def cheapest(cost, *given):
    ranges = {n: COUNT, M: COUNT, lam: POSITIVE, risk: Real(0, None)}
    claim = Claim(PLACE, Holds(risk <= 1), given=given, parameters=ranges)
    return plan({"a:printed": claim}, None, cost, {}, rates=False)


@pytest.mark.parametrize(("condition", "least"), [
    ((n - 50) ** 2 <= 4, 48), ((n - 5000) ** 2 <= 4, 4998), (Eq(n**2 - 26 * n, 27), 27),
])  # fmt: skip
def test_sizes_in_a_window_between_the_values_of_a_ladder_are_found(condition, least):
    assert cheapest("n", condition).sizes["n"] == least


@pytest.mark.parametrize(("condition", "least"), [
    (3 * lam >= Rational(1, 10**9), Rational(1, 3 * 10**9)), (lam**2 >= Rational(1, 10**30), 1e-15),
])  # fmt: skip
def test_a_small_size_has_a_least_value_all_the_same(condition, least):
    assert float(cheapest("lambda", condition).cost_value) == pytest.approx(float(least))


@pytest.mark.parametrize(("cost", "given", "least"), [
    ("M * n", [n * M >= 100, n + M <= 25], 100),
    ("n + M", [n * M >= 100], 20),
    ("n + M", [n * M >= 10**6, n >= M / 4], 2000),
])  # fmt: skip
def test_two_sizes_that_share_a_condition_are_weighed_against_each_other(cost, given, least):
    assert least <= cheapest(cost, *given).cost_value <= least * 1.001


def test_what_was_not_found_is_not_said_to_be_nowhere():
    # n = 6 and M = 18 do; plans raise one size after the other, or both in step.
    with pytest.raises(InvalidArgument) as caught:
        cheapest("M * n", n * M >= 100, n + M <= 25, M >= 3 * n)
    assert "no plan was found" in str(caught.value)
    with pytest.raises(InvalidArgument, match="no values were found"):
        cheapest("n", Ne(n, n + Whole(0) * M) | (Eq(n * M, 7) & (M >= 9)))


def test_a_cost_below_zero_has_its_best_value_or_none():
    assert cheapest("-n", n >= 10, n <= 20).cost_value == -20
    endless = cheapest("-n", n >= 10)
    assert endless.ends == {"n": "larger"} and not endless.sizes
    assert "no best value was found" in str(endless)
