"""Ends of conditions that come and go among finitely many whole numbers, against all of them."""

import random

import pytest
from sympy import Abs, Rational, cos, floor, pi, sqrt, symbols, tan

from boundcheck import Claim, Holds, Source
from boundcheck.errors import InvalidArgument
from boundcheck.explore import require
from boundcheck.worlds import Integer, Real

PLACE = Source("A", 2024, "Example").at("1")
n, v = symbols("n v", real=True)
SIGNED = (-1) ** n * n
ODD = n - 2 * floor(n / 2)
SQUARES = n - floor(sqrt(Abs(n))) ** 2


def asked(given, low, high=None, sense=None):
    own = Integer(low, searched=low + 9) if high is None else Integer(low, high)
    claim = Claim(PLACE, Holds(v <= 1), given=given, parameters={n: own, v: Real(0, None)})
    return require(claim, n, sense=sense)


@pytest.mark.parametrize(("given", "low", "high", "answer"), [
    ([SIGNED >= -96, ODD >= 1], -1000, 300, 95),
    ([SQUARES <= 13], -1000, 5000, 4913),
    ([SQUARES <= 2, SIGNED >= -96], -1000, 300, 290),
    ([SQUARES <= Rational(16, 7), SIGNED >= -100, 5 / (Abs(n) + 1) <= Rational(1, 105)],
     -1000, 300, -525),
    ([n - 64 * floor(n / 64) >= 62, ODD <= 0, n <= 740], 1, None, 702),
])  # fmt: skip
def test_the_greatest_of_a_finite_range_is_the_last_that_will_do(given, low, high, answer):
    """Of the first one it was said that n is at most 61."""
    assert asked(given, low, high, "greatest").answer == answer


def test_a_last_value_far_below_the_end_of_a_range_is_not_told():
    with pytest.raises(InvalidArgument, match="may not be the greatest"):
        asked([SQUARES <= 0], 1, 10**12 + 10**6, "greatest")


@pytest.mark.parametrize("given", [n * cos(pi * n) <= 5, SIGNED <= 5])
def test_what_has_no_end_is_not_said_to_have_one_around_zero(given):
    """It was said that n is at most 985,162,418,487,291."""
    found = asked([given], -20)
    assert (found.sense, found.answer) == ("least", -20) and "not every one" in str(found)


@pytest.mark.parametrize("given", [
    [n - 64 * floor(n / 64) >= 62, SIGNED >= -50, n <= 740, n >= 144],
    [n - 64 * floor(n / 64) >= 62, ODD <= 0, n <= 740],
])  # fmt: skip
def test_every_value_that_is_told_was_asked(given):
    """703 was admitted, which is odd."""
    for low, high in asked(given, 1).intervals:
        assert all(all(part.subs(n, int(k)) for part in given) for k in (low, high))


def test_what_all_numbers_of_a_range_tell_has_no_end_where_the_range_ends():
    found = asked([n - 100 * floor(n / 100) <= Rational(97, 3)], 1, 100)
    assert (found.sense, found.intervals) == ("least", ((None, 32), (100, None)))


def test_conditions_that_come_and_go_are_not_said_to_need_what_was_found():
    """tan v <= 0 was said to need v at most 0, though 31 meets both."""
    claim = Claim(PLACE, Holds(n <= 1), given=[v * cos(v) >= 27, tan(v) <= 0],
                  parameters={n: Integer(1, searched=9), v: Real(0, None)})  # fmt: skip
    with pytest.raises(InvalidArgument, match="met together by no v that was tried") as raised:
        require(claim, v)
    assert "needs" not in str(raised.value)


@pytest.mark.parametrize("seed", range(3))
def test_ends_of_two_conditions_agree_with_all_numbers(seed):
    rng = random.Random(seed)
    low, high, period = rng.randint(-300, 0), rng.randint(100, 300), rng.randint(3, 20)
    least = -rng.randint(20, 90)
    given = [SIGNED >= least, n - period * floor(n / period) >= period - 2]
    met = [k for k in range(low, high + 1)
           if (-k if k % 2 else k) >= least and k % period >= period - 2]  # fmt: skip
    assert asked(given, low, high, "greatest").answer == met[-1]
    assert asked(given, low, high, "least").answer == met[0]
