"""Extreme values over boxes against calculus, and what exists against lists."""

import numpy
import pytest
import sympy
from flint import arb, fmpq

from boundcheck import Claim, Holds, Source, exact
from boundcheck.arithmetic import is_exact
from boundcheck.checks.base import BUDGETS, Task
from boundcheck.errors import MalformedStatement, Undecided, Undefined
from boundcheck.exact import precision
from boundcheck.expressions import (
    climbing,
    exists,
    index,
    indicator,
    infimum,
    parameter,
    probability,
    supremum,
    total,
    variable,
    world,
)
from boundcheck.expressions.batch import compiled
from boundcheck.expressions.climbing import MOST_IN_ALL, slope
from boundcheck.worlds import Choice, Integer, Real, Vector

x, y, z = variable("x"), variable("y"), variable("z")
size_symbol = parameter("size", Real(0, None))
n = world("n", Integer(1, searched=3))
v = world("v", Vector(n))
i = index("i", n)
D = parameter("D", Real(0, None, open_low=True))
theta = parameter("theta", Real(0, 1))
WORLD = {"n": 3, "v": (fmpq(-1), fmpq(1, 2), fmpq(2)), "D": fmpq(3)}

# Extreme values by hand: roots of derivatives, ends of intervals, corners.
BY_HAND = {
    "inside": (supremum(x * (1 - x), (x, 0, 1)), sympy.Rational(1, 4)),
    "end": (supremum(x**2 - x, (x, 0, D)), 6),
    "transcendental": (supremum(x * sympy.exp(-x), (x, 0, D)), sympy.exp(-1)),
    "two peaks": (supremum(sympy.sin(3 * x) + x, (x, 0, 2)), 2 + sympy.sin(6)),
    "kink": (supremum(-sympy.Abs(x - sympy.sqrt(2)), (x, 0, 2)), 0),
    "saddle": (infimum(x * y, (x, -1, 2), (y, -1, D)), -3),
    "bowl": (infimum(x**2 + y**2 - x * y + x, (x, -1, 1), (y, -1, 1)), -sympy.Rational(1, 3)),
    "sum": (infimum(total((x - v[i]) ** 2, i), (x, -2, 2)), sympy.Rational(9, 2)),
    "irrational end": (supremum(x**3, (x, 0, sympy.sqrt(2))), 2 * sympy.sqrt(2)),
    "a point": (supremum(x + D, (x, 1, 1)), 4),
}


@pytest.mark.parametrize("name", BY_HAND)
@pytest.mark.parametrize("bits", [64, 192])
def test_the_ball_contains_the_value_and_is_narrow(name, bits):
    node, known = BY_HAND[name]
    with precision(256):
        target = exact.compiled(sympy.sympify(known))(WORLD.__getitem__)
    with precision(bits):
        found = arb(exact.compiled(node)(WORLD.__getitem__))
        assert found.overlaps(arb(target))
        # Twice the tolerance of the reading, of a value of order one.
        assert float(found.rad()) < 2 * 4.5 * 2.0**-24


@pytest.mark.parametrize("name", BY_HAND)
def test_floats_find_the_same_value(name):
    node, known = BY_HAND[name]
    batch = {"n": numpy.array([3, 3]), "v": numpy.array([[-1.0, 0.5, 2.0]] * 2),
             "D": numpy.array([3.0, 3.0])}  # fmt: skip
    # The last grid has a step of (1/4)^4 / 8 or less: a smooth peak is missed by its square.
    tol = 1e-3 if name in ("kink", "bowl") else 1e-4
    numpy.testing.assert_allclose(compiled(node)(batch.__getitem__), float(known), atol=tol)


def test_an_end_is_exact():
    assert exact.compiled(supremum(x**2, (x, 0, D)))(WORLD.__getitem__) == 9


T = sympy.Rational(1, 3)
# Largest and least values that are reached where slopes vanish, or at an end that is no dyadic.
CONTACT = {
    "inside": (supremum(D * x * (2 - 3 * x), (x, 0, 1)), 1),
    "cubic": (supremum(x**2 * (1 - x), (x, 0, 1)), sympy.Rational(4, 27)),
    "rational": (supremum(x / (1 + x**2), (x, 0, D)), sympy.Rational(1, 2)),
    "transcendental": (supremum(T + x - sympy.exp(x), (x, -1, 1)), -2 * T),
    "least": (infimum(x**2 - D * x / 7, (x, 0, 1)), -sympy.Rational(9, 196)),
    "box": (supremum(x * (1 - x) + y * (2 - 3 * y), (x, 0, 1), (y, 0, 1)), sympy.Rational(7, 12)),
    "end": (supremum(x / 3, (x, 0, 1)), T),
    "beside a lower peak": (supremum(-(x - T) ** 2 * (x + 2), (x, -3, 1)), sympy.Rational(100, 9)),
    "flat": (infimum((x + y - T) ** 2, (x, 0, 0), (y, 0, 1)), 0),
}


@pytest.mark.parametrize("name", CONTACT)
def test_what_is_reached_at_a_rational_point_is_exact(name):
    node, known = CONTACT[name]
    found = exact.compiled(node)(WORLD.__getitem__)
    number = sympy.sympify(known)
    assert is_exact(found) and found == fmpq(number.p, number.q)
    smaller, larger = (node, known) if "supremum" in str(node) else (known, node)
    assert exact.decide(sympy.Le(smaller, larger, evaluate=False), WORLD.__getitem__)
    assert not exact.decide(sympy.Lt(smaller, larger, evaluate=False), WORLD.__getitem__)


def test_what_is_reached_at_an_irrational_point_stays_a_ball():
    node = supremum(x * (1 - x**2), (x, 0, 1))
    found = exact.compiled(node)(WORLD.__getitem__)
    assert isinstance(found, arb) and found.overlaps(2 / (3 * arb(3).sqrt()))


def test_a_place_of_no_slope_that_is_no_peak_is_not_taken_for_one():
    # x^3 stands still at 0; x^2 has its least value there; a saddle of x y as well.
    assert exact.compiled(supremum(x**3, (x, -1, 1)))(WORLD.__getitem__) == 1
    assert exact.compiled(supremum(x**2, (x, -1, T)))(WORLD.__getitem__) == 1
    assert exact.compiled(supremum(x * y, (x, -1, 1), (y, -1, T)))(WORLD.__getitem__) == 1
    two = supremum(x**2 * (3 - x**2), (x, -1, D))  # stands still at 0, sqrt(3/2) between
    assert arb(exact.compiled(two)(WORLD.__getitem__)).overlaps(arb(9) / 4)


def test_nothing_is_concluded_where_nothing_bounds_the_body():
    with pytest.raises(Undefined, match="division by zero"):
        exact.compiled(supremum(1 / x, (x, 0, 1)))(WORLD.__getitem__)
    with pytest.raises(Undefined, match="turned around"):
        exact.compiled(supremum(x, (x, 1, 0)))(WORLD.__getitem__)


def test_a_jump_has_no_slope_and_what_lies_beside_it_is_not_guessed():
    assert slope(x + sympy.floor(3 * x), x) is None
    with pytest.raises(Undecided, match="no bound"):
        exact.compiled(supremum(x - sympy.floor(3 * x), (x, 0, 1)))(WORLD.__getitem__)


def test_slopes_go_through_sums_and_not_through_events():
    found = slope(total(v[i] * sympy.sin(x * v[i]), i), x)
    assert found == total(v[i] ** 2 * sympy.cos(x * v[i]), i)
    assert slope(x * supremum(x * y, (y, 0, 1)), x) is None


def value(relation):
    return exact.decide(relation, WORLD.__getitem__)


def test_what_exists_is_what_a_list_says():
    assert str(exists(theta**2 <= D, theta)) == "infimum(theta**2, (theta, 0, 1)) <= D"
    assert str(exists(D <= v[i], i)) == "D <= greatest(v[i], i)"
    assert value(exists(v[i] > 1, i)) and not value(exists(v[i] > 2, i))
    assert value(exists(sympy.Eq(v[i], 2, evaluate=False), i))
    assert value(exists(sympy.And(v[i] > 0, v[i] < 1), i))
    assert not value(exists(sympy.And(v[i] > 1, v[i] < 2), i))
    third = sympy.Rational(1, 3)
    assert value(exists((theta - third) ** 2 < sympy.Rational(1, 10**6), theta))
    assert value(exists(x**2 + 2 < D * x, (x, 0, 4)))
    assert not value(exists(x**2 + 3 < D * x, (x, 0, 4)))
    few = parameter("few", Integer(1, 3))
    assert value(exists(few**2 - 3 * few <= -2, few)) and not value(exists(few**2 <= 0, few))
    chosen = parameter("chosen", Choice((fmpq(1, 2), fmpq(5))))
    assert value(exists(chosen > D, chosen)) and not value(exists(2 * chosen < 1, chosen))


def test_choices_without_ends_are_named():
    for wrong in (D, parameter("m", Integer(1, searched=3)), (D, 0, 1), (x, 0)):
        with pytest.raises(MalformedStatement, match=r"D|m in exists|\(x, low, high\)"):
            exists(D <= 1, wrong)
    with pytest.raises(MalformedStatement, match="all strict or none"):
        exists(sympy.And(v[i] > 0, v[i] <= 1), i)


def test_variables_stay_inside():
    node = supremum(x * D, (x, 0, n))
    assert {s.name for s in node.free_symbols} == {"D", "n"}
    assert sympy.latex(node) == r"\left(\sup_{x \in [0, n]} D x\right)"
    event = supremum(probability(v[0] <= x, parameter_draw()), (x, 0, 1))
    assert "x" not in {s.name for s in event.free_symbols}


def parameter_draw():
    from boundcheck.expressions import outcome
    from boundcheck.worlds import Signs

    return outcome("xi", Signs("xi", n))


def test_what_exists_is_reached():
    """Neither an end that is left out nor the top of a jump is a choice."""
    half = parameter("half", Real(0, 1, open_low=True))
    upper = parameter("upper", Real(0, 1, open_high=True))
    jumps = [sympy.Piecewise((x, x < 1), (0, True)), x * indicator(x < 1), x - sympy.floor(x)]
    for wrong, choice in [(half <= 0 * D, half), (D <= upper, upper),
                          (half * indicator(half > 0) < D, half),
                          *[(jump >= D, (x, 0, 1)) for jump in jumps]]:  # fmt: skip
        with pytest.raises(MalformedStatement, match=r"leaves out an end|which jumps"):
            exists(wrong, choice)
    assert value(exists(half < D, half))
    assert str(exists(jumps[1] > D, (x, 0, 1))) == "D < supremum(x*indicator(x < 1), (x, 0, 1))"


@pytest.mark.parametrize("octaves", [30, 200, 1100, 9000])
def test_a_slope_beyond_floats_is_no_error(octaves):
    size = fmpq(2) ** octaves
    whole = supremum(size_symbol * x - x**2, (x, 0, 10**9))
    with precision(256):
        found = exact.value_of(whole, {"size": size}.__getitem__)
    highest = min(size / 2, fmpq(10**9))
    assert exact.to_ball(found).overlaps(arb(size * highest - highest**2))


NESTED = {
    "a square": (supremum(infimum((x - y) ** 2, (y, -1, 1)), (x, -1, 1)), 0),
    "a square, turned": (infimum(supremum((x - y) ** 2, (y, -1, 1)), (x, -1, 1)), 1),
    "a saddle": (supremum(infimum(x * y + x, (y, -1, 1)), (x, -1, 1)), 0),
    "three": (supremum(infimum(supremum((x - y) ** 2 - z, (z, 0, 1)), (y, 0, 1)), (x, 0, 2)), 1),
}


@pytest.mark.parametrize("name", NESTED)
def test_extreme_values_inside_others_end(name, monkeypatch):
    """All of them together may be cut into so many parts; less is known then, and nothing false."""
    node, known = NESTED[name]
    parts = []
    push = climbing._push

    def counted(*given):
        parts.append(given)
        assert len(parts) < 20 * MOST_IN_ALL, "there is no end of parts"
        return push(*given)

    monkeypatch.setattr(climbing, "_push", counted)
    with precision(192):
        found = arb(exact.compiled(node)(WORLD.__getitem__))
    assert found.overlaps(arb(known)) and found.rad() < 2
    assert not climbing.LEFT
    rough = compiled(node)({}.__getitem__)
    assert abs(float(rough) - known) < 1


def test_a_claim_on_nested_extreme_values_is_asked_in_fewer_worlds():
    place = Source("A", 2026, "Nested").at("1")
    tasks = [Task("", Claim(place, Holds(node <= theta + 9)), BUDGETS["quick"])
             for node in (NESTED["a saddle"][0], BY_HAND["inside"][0])]  # fmt: skip
    nested, plain = (task.evaluations for task in tasks)
    assert 20 * nested < plain
