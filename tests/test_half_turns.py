"""Sines, cosines and tangents of multiples of pi against SymPy's and against balls."""

import pytest
import sympy
from flint import arb, fmpq

from boundcheck import Claim, Holds, Source, exact, verify
from boundcheck.errors import Undefined
from boundcheck.expressions import parameter
from boundcheck.worlds import Integer, Real

x = sympy.Symbol("x", real=True)
FUNCTIONS = [sympy.sin, sympy.cos, sympy.tan]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_those_of_rational_numbers_are_the_numbers_that_sympy_has(function):
    rule = exact.compiled(function(sympy.pi * x))
    for denominator in (1, 2, 3, 4, 5, 6, 8, 12):
        for numerator in range(-30, 31):
            at = fmpq(numerator, denominator)
            known = function(sympy.pi * sympy.Rational(numerator, denominator))
            if known is sympy.zoo:
                with pytest.raises(Undefined):
                    rule({"x": at}.__getitem__)
                continue
            value = rule({"x": at}.__getitem__)
            assert exact.is_exact(value) == known.is_Rational
            assert exact.to_ball(value).overlaps(exact.to_ball(exact.compiled(known)({}.get)))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_those_of_balls_enclose_the_value(function):
    found = exact.compiled(function(sympy.pi * sympy.sqrt(x)))({"x": fmpq(3)}.__getitem__)
    plain = getattr(arb.pi() * arb(3).sqrt(), function.__name__)()
    assert not exact.is_exact(found) and found.overlaps(plain) and found.rad() < 1e-9


def test_long_numbers_lose_their_whole_turns():
    rule = exact.compiled(sympy.cos(sympy.pi * x / 3))
    assert rule({"x": 6 * 10**3000 + 1}.__getitem__) == fmpq(1, 2)
    assert rule({"x": fmpq(10**40 * 21 + 3, 7)}.__getitem__).overlaps((arb.pi() / 7).cos())


def test_statements_at_the_bound_are_decided():
    n = parameter("n", Integer(1, searched=9))
    t = parameter("t", Real(0, 1))
    place = Source("Nobody", 2000, "Turns").at("1")
    for relation, outcome in (
        (sympy.cos(sympy.pi * n / 3) >= -1, "supported"),
        (sympy.Ne(sympy.cos(sympy.pi * n / 3), sympy.Rational(1, 2)), "refuted"),
        (sympy.sin(sympy.pi * t) >= 2 * t * (1 - t), "supported"),
        (sympy.sin(sympy.pi * t) <= 2 * sympy.Min(t, 1 - t), "refuted"),
    ):
        found = verify("a/b:c", Claim(place, Holds(relation)))
        assert found.outcome in (outcome, "proved" if outcome == "supported" else outcome)
