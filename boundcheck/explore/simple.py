"""Simple numbers to try: of an interval, of closed form near a number, next in a bracket."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import sympy

if TYPE_CHECKING:
    from boundcheck.explore.knobs import Knob

ROOM = sympy.Rational(1, 5)  # the simplest number so far above a failing value is tried
NEAR = sympy.Rational(1, 100)  # a bracket as narrow as this is not cut further
BELOW = sympy.Rational(1, 10**6)
CONVERGED = 1 + 10 * BELOW
CLEAR = 1 + NEAR / 2


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


LARGEST = 12  # numerators and denominators of closed forms
FORMS = (
    sympy.S.One, sympy.sqrt(2), sympy.sqrt(3), sympy.sqrt(6), sympy.exp(sympy.Rational(1, 2)),
    sympy.E, sympy.sqrt(sympy.pi), sympy.pi, sympy.sqrt(2 * sympy.pi), sympy.log(2),
    1 / sympy.sqrt(sympy.log(2)),
)  # fmt: skip


def closed_between(low: float, high: float) -> sympy.Expr | None:
    """The simplest multiple or fraction of a usual constant in [low, high], or None.

    Between ends a hundred thousandth apart there is one by chance once in hundreds of cases.

    >>> closed_between(1.648720, 1.648722), closed_between(0.353553, 0.353554)
    (exp(1/2), sqrt(2)/4)
    """
    for base in FORMS:
        scale = float(base)
        for under in range(1, LARGEST + 1):
            over = round((low + high) / 2 * under / scale)
            if 0 < over <= LARGEST and low <= over * scale / under <= high:
                return sympy.Rational(over, under) * base
    return None


def simplest_closed(low: float, high: float) -> sympy.Expr | None:
    """The multiple or fraction of a usual constant in [low, high] in the smallest numbers, or None.

    >>> simplest_closed(2.70, 2.73), simplest_closed(0.2222, 0.272)
    (E, 1/4)
    """
    found = []
    for place, base in enumerate(FORMS):
        scale = float(base)
        for under in range(1, LARGEST + 1):
            over = max(math.ceil(low * under / scale), 1)
            if over <= LARGEST and over * scale / under <= high:
                found.append((over + under + place, sympy.Rational(over, under) * base))
    return min(found, key=lambda pair: pair[0])[1] if found else None


def narrow(lower: sympy.Expr, top: sympy.Expr, way: int = -1) -> bool:
    """Whether a bracket is not worth cutting further."""
    least, most = (lower, top) if way < 0 else (top, lower)
    return bool(most <= least * (1 + NEAR))


def next_value(
    knob: Knob, top: sympy.Expr, failed: sympy.Expr | None
) -> sympy.Expr | None:
    """The next value to try: beyond what stood, or between it and what did not; None if near.

    >>> from types import SimpleNamespace as Some
    >>> falling = Some(kind="threshold", direction=-1, whole=False)
    >>> next_value(falling, sympy.Integer(8), None)
    4
    >>> next_value(falling, sympy.Integer(8), sympy.Integer(4))
    5
    >>> next_value(Some(kind="threshold", direction=1, whole=False), sympy.sqrt(2), None)
    2*sqrt(2)
    >>> whole = Some(kind="threshold", direction=-1, whole=True)
    >>> next_value(whole, sympy.Integer(5), sympy.Integer(3)), next_value(whole, sympy.S.One, None)
    (4, None)
    """
    way = knob.direction or -1
    if knob.whole and top.is_Integer:
        if failed is None:
            return top * 2 if way > 0 else top // 2 or None
        middle = (top + sympy.floor(failed)) // 2
        return None if middle in (top, failed) else middle
    if failed is None:
        return top + way * abs(top) / 2 if knob.kind == "exponent" or way < 0 else top * 2
    if abs(top - failed) <= NEAR * abs(top):
        return None
    factor = sympy.S.One if top.is_Rational else top.as_coeff_Mul()[1]
    low, high = sorted(sympy.nsimplify(end / factor, rational=True) for end in (top, failed))
    gap, sign = high - low, -1 if low < 0 else 1
    ends = sorted((sign * (low + gap / 4), sign * (high - gap / 4)))
    return sign * simplest_between(*ends) * factor if ends[0] > 0 else None


def simple_near(lower: sympy.Expr, high: sympy.Expr, way: int = -1) -> sympy.Expr | None:
    """The simplest number a little above a failing value and below one that stands, or None.

    Either the search came to that number itself, or it is clear of where the search ended. Where
    larger values say more, above and below change places.

    >>> simple_near(sympy.Rational(249999, 10**6), sympy.Integer(1))
    1/4
    >>> simple_near(sympy.Rational(2000001, 10**6), sympy.Integer(1), way=1)
    2
    >>> simple_near(sympy.Rational(7071061, 10**7), sympy.Integer(1))
    sqrt(2)/2
    """
    if way > 0:
        found = simple_near(1 / lower, 1 / high)
        return None if found is None else 1 / found
    low, high_value = float(lower), float(high)
    reached = closed_between(low * float(1 + BELOW / 2), low * float(CONVERGED))
    if reached is not None and float(reached) < high_value * float(1 - BELOW):
        return reached
    factor = sympy.S.One
    if not lower.is_Rational:
        factor = lower.as_coeff_Mul()[1]
    low, top = sympy.Rational(lower / factor), sympy.nsimplify(high / factor, rational=True)
    first, last = low * (1 + BELOW / 2), min(low * (1 + ROOM), top * (1 - BELOW))
    if first >= last:
        return None
    found = simplest_between(first, last)
    if low * CONVERGED < found < low * CLEAR <= last:
        found = simplest_between(low * CLEAR, last)
    return found * factor
