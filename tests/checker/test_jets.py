"""Germs of sums whose leading terms cancel: Taylor's formula encloses, and says the true order."""

import pytest
import sympy
from flint import arb, fmpq
from sympy import Abs, Max, Min, cos, cosh, exp, log, sin, sinh, sqrt, tanh

from boundcheck import Claim, Source, UpToConstant
from boundcheck.arithmetic import precision, to_ball
from boundcheck.checker import germs
from boundcheck.checker.along import Along
from boundcheck.checker.germs import NoGerm, constant, of_terms
from boundcheck.checker.growing import law
from boundcheck.checker.judge import Place
from boundcheck.checker.ray import Ray
from boundcheck.expressions import parameter
from boundcheck.worlds import Real

PLACE = Source("A", 2024, "Example").at("1")
u, v, big = (parameter(name, Real(0, None, open_low=True)) for name in ("u", "v", "big"))
START = {"u": fmpq(1, 3), "v": fmpq(1, 5), "big": fmpq(7)}
POWERS = {"u": fmpq(-1), "v": fmpq(-1, 2), "big": fmpq(1)}
half = sympy.Rational(1, 2)


def order_of(number):
    found = sympy.Rational(number)
    return fmpq(int(found.p), int(found.q)), fmpq(0)


ORDERS = [
    (u - log(1 + u), -2), (log(1 + u) - u + u**2 / 2, -3), (exp(u) - 1 - u, -2),
    (exp(-u) - 1 + u - u**2 / 2, -3), (1 - sqrt(1 - u) - u / 2, -2), (u - tanh(u), -3),
    (1 / (1 + u) - 1 + u, -2), (1 / (1 - u) - 1 / (1 + u) - 2 * u, -3),
    (sqrt(9 * big**2 + big) - 3 * big, 0), (log((big + 1) / big), -1),
    (u - sin(u), -3), (1 - cos(v), -1), (cosh(u) - 1, -2), (sinh(v) - v, -half * 3), (cos(big), 0),
    (sin(v * u) - u * v, -half * 9),
    (-u * log(u) - u * log(1 + big), -1), (2 * log(big) + log(u**2), 0),
    (sqrt(big + 1) - sqrt(big), -half), (log(big + 1) - log(big), -1),
    (log(2 + v) - log(2), -half), (sqrt(2 + u) - sqrt(2), -1),
    ((half + u) * log(half + u) + (half - u) * log(half - u) + log(2), -2),
    ((big + 1) * log(big + 1) - big * log(big) - log(big), 0),
    ((big + 2) ** (half / 2) - 2 * (big + 1) ** (half / 2) + big ** (half / 2), -half * 7 / 2),
    (1 / big - log(1 + 1 / big), -2), ((exp(u) + exp(-u)) / 2 - 1, -2),
    ((half + u) * log(1 + 2 * u) + (half - u) * log(1 - 2 * u), -2),
    (sqrt(1 + v) - sqrt(1 + v - u), -1), ((1 + v) ** -3 - 1 + 3 * v, -1),
    (tanh(v) - v + v**3 / 3, -half * 5), (log(1 + v * u) - v * u, -3),
    (exp(u) * (1 - u + u**2 / 2) - 1, -3), (Abs(u - sqrt(u**2 + u**3)), -2),
    (Max(1, 1 + u) - 1 - u, -1), (log(1 + u) + log(1 - u), -2),
    (big - 1 / (1 / big + 1 / big**2), 0),
    (exp(v) - 1 - v - v**2 / 2, -half * 3), (log((2 + v) / 2) - v / 2, -1),
    (sympy.E - (1 + 1 / big) ** big, -1), (exp(1 + u) - exp(1 - u) - 2 * sympy.E * u, -3),
    ((1 + u) ** (1 / u) - exp(1 - u / 2), -2),
    (2 * exp(2 + v) - exp(2 + 2 * v) - exp(2), -1),
    (1 - Max(1 - u, u), -1), (1 - Max(1 - 2 * u, 2 * u), -1), (Min(1 + 2 * u, 1 + u) - 1, -1),
    (Max(exp(u), 1) - 1 - u, -2), (Max(u, v, big) - Max(big - u, v), -1),
    (tanh(u) ** 2 - u**2, -4), (((1 + u) ** half - 1) ** 2 - u**2 / 4, -3),
]  # fmt: skip
UNSURE = [Max(1, 1 + u) - 1 - u, cos(big)]


def along(relation):
    return Along(Claim(PLACE, UpToConstant(relation)), Ray(START, POWERS, {}))


@pytest.mark.parametrize(("expr", "order"), ORDERS)
def test_what_cancels_has_its_order_and_lies_in_its_germ(expr, order):
    with precision(640):
        place = along(expr <= u + v + big)
        germ = place.germ(expr)
        far = Ray(Ray(START, POWERS, {}).at(60), POWERS, {})
        later = Along(place.claim, far).germ(expr)
        assert later.scale == order_of(order) or expr in UNSURE
        for octaves in (0, 2, 8, 40):
            value = to_ball(Place(place.claim, Ray(START, POWERS, {}).at(octaves)).value(expr))
            t = arb(2) ** octaves
            assert (germ.ball * t ** arb(germ.power)).overlaps(value)
            if germ.terms is not None:
                exact = sum((arb(c) * t ** arb(p) for p, c in germ.terms.items()), arb(0))
                assert exact.overlaps(value)
            if germ.jet is not None:
                terms, (ball, power) = germ.jet
                told = sum((arb(c) * t ** arb(p) for p, c in terms.items()), ball * t ** arb(power))
                assert told.overlaps(value) and min(terms) > power


@pytest.mark.parametrize(("expr", "order"), ORDERS)
def test_what_cancels_keeps_its_sign_far_out(expr, order):
    far = Ray(START, POWERS, {}).at(60)
    place = along(expr <= u + v + big)
    with precision(640):
        germ = Along(place.claim, Ray(far, POWERS, {})).germ(expr)
        assert expr in UNSURE or not germ.ball.contains(0)


@pytest.mark.parametrize(
    ("left", "false", "true"),
    [(u - log(1 + u), u**3, u**2), (exp(u) - 1 - u, u**3, u**2), (u - tanh(u), u**4, u**3)],
)
def test_a_bound_of_higher_order_is_outgrown_and_one_of_the_same_is_not(left, false, true):
    ray = Ray({"u": fmpq(1, 3)}, {"u": fmpq(-1)}, {})
    told = [law(Claim(PLACE, UpToConstant(left <= right)), ray) for right in (false, true)]
    assert told == ["left / right grows at least as t", ""]


def test_a_sum_of_many_powers_is_a_sum_of_some_and_a_rest():
    many = of_terms({fmpq(-k): fmpq(k + 1) for k in range(20)})
    other = of_terms({fmpq(-k, 7): fmpq(-1) ** k for k in range(20)})
    with precision(640):
        found = germs.multiplied(many, other)
        assert found.jet is not None and len(found.jet[0]) <= germs.MOST_TERMS
        for t in (fmpq(1), fmpq(2), fmpq(5), fmpq(1000)):
            value = arb(1)
            for germ in (many, other):
                value *= sum((arb(c) * arb(t) ** arb(p) for p, c in germ.terms.items()), arb(0))
            terms, (ball, power) = found.jet
            told = sum((arb(c) * arb(t) ** arb(p) for p, c in terms.items()), arb(0))
            assert (told + ball * arb(t) ** arb(power)).overlaps(value)


def test_no_series_begins_where_the_argument_does_not_vanish():
    with pytest.raises(NoGerm):
        germs.near(constant(fmpq(1, 3)), lambda k: fmpq(1), lambda ball: ball)
    with pytest.raises(NoGerm):
        germs.logarithm(of_terms({fmpq(0): fmpq(1), fmpq(-1): fmpq(-1)}))  # log 0 at t = 1
