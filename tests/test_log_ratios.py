"""Quotients of logarithms are exact where they are rational, and balls elsewhere."""

import pytest
import sympy
from flint import arb, fmpq
from sympy import ceiling, floor, log

from boundcheck import Claim, Holds, Source
from boundcheck.engine import verify
from boundcheck.errors import Undefined
from boundcheck.exact import compiled
from boundcheck.expressions import parameter
from boundcheck.log_ratios import ratio_of_logarithms
from boundcheck.worlds import Integer

PLACE = Source("Test", 2026, "Logarithms").at("here")
n = parameter("n", Integer(2, searched=100))


@pytest.mark.parametrize(("over", "under", "ratio"), [
    (2**300, 8, fmpq(100)), (fmpq(4, 9), fmpq(27, 8), fmpq(-2, 3)), (5, 25, fmpq(1, 2)),
])  # fmt: skip
def test_powers_of_one_number_have_rational_quotients(over, under, ratio):
    assert ratio_of_logarithms(over, under) == ratio


@pytest.mark.parametrize(("over", "under"), [(6, 2), (2**300 + 1, 2), (fmpq(4, 3), 2), (10, 7)])
def test_other_quotients_are_balls(over, under):
    assert isinstance(ratio_of_logarithms(over, under), arb)


def test_ends_are_as_before():
    assert ratio_of_logarithms(1, 2) == 0
    for under in (1, 0, -2):
        with pytest.raises(Undefined):
            ratio_of_logarithms(3, under)


def test_a_quotient_beside_other_factors():
    x, y = sympy.symbols("x y", positive=True)
    value = compiled(3 * y * log(x) / log(2))
    assert value({"x": 8, "y": fmpq(1, 9)}.__getitem__) == 1
    assert compiled(log(x) * log(y) / log(2))({"x": 8, "y": 1}.__getitem__) == 0


@pytest.mark.parametrize(("relation", "outcome"), [
    (log(n, 2) > floor(log(n, 2)), "refuted"), (ceiling(log(n, 2)) > floor(log(n, 2)), "refuted"),
    (2 ** ceiling(log(n, 2)) < 2 * n, "proved"),
], ids=str)  # fmt: skip
def test_powers_of_two_are_worlds_that_are_decided(relation, outcome):
    claim = Claim(PLACE, Holds(relation))
    assert verify("a/b:c", claim).outcome == outcome
