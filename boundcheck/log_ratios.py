"""Quotients of logarithms that are rational: log 8 over log 2 is 3, which no ball tells from 3."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import sympy
from flint import fmpq

from boundcheck.arithmetic import Value, is_exact, logarithm, multiply, reciprocal, to_ball

DENOMINATOR = 64  # of an exponent that is looked for, at most
BITS = 100_000  # of the powers that are compared, at most


Lookup = Callable[[str], Value]
Rule = Callable[[Lookup], Value]


def factors(expr: sympy.Mul, compiled: Callable[[sympy.Basic], Rule]) -> list[Rule]:
    """The factors of a product as rules, a logarithm and the inverse of one together."""
    left, found = [*expr.args], list[Rule]()
    over = next((arg for arg in left if isinstance(arg, sympy.log)), None)
    under = next((arg for arg in left if isinstance(arg, sympy.Pow) and arg.exp == -1
                  and isinstance(arg.base, sympy.log)), None)  # fmt: skip
    if over is not None and under is not None:
        one, two = compiled(over.args[0]), compiled(under.base.args[0])
        found = [lambda look: ratio_of_logarithms(one(look), two(look))]
        left = [arg for arg in left if arg not in (over, under)]
    return [*found, *map(compiled, left)]


def ratio_of_logarithms(over: Value, under: Value) -> Value:
    """log(over) / log(under), exact where both are powers of one rational number.

    >>> ratio_of_logarithms(8, 2), ratio_of_logarithms(fmpq(1, 8), 4)
    (3, -3/2)
    """
    if is_exact(over) and is_exact(under) and over > 0 and under > 0 and 1 not in (over, under):
        found = _exponent(fmpq(over), fmpq(under))
        if found is not None:
            return found
    return multiply(logarithm(over), reciprocal(logarithm(under)))


def _exponent(over: fmpq, under: fmpq) -> fmpq | None:
    """The small fraction r with over = under^r; None if there is none."""
    quotient = to_ball(over).log() / to_ball(under).log()
    if not quotient.is_finite():
        return None
    near = Fraction(float(quotient.mid())).limit_denominator(DENOMINATOR)
    power, root = near.numerator, near.denominator
    if power == 0 or _bits(over) * root > BITS or _bits(under) * abs(power) > BITS:
        return None
    return fmpq(power, root) if over**root == under**power else None


def _bits(number: fmpq) -> int:
    return max(int(number.p).bit_length(), int(number.q).bit_length())
