"""Quotients of whole numbers are fractions: floats near them refute nothing and prove nothing."""

import pytest
from flint import arb, fmpq
from sympy import Eq

from boundcheck import Claim, Holds, Source
from boundcheck.arithmetic import is_exact, to_ball
from boundcheck.engine import verify
from boundcheck.expressions import parameter, primitive
from boundcheck.quantities.losses import (
    NAMES,
    inverse_link,
    loss_slope,
    loss_value,
    minimal_risk,
    minimal_risk_slope,
)
from boundcheck.quantities.sgd import mixing_weight
from boundcheck.wholes import Whole, handed
from boundcheck.worlds import Integer

PLACE = Source("A", 2024, "Example").at("1")
n, m = (parameter(name, Integer(1, searched=9)) for name in "nm")


@pytest.mark.parametrize("relation", [
    loss_value("hinge", 1, m, -n) <= 1 + n / m, loss_value("hinge", 1, m, -n) >= 1 + n / m,
    Eq(m * loss_value("absolute", 1, m, -n), m + n), loss_value("logistic", 1, m, n) <= n,
])  # fmt: skip
def test_a_loss_of_whole_numbers_is_exact(relation):
    found = verify("hostile/whole", Claim(PLACE, Holds(relation)), controls=False)
    assert str(found).startswith("hostile/whole: SUPPORTED")


@pytest.mark.parametrize("name", NAMES)
def test_whole_numbers_and_fractions_have_the_same_losses(name):
    for made in (loss_value, loss_slope):
        whole, ratio = made(name, 1, 3, -7), made(name, fmpq(1), fmpq(3), fmpq(-7))
        assert not abs(arb(whole) - ratio) > 0 and isinstance(whole, arb) == isinstance(ratio, arb)
    if name != "absolute":
        assert minimal_risk(name, 1, 1, 0) == 0


def test_quotients_inside_of_whole_numbers_are_fractions():
    assert inverse_link("modified huber", 1, 3, 1) == fmpq(2, 3)
    assert mixing_weight(1, 2) == fmpq(3, 5)
    assert minimal_risk_slope("logistic", 1, 1, fmpq(1, 2)) == 0


def test_a_float_is_no_value():
    with pytest.raises(TypeError, match="divide fmpq"):
        to_ball(1 / 3)


def root_of(n, m):
    return arb(n / m).sqrt()


def root_of_two(n):
    return arb(2) ** (1 / n) * 2**-n * 2**n


@pytest.mark.parametrize("relation", [
    m * primitive()(root_of)(n, m) ** 2 <= n, m * primitive()(root_of)(n, m) ** 2 >= n,
    primitive()(root_of_two)(n) ** n <= 2, primitive()(root_of_two)(n) ** n >= 2,
])  # fmt: skip
def test_code_that_divides_whole_numbers_inside_of_a_ball_is_read_exactly(relation):
    found = verify("hostile/whole", Claim(PLACE, Holds(relation)), controls=False)
    assert str(found).startswith("hostile/whole: UNDECIDED"), "a tie that balls straddle"


def test_what_is_computed_of_a_whole_number_divides_exactly():
    one, two, entries = handed((1, 2, (3, 4)))
    assert entries[0] / 2 == fmpq(3, 2) and is_exact(one) and not isinstance(True, Whole)
    for made, wanted in (
        ((one + 1) / 3, fmpq(2, 3)), ((5 - two) / 2, fmpq(3, 2)), (-one / 2, fmpq(-1, 2)),
        (2 * two / 3, fmpq(4, 3)), (two**3 / 3, fmpq(8, 3)), (2**two / 3, fmpq(4, 3)),
        (two**-1, fmpq(1, 2)), (2 ** (-one), fmpq(1, 2)), (abs(-one) / 2, fmpq(1, 2)),
        (7 // two / 2, fmpq(3, 2)), (sum([one, two]) / 2, fmpq(3, 2)), (1 / two, fmpq(1, 2)),
    ):  # fmt: skip
        assert made == wanted and type(made) is fmpq
    with pytest.raises(ZeroDivisionError):
        one / 0
