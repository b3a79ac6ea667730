"""Distances of expression trees: what a slip of the pen leaves out is one step away."""

import pytest
from sympy import Function, exp, symbols

from boundcheck.diagnosis.apart import AROUND, apart, differences

x, y, z = symbols("x y z", positive=True)
mean = Function("mean")
FORMULA = exp(-(x**2) * y / (1 + z)) * (y + z) ** 3


@pytest.mark.parametrize(
    ("first", "second", "wanted"),
    [
        (x, x, 0),
        (x * y, x, 1),  # a factor left out
        (x + y, x, 1),  # a term
        (x**3, x, 1),  # a power
        (x, 1 / x, 1),
        (x + 2 * y, x + 3 * y, 1),
        (x * y + x, z * y + z, 1),  # the same change at two places
        (FORMULA, mean(FORMULA), AROUND),
    ],
)
def test_one_step(first, second, wanted):
    assert apart(first, second) == apart(second, first) == wanted


def test_other_formulas_are_far():
    assert apart(FORMULA, mean(x + y) * exp(z) + z**2) > 2 * AROUND


def test_differences_are_pairs_of_parts():
    assert differences(x + y, x + z) == {(y, z)}
    assert differences(x * y, x) == {(y, None)}
