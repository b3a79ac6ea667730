"""Intervals that enclose every value of an expression over a box, unbounded boxes included.

>>> x, y = sympy.symbols("x y", real=True)
>>> box = {"x": iv.mpf([1, 4]), "y": iv.mpf([1, mpmath.inf])}
>>> low, high = ends(enclosure(sympy.sqrt(x) + 1 / y, box))
>>> float(low), round(float(high), 12)
(1.0, 3.0)
>>> certainly_fails(x * y < 1, box), certainly_fails(x <= y, box)
(True, False)
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import mpmath
import sympy
from flint import arb, fmpq
from mpmath import iv

from boundcheck.explore.ranges import Range
from boundcheck.setting import INEQUALITIES

Interval = Any  # mpmath has no public class for its intervals
Box = Mapping[str, Interval]
Memo = dict[tuple[Any, ...], Interval]  # a part and the intervals of its names, to its enclosure
KEPT = 50_000
FAR = 2**40  # exponents beyond it
EVERYTHING = (-mpmath.inf, mpmath.inf)
MONOTONE = {  # its name, its limits, and where it begins to rise
    sympy.tanh: ("tanh", -1, 1, -mpmath.inf), sympy.erf: ("erf", -1, 1, -mpmath.inf),
    sympy.atan: ("atan", -2, 2, -mpmath.inf),
    sympy.sinh: ("sinh", -mpmath.inf, mpmath.inf, -mpmath.inf),
    sympy.asinh: ("asinh", -mpmath.inf, mpmath.inf, -mpmath.inf),
    sympy.gamma: ("gamma", 0, mpmath.inf, mpmath.mpf("1.5")),
    sympy.loggamma: ("lgamma", -1, mpmath.inf, mpmath.mpf("1.5")),
    sympy.factorial: ("fac", 0, mpmath.inf, mpmath.mpf("0.5")),
}  # fmt: skip
FACTORIALS = sympy.factorial, sympy.gamma, sympy.loggamma
VALUED = (  # what has a value wherever its parts have one
    sympy.Add, sympy.Mul, sympy.Max, sympy.Min, sympy.exp, sympy.Abs, sympy.floor, sympy.ceiling,
    sympy.Eq, sympy.Ne, sympy.And, sympy.Or, sympy.Not, *INEQUALITIES, sympy.tanh, sympy.erf,
    sympy.atan, sympy.sinh, sympy.asinh, sympy.cosh, sympy.sin, sympy.cos,
)  # fmt: skip


def between(low: Any, high: Any) -> Interval:
    """The interval of two ends; what is no number is no bound."""
    low = -mpmath.inf if mpmath.isnan(low) else low
    high = mpmath.inf if mpmath.isnan(high) else high
    return iv.mpf([low, high])


def ends(interval: Interval) -> tuple[Any, Any]:
    """Both ends as mpmath numbers."""
    return mpmath.mpf(interval.a), mpmath.mpf(interval.b)


def exactly(value: Any) -> Interval:
    """The interval around a rational or a ball."""
    if isinstance(value, arb):
        return between(_number(value.lower()), _number(value.upper()))
    ratio = fmpq(value)
    return iv.mpf(int(ratio.p)) / iv.mpf(int(ratio.q))


def span(allowed: Range) -> Interval:
    """The interval of what a range admits."""
    low = -mpmath.inf if allowed.low is None else ends(exactly(allowed.low))[0]
    high = mpmath.inf if allowed.high is None else ends(exactly(allowed.high))[1]
    return between(low, high)


def _number(end: arb) -> Any:
    if not end.is_finite():
        return mpmath.nan
    mantissa, exponent = end.man_exp()
    with mpmath.workprec(max(int(mantissa).bit_length(), 1)):
        return mpmath.ldexp(mpmath.mpf(int(mantissa)), int(exponent))


def enclosure(expr: sympy.Basic, box: Box, memo: Memo | None = None) -> Interval:
    """An interval that holds every value of an expression at points of a box where it has one.

    Names without an interval and functions unknown here may be anything.

    Args: memo: what parts were found to be; at one precision only.
    """
    if memo is None or not expr.args:
        return _enclosed(expr, box, memo)
    key = (expr, *(box[n]._mpi_ if n in box else None for n in _names(expr)))
    if key not in memo:
        if len(memo) >= KEPT:
            memo.clear()
        memo[key] = _enclosed(expr, box, memo)
    return memo[key]


@lru_cache(maxsize=4096)
def _names(expr: sympy.Basic) -> tuple[str, ...]:
    return tuple(sorted(symbol.name for symbol in expr.free_symbols))


def _enclosed(expr: sympy.Basic, box: Box, memo: Memo | None) -> Interval:
    if expr.is_Rational:
        return iv.mpf(int(expr.p)) / iv.mpf(int(expr.q))
    if expr.is_Symbol:
        return box.get(expr.name, between(*EVERYTHING))
    if not expr.args:  # numbers such as pi, and conditions that are always or never met
        return _constant(expr)
    parts = [enclosure(arg, box, memo) for arg in expr.args]
    if expr.is_Add:
        return _cleaned(sum(parts[1:], parts[0]))
    if expr.is_Mul:
        return _product(parts)
    if expr.is_Pow:
        return _power(expr, *parts)
    return _function(expr, parts)


def _constant(expr: sympy.Basic) -> Interval:
    known = {sympy.pi: iv.pi, sympy.E: iv.e}
    return iv.mpf(known[expr]) if expr in known else between(*EVERYTHING)


def _cleaned(value: Interval) -> Interval:
    return between(*ends(value))


def _product(parts: list[Interval]) -> Interval:
    found = parts[0]
    for part in parts[1:]:
        found = _times(found, part)
    return found


def _times(one: Interval, two: Interval) -> Interval:
    (a, b), (c, d) = ends(one), ends(two)
    if (a == b == 0) or (c == d == 0):
        return iv.mpf(0)
    if a >= 0 and c >= 0:  # 0 times infinity: no value is larger than the product of the ends
        low = ends(iv.mpf(a) * iv.mpf(c))[0] if a and c else mpmath.mpf(0)
        high = mpmath.inf if mpmath.inf in (b, d) else ends(iv.mpf(b) * iv.mpf(d))[1]
        return between(low, high)
    return _cleaned(one * two)


def _power(expr: sympy.Pow, base: Interval, exponent: Interval) -> Interval:
    if expr.exp.is_Integer:
        power = int(expr.exp)
        whole = _cleaned(base ** abs(power))
        return whole if power > 0 else _cleaned(1 / whole)
    low, high = ends(base)
    if high < 0 or (low < 0 and not expr.exp.is_number):  # a whole exponent may be meant
        return between(*EVERYTHING)
    low = max(low, mpmath.mpf(0))  # elsewhere it has no value
    if expr.exp.is_number:
        found = [_at(end, exponent, expr.exp.is_positive) for end in (low, high)]
        return between(min(ends(f)[0] for f in found), max(ends(f)[1] for f in found))
    return _exponential(_times_any(exponent, _logarithm(between(low, high))))


def _at(base: Any, exponent: Interval, rising: bool) -> Interval:
    """A power of one number or of an end of the line."""
    if base == 0:
        return iv.mpf(0) if rising else iv.mpf([mpmath.inf, mpmath.inf])
    if base == mpmath.inf:
        return iv.mpf([mpmath.inf, mpmath.inf]) if rising else iv.mpf(0)
    return _exponential(exponent * iv.log(iv.mpf(base)))


def _times_any(one: Interval, two: Interval) -> Interval:
    return _times(one, two) if min(ends(one)[0], ends(two)[0]) >= 0 else _cleaned(one * two)


def _logarithm(value: Interval) -> Interval:
    low, high = ends(value)
    if high <= 0:
        return between(*EVERYTHING)
    upper = mpmath.inf if high == mpmath.inf else ends(iv.log(iv.mpf(high)))[1]
    return between(-mpmath.inf if low <= 0 else ends(iv.log(iv.mpf(low)))[0], upper)


def _exponential(value: Interval) -> Interval:
    """exp of an interval; beyond FAR by a power of two, since its shifts are as long as the end."""
    low, high = ends(value)
    lower = mpmath.ldexp(1, FAR) if low > FAR else 0 if low < -FAR else ends(iv.exp(iv.mpf(low)))[0]
    upper = mpmath.inf if high > FAR else (
        mpmath.ldexp(1, -FAR) if high < -FAR else ends(iv.exp(iv.mpf(high)))[1])  # fmt: skip
    return between(lower, upper)


def _function(expr: sympy.Basic, parts: list[Interval]) -> Interval:
    lows, highs = zip(*map(ends, parts), strict=True)
    if isinstance(expr, sympy.Max):
        return between(max(lows), max(highs))
    if isinstance(expr, sympy.Min):
        return between(min(lows), min(highs))
    if isinstance(expr, sympy.log):
        return _logarithm(parts[0])
    if isinstance(expr, sympy.exp):
        return _exponential(parts[0])
    if isinstance(expr, sympy.Abs):
        return _cleaned(abs(parts[0]))
    if isinstance(expr, sympy.floor):
        return between(lows[0] - 1, highs[0])
    if isinstance(expr, sympy.ceiling):
        return between(lows[0], highs[0] + 1)
    if isinstance(expr, (sympy.sin, sympy.cos)):
        return _swinging(expr, lows[0], highs[0])
    if type(expr) in MONOTONE:
        return _monotone(type(expr), lows[0], highs[0])
    if isinstance(expr, sympy.cosh):
        outer = max(abs(lows[0]), abs(highs[0]))
        inner = 0 if lows[0] <= 0 <= highs[0] else min(abs(lows[0]), abs(highs[0]))
        wide = _monotone(sympy.sinh, mpmath.mpf(inner), outer)  # cosh^2 = 1 + sinh^2
        return between(1, mpmath.inf) if outer > FAR else _cleaned(iv.sqrt(1 + wide**2))
    return between(*EVERYTHING)


def _ball(end: Any) -> arb:
    sign, mantissa, exponent, _ = mpmath.mpf(end)._mpf_
    return arb((-int(mantissa) if sign else int(mantissa), int(exponent)))


def _swinging(expr: sympy.Basic, low: Any, high: Any) -> Interval:
    """A sine or cosine between two numbers, between -1 and 1 everywhere."""
    if max(abs(low), abs(high)) > FAR:
        return between(-1, 1)
    inside = _ball(low).union(_ball(high))
    found = inside.sin() if isinstance(expr, sympy.sin) else inside.cos()
    return between(max(_number(found.lower()), -1), min(_number(found.upper()), 1))


def _monotone(kind: Any, low: Any, high: Any) -> Interval:
    """What a rising function is between two numbers, by its values there."""
    name, least, most, begins = MONOTONE[kind]
    if low < begins:
        return between(*EVERYTHING)
    lower = least if low < -FAR else _number(getattr(_ball(min(low, FAR)), name)().lower())
    upper = most if high > FAR else _number(getattr(_ball(max(high, -FAR)), name)().upper())
    return between(lower, upper)


def certainly_valued(expr: sympy.Basic, box: Box, memo: Memo | None = None) -> bool:
    """Whether an expression has a value at every point of a box.

    >>> x = sympy.Symbol("x", real=True)
    >>> box = {"x": iv.mpf([1, 4])}
    >>> certainly_valued(sympy.log(x) <= 1 / x, box), certainly_valued(sympy.log(x - 2), box)
    (True, False)
    """
    if not expr.args:
        return True
    if not all(certainly_valued(arg, box, memo) for arg in expr.args):
        return False
    if isinstance(expr, VALUED):
        return True
    if not isinstance(expr, (sympy.Pow, sympy.log, *FACTORIALS)):
        return False
    low, high = ends(enclosure(expr.args[0], box, memo))
    if isinstance(expr, FACTORIALS):
        return bool(low > 0)
    if isinstance(expr, sympy.log):
        return bool(low > 0)
    if expr.exp.is_Integer:
        return bool(expr.exp > 0 or low > 0 or high < 0)
    return bool(low > 0 or (low >= 0 and expr.exp.is_positive))


def may_be_negative(expr: sympy.Expr, box: Box) -> bool:
    """Whether it is not certain that an expression is nowhere negative on a box.

    >>> x, y = sympy.symbols("x y", real=True)
    >>> box = {"x": iv.mpf([1, mpmath.inf]), "y": iv.mpf([1, mpmath.inf])}
    >>> may_be_negative(x * y, box), may_be_negative(x - y, box)
    (False, True)
    """
    return bool(ends(enclosure(expr, box))[0] < 0)


def certainly_fails(relation: sympy.Basic, box: Box, memo: Memo | None = None) -> bool:
    """Whether a relation is met at no point of a box."""
    if relation is sympy.false:
        return True
    if isinstance(relation, sympy.And):
        return any(certainly_fails(part, box, memo) for part in relation.args)
    if isinstance(relation, sympy.Or):
        return all(certainly_fails(part, box, memo) for part in relation.args)
    if isinstance(relation, sympy.Eq):
        one, two = (ends(enclosure(side, box, memo)) for side in relation.args)
        return bool(one[0] > two[1] or two[0] > one[1])
    if not isinstance(relation, INEQUALITIES):
        return False
    small = ends(enclosure(relation.lts, box, memo))[0]
    large = ends(enclosure(relation.gts, box, memo))[1]
    return small > large or (isinstance(relation, (sympy.Lt, sympy.Gt)) and small == large)
