"""Whole numbers looked at in floats one after the other: what fails at few of many."""

import numpy
import pytest
from flint import fmpq
from sympy import Abs, Eq, Max, Rational, cos, floor, sin, sqrt

from boundcheck import Claim, Holds, Source, verify
from boundcheck.expressions import index, parameter, total
from boundcheck.search.scanning import IN_A_ROW, worst
from boundcheck.worlds import Integer, Real

PLACE = Source("Nobody", 2000, "Scans").at("1")
n, m = parameter("n", Integer(1, searched=9)), parameter("m", Integer(1, searched=9))
x = parameter("x", Real(0, 1))


def claimed(relation, **kept):
    return Claim(PLACE, Holds(relation), **kept)


@pytest.mark.parametrize(("relation", "least"), [
    (sin(n) <= Rational(99999, 100000), 366),
    (n - 1009 * floor(n / 1009) <= 1007, 1008),
    (floor(sqrt(n)) ** 2 + 2 * floor(sqrt(n)) - n >= Rational(1, 2) - (n - 9998) ** 2 / 4, 9999),
    (Eq(Max(floor(sin(n) + Rational(1, 100000)), 0), 0), 366),
])  # fmt: skip
def test_what_fails_at_one_number_in_a_thousand_is_refuted_there(relation, least):
    found = verify("a/b:c", claimed(relation))
    assert found.outcome == "refuted" and int(found.witness.values["n"]) == least


def test_two_numbers_are_looked_at_together():
    found = verify("a/b:c", claimed(Abs(n - 200 * m - 77) >= Rational(1, 2)))
    assert found.outcome == "refuted" and found.witness.values["n"] == "277"
    places = worst(claimed(Abs(n - m * sqrt(3)) * m >= Rational(27, 100)), {}, ("n", "m"))
    assert places[0] == {"n": 2, "m": 1}


@pytest.mark.parametrize("relation", [
    sin(n) <= 1, n - 1009 * floor(n / 1009) <= 1008, Abs(n**2 - 2 * m**2) >= 1,
])  # fmt: skip
def test_what_holds_at_every_number_stands(relation):
    assert verify("a/b:c", claimed(relation)).outcome in ("supported", "proved")


def test_the_least_that_fail_come_first_and_hypotheses_are_kept():
    claim = claimed(cos(n) <= Rational(9, 10), given=[n >= 100])
    found = [place["n"] for place in worst(claim, {}, ("n",))]
    numbers = numpy.arange(100, IN_A_ROW)
    assert found == list(numbers[numpy.cos(numbers) > 0.9][: len(found)]) and len(found) > 3


def test_worlds_with_many_numbers_and_sums_of_that_length_are_left_alone():
    summed = total(x / n, index("i", n))
    assert worst(claimed(summed <= 2), {"x": fmpq(1, 2)}, ("n",)) == []
    assert worst(claimed(x * n <= n), {"x": (fmpq(1),) * 64}, ("n",)) == []
