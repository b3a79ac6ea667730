"""The simplest number of an interval: the fraction with the least denominator."""

from __future__ import annotations

import sympy


def simplest_between(low: sympy.Rational, high: sympy.Rational) -> sympy.Rational:
    """The fraction of least denominator in [low, high], 0 < low < high (Stern and Brocot).

    >>> simplest_between(sympy.Rational(333, 1000), sympy.Rational(34, 100))
    1/3
    """
    whole = sympy.floor(low)
    if whole == low:
        return sympy.Rational(whole)
    if whole + 1 <= high:
        return sympy.Rational(whole + 1)
    return whole + 1 / simplest_between(1 / (high - whole), 1 / (low - whole))
