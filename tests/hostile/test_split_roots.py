"""SymPy splits a root before anything is checked: sqrt(x^2 y) is |x| sqrt(y) once it is made.

At x = 0, y = -1 the printed root is that of zero, and the product that is left has no value.
"""

import pytest
from flint import fmpq
from sympy import Abs, Eq, Max, Rational, sqrt

from boundcheck import Claim, Holds, Source, verify
from boundcheck.checker.judge import has_no_value, is_false
from boundcheck.expressions import mean, norm, parameter, world
from boundcheck.settings.scalar_laws import K, k, p
from boundcheck.worlds import Integer, Real, Vector

SOURCE = Source("A", 2024, "E")
x, y = (parameter(name, Real(None, None)) for name in "xy")
d = world("d", Integer(1, searched=3))
v = world("v", Vector(d))
xs = world("xs", Vector(K))


def _claim(relation, *given):
    return Claim(SOURCE.at("1"), Holds(relation), given=list(given))


UNDER = [x**2 * y, norm(v) ** 2 * y, Abs(x) * y, 4 * x**2 * y]
HOLDING = [
    *[_claim(sqrt(under) >= 0, under >= 0) for under in UNDER],
    _claim(sqrt(x**2 * y) <= Abs(x) * (1 + Abs(y)), x**2 * y >= 0),
    _claim((x**2 * y) ** Rational(1, 4) <= 1 + Abs(x) * (1 + Abs(y)), x**2 * y >= 0),
    _claim(mean(sqrt(xs[k] ** 2 * y), k, p) >= 0, mean(xs[k] ** 2, k, p) * y >= 0),
    _claim((x**2 * y) ** Rational(3, 2) >= 0, x**2 * y >= 0),  # |x|^3 y^(3/2)
    _claim(sqrt(x * y**2) * x >= 0, x * y**2 >= 0),  # x^(3/2) |y|
    _claim(sqrt(x**2 * y) * Abs(x) ** Rational(1, 3) >= 0, x**2 * y >= 0),
]


@pytest.mark.parametrize("claim", HOLDING, ids=lambda claim: str(claim.statement.relation))
def test_a_root_of_zero_that_sympy_split_is_no_defect_of_the_print(claim):
    assert verify("a/b:c", claim, budget="brief").outcome == "supported"


def test_neither_the_statement_nor_its_lack_of_a_value_is_confirmed_there():
    claim = _claim(sqrt(x**2 * y) >= 1)
    for number in (-1, fmpq(-1, 2)):
        values = {"x": 0, "y": number}
        assert not has_no_value(claim, values)
        assert not is_false(claim, values)


@pytest.mark.parametrize(("statement", "values"), [
    ((x**4 * y) ** Rational(3, 2) * x, {"x": 0, "y": -1}),
    (x + Abs((x**2 * y**3) ** Rational(1, 4)), {"x": 0, "y": -2}),  # the root stands in a modulus
    ((x**2 * y) ** Rational(1, 3) * sqrt(x**2 * y), {"x": 0, "y": -1}),
], ids=str)  # fmt: skip
def test_what_came_out_of_a_root_may_have_any_exponent(statement, values):
    assert not has_no_value(_claim(statement >= -7), values)


@pytest.mark.parametrize(
    ("relation", "values"),
    [
        (sqrt(x**2 * y) >= 0, {"x": 1, "y": -1}),
        (1 / sqrt(x**2 * y) >= 0, {"x": 0, "y": -1}),  # by zero in both prints
        (x + sqrt(y) >= 0, {"x": 0, "y": -1}),
        (x * sqrt(y) >= 0, {"x": 0, "y": -1}),  # x of either sign comes out of no root
    ],
    ids=str,
)
def test_what_has_no_value_in_either_print_is_still_said_to_have_none(relation, values):
    assert has_no_value(_claim(relation), values)


def test_no_proof_rests_on_the_print_in_which_it_has_a_value():
    for given in ([Eq(x, 0)], [Eq(x, 0), y <= -1]):
        claim = _claim(sqrt(x**2 * y) <= 1, *given)
        assert verify("a/b:c", claim, budget="brief").outcome in ("supported", "undecided")


def test_zero_excuses_no_root_with_which_it_has_no_common_root():
    """SymPy draws |x|^q out of (|x| y)^q: with another exponent |x| was printed apart."""
    apart, common = Abs(x) * y ** Max(y, Rational(1, 2)), Abs(x) * sqrt(y)
    for product, excused in ((apart, False), (common, True)):
        assert has_no_value(_claim(product >= 0), {"x": 0, "y": -1}) is not excused
