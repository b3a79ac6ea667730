"""Least and greatest values of conditions whose truth comes and goes, against all whole numbers."""

import random

import pytest
from flint import arb
from mpmath import iv
from sympy import (
    Abs,
    Max,
    Or,
    Rational,
    asinh,
    atan,
    cos,
    cosh,
    erf,
    factorial,
    floor,
    gamma,
    log,
    loggamma,
    pi,
    sin,
    sinh,
    sqrt,
    symbols,
    tanh,
)

from boundcheck import Claim, Holds, Source
from boundcheck.errors import InvalidArgument
from boundcheck.explore import require
from boundcheck.explore.enclosure import enclosure, ends
from boundcheck.worlds import Integer, Real

PLACE = Source("A", 2024, "Example").at("1")
n, v = symbols("n v", real=True)


def asked(*given, **more):
    ranges = {n: Integer(1, searched=9), v: Real(0, None)}
    return require(Claim(PLACE, Holds(v <= 1), given=given, parameters=ranges), n, **more)


ODD = n - 2 * floor(n / 2)


@pytest.mark.parametrize(("given", "sense", "answer"), [
    ([n - 6 * floor(n / 6) <= Rational(7, 15), n**2 >= 2209], "least", 48),
    ([floor(sqrt(n)) < 15, n + log(n)**2 - 5 * floor(n / 5) >= log(195)**2], "least", 134),
    ([n ** Rational(1, 5) + ODD < Rational(56, 19)], "greatest", 222),
    ([n ** Rational(1, 9) + n / 3 - floor(n / 3) <= Rational(71, 38), 5 / n > Rational(1, 11)],
     "greatest", 54),
    ([2 * log(n) >= 2 * log(178), n - 8 * floor(n / 8) >= Rational(34, 5)], "least", 183),
    ([Abs((-1) ** n * n - Rational(9, 7)) <= Rational(27, 2)], "greatest", 14),
    ([n - 12 * floor(n / 12) <= 1, n**2 >= 3602**2], "least", 3612),
    ([n - 60 * floor(n / 60) >= 1, n**2 >= 3600**2], "least", 3601),
    ([n <= 10 * floor(n / 10), sqrt(log(n) / n) <= Rational(3, 100)], "least", 10_270),
])  # fmt: skip
def test_the_end_is_that_of_all_values(given, sense, answer):
    """Between the values of a ladder one of them had ends of its own, in the trillions."""
    found = asked(*given)
    assert (found.sense, found.answer) == (sense, answer)


def test_a_power_of_what_is_known_to_be_negative_comes_and_goes():
    """Only written as a number it was seen: of y = -2 the values 24 to 30 were all admitted."""
    y = symbols("y", real=True)
    ranges = {n: Integer(1, searched=9), v: Real(0, None), y: Real(None, None)}
    claim = Claim(PLACE, Holds(v <= 1), given=[y**n >= -(10**6), n <= 30], parameters=ranges)
    found = require(claim, n, {"y": -2})
    assert found.answer == 30 and "[20, 20]" not in str(found)
    assert "[1, 20] and [22, 22] and [24, 24]" in str(found)


@pytest.mark.parametrize("given", [
    n - 3 * floor(n / 3) <= 1,
    pytest.param(n / 3 - 3 * floor(n / 9) < Rational(4, 3), marks=pytest.mark.long),
])
def test_what_comes_and_goes_for_ever_has_no_last_value(given):
    with pytest.raises(InvalidArgument, match=r"comes and goes .* ask for the least value"):
        asked(given, sense="greatest")


@pytest.mark.parametrize("given", [
    n - floor(sqrt(n)) ** 2 <= 3, n - floor(sqrt(n)) ** 2 <= 0, cos(pi * n) * n <= 1,
    n - 100 * floor(n / 100) <= 3,
    (n - 6 * floor(n / 6) - 3) ** 2 >= 1,
])  # fmt: skip
def test_the_last_value_that_was_tried_is_no_end(given):
    """Of the squares it was said that n is at least 2^7688, though 1 to 7 will do."""
    with pytest.raises(InvalidArgument, match="comes and goes"):
        asked(given)
    with pytest.raises(InvalidArgument, match=r"comes and goes|limits n from above"):
        asked(given, sense="greatest")


def test_a_least_value_of_those_that_come_and_go_is_said_not_to_be_followed_by_all():
    found = asked(n - floor(sqrt(n)) ** 2 <= 3, n >= 55)
    assert found.answer == 64 and "n at least 64, but not every one" in str(found)


def test_what_stays_beyond_all_that_was_tried_still_has_a_first_value():
    assert asked((-1) ** n / n <= Rational(1, 10)).answer == 9


def test_conditions_that_come_and_go_are_not_said_to_contradict_each_other():
    with pytest.raises(InvalidArgument, match="were met together by no n that was tried"):
        asked(n <= 100, ODD >= 1, n - 4 * floor(n / 4) <= 0)


@pytest.mark.parametrize("given", [
    [n > Rational(1133, 3), n**2 >= 4], [n >= Rational(7, 2), n**2 - 21 * n + Max(25, n) >= -200],
])  # fmt: skip
def test_a_fraction_as_end_of_whole_numbers_leaves_some(given):
    """It was said that no n at all meets n^2 >= 4."""
    assert asked(*given).sense == "any"


@pytest.mark.parametrize("given", [v * cos(v) >= 1000, v - floor(v) >= Rational(1, 2)])
def test_the_ends_of_a_real_number_that_comes_and_goes_are_told_only_where_all_is_known(given):
    """Of t cos t >= 1000 it was said that t is at least 1023.9, though 1005.3 will do."""
    claim = Claim(PLACE, Holds(n <= 1), given=[given],
                  parameters={n: Integer(1, searched=9), v: Real(0, None)})  # fmt: skip
    with pytest.raises(InvalidArgument, match="comes and goes"):
        require(claim, v, sense="greatest")
    if given.has(cos):
        with pytest.raises(InvalidArgument, match="may not be the least"):
            require(claim, v)


@pytest.mark.parametrize("given", [
    n * floor(n / 100) - n**2 / 100 >= -1, n - 1000 * floor(n / 1000) <= 5,
])  # fmt: skip
def test_some_periods_beyond_the_last_value_are_looked_at(given):
    """The last one was said to be 10, or 5, where 100 and 1000 will do."""
    with pytest.raises(InvalidArgument, match="comes and goes"):
        asked(given, sense="greatest")


def test_single_whole_numbers_beyond_a_change_are_met():
    found = asked((n - 777) ** 2 * (n - 513) ** 2 <= 0)
    assert (found.sense, found.answer, found.intervals[-1]) == ("least", 513, (777, 777))
    found = asked((n - 777) ** 2 * (n - 513) ** 2 * log(n + 1) <= 0)
    assert found.answer == 513 and found.intervals == ((513, 513), (777, 777))


@pytest.mark.parametrize("given", [
    [n - 60 * floor(n / 60) >= 1, n >= 61], [(-1) ** n <= 0, sqrt(log(n) / n) <= Rational(3, 100)],
])  # fmt: skip
def test_no_interval_that_is_told_holds_a_value_that_will_not_do(given):
    """Beside 61 to 119 all from 181 on were told, and of odd numbers all from 10263 on."""
    found = asked(*given)
    assert found.endless and "and others" in str(found)
    for low, high in found.intervals:
        inside = range(int(low), int(high) + 1)
        assert len(inside) <= 60
        assert all(condition.subs(n, value) for condition in given for value in inside)


@pytest.mark.parametrize("given", [
    [sqrt(v) <= 5, 1 / v <= -1], [log(v) <= 5, v**3 <= 0], [log(v) <= -1, 1 / v <= -1],
])  # fmt: skip
def test_zero_at_which_a_condition_has_no_value_is_no_common_value(given):
    """Each holds next to zero, on either side of it: of any v it was said that it will do."""
    claim = Claim(PLACE, Holds(n <= 1), given=given,
                  parameters={n: Integer(1, searched=9), v: Real(None, None)})  # fmt: skip
    with pytest.raises(InvalidArgument, match=r"cannot be met together|contradict|needs v"):
        require(claim, v)


@pytest.mark.parametrize("given", [
    [n - 8000 * floor(n / 8000) <= 2], [n**2 * (n - 5000 * floor(n / 5000) - 2) <= 0],
])  # fmt: skip
def test_of_periods_that_are_not_asked_whole_no_last_value_is_told(given):
    """The greatest was said to be 2, where 8000 will do."""
    with pytest.raises(InvalidArgument, match="comes and goes"):
        asked(*given, sense="greatest")


@pytest.mark.parametrize(("given", "least", "last"), [
    ([n - 10000 * floor(n / 10000) >= 100], 100, 9999),
    ([n - 5000 * floor(n / 5000) >= 1, n**2 >= 10001**2], 10001, 14999),
])  # fmt: skip
def test_how_far_was_asked_is_no_end(given, least, last):
    """They were said to hold up to 4,096, or 14,096."""
    found = asked(*given)
    assert (found.answer, found.other_end, found.endless) == (least, None, True)
    assert "and others" in str(found) and found.intervals[0][1] <= last


@pytest.mark.parametrize(("given", "intervals"), [
    ((n - 5000) * (tanh((n - 107) / 2) ** 2 - Rational(1, 2)) >= 0, ((106, 108), (5000, None))),
    (Or(tanh((n - 107) / 2) ** 2 <= Rational(1, 2), n >= 5000), ((106, 108), (5000, None))),
    (erf(n - 307) ** 2 <= Rational(1, 10), ((307, 307),)),
    ((n - 900) * (sinh(n - 300) ** 2 - 4) * factorial(n) >= 0, ((299, 301), (900, None))),
])  # fmt: skip
def test_what_lies_between_is_known_of_functions_that_rise(given, intervals):
    """The first was said to be 5000: nothing told of the values between those that were asked."""
    assert asked(given).intervals == intervals


def test_enclosures_of_functions_hold_their_values():
    rng = random.Random(7)
    for kind in (tanh, erf, atan, sinh, asinh, cosh, sin, cos, gamma, loggamma, factorial):
        for _ in range(60):
            ends_of = sorted(rng.uniform(-9, 9) for _ in range(2))
            if kind in (gamma, loggamma, factorial):
                ends_of = [abs(end) + 1 / 10 for end in ends_of]  # they fall below 1.46 or 0.46
            low, high = ends(enclosure(kind(n), {"n": iv.mpf([min(ends_of), max(ends_of)])}))
            for at in (*ends_of, rng.uniform(*ends_of)):
                value = arb(at)
                named = {gamma: "gamma", loggamma: "lgamma", factorial: "fac"}.get(kind)
                found = getattr(value, named or kind.__name__)()
                assert float(low) <= float(found) + 1e-9 * abs(float(found))
                assert float(found) <= float(high) + 1e-9 * abs(float(found))
