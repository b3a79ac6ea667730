"""The values of one symbol that meet conditions, as intervals with exact ends.

Each condition is asked along a ladder of values that covers all orders of magnitude, and every
change of its answer is bisected: to neighbouring integers, or to 2^-64 of the value. Conditions
that isolate the symbol are evaluated instead, to as many digits as the answer has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import sympy
from flint import arb, fmpq

from boundcheck import exact
from boundcheck.exact import precision
from boundcheck.explore.conditions import Range, System
from boundcheck.setting import sides

FINE = fmpq(1, 2**64)
Interval = tuple[fmpq, fmpq | None]  # both ends admissible; None: to the end of the ladder


@dataclass(frozen=True)
class Solved:
    """Where one condition holds.

    Args:
        relation: the condition. intervals: disjoint, increasing.
        low_end, high_end: whether the first interval starts, or the last one ends, at the end
            of the range rather than where the condition changes.
    """

    relation: sympy.Basic
    intervals: tuple[Interval, ...]


def ladder(allowed: Range) -> list[fmpq]:
    """Increasing values of the range over all magnitudes up to 2^8000 (integers), 2^1000 (reals).

    >>> [int(v) for v in ladder(Range(low=fmpq(3), whole=True))[:5]]
    [3, 4, 5, 7, 11]
    """
    octaves = list(range(0, 41)) if allowed.whole else list(range(-20, 21))
    step, top = 2, 8_000 if allowed.whole else 1_000
    last = octaves[-1]
    while last < top:
        last += step
        step = step + max(step // 3, 1)
        octaves.append(last)
        if not allowed.whole:
            octaves.insert(0, -last)
    steps = [fmpq(2**k) if k >= 0 else fmpq(1, 2**-k) for k in octaves]
    low, high = allowed.low, allowed.high
    if low is not None and high is not None:
        width = high - low
        small = [s for s in steps if s < 1] if not allowed.whole else []
        values = {low + width * s for s in small} | {high - width * s for s in small}
        values |= {low + s for s in steps if s < width} if allowed.whole else set()
        values |= {low + width * fmpq(k, 16) for k in range(1, 16)} if not allowed.whole else set()
    elif low is not None:
        values = {low + s for s in steps}
        if not allowed.whole and low > 0:
            values |= {low * (1 + s) for s in steps}
    elif high is not None:
        values = {high - s for s in steps}
    else:
        values = set(steps) | {-s for s in steps} | {fmpq(0)}
    values |= {end for end in (low, high) if end is not None}
    return sorted(v for v in values if allowed.contains(v))


def solve(
    system: System, relation: sympy.Basic, name: str, values: Mapping[str, Any], allowed: Range,
    fine: fmpq = FINE,
) -> Solved:  # fmt: skip
    """Where a condition on one symbol holds, all others having values.

    Args: fine: how close, relative to the value, the ends found for real numbers are.
    """
    isolated = _isolated(system, relation, name, values, allowed)
    if isolated is not None:
        return Solved(relation, isolated)

    def met(value: fmpq) -> bool:
        return system.holds(relation, {**values, name: system.number(name, value)}) is True

    steps = ladder(allowed)
    answers = [met(value) for value in steps]
    intervals: list[Interval] = []
    start: fmpq | None = steps[0] if answers and answers[0] else None
    for left, right, before, after in zip(steps, steps[1:], answers, answers[1:], strict=False):
        if not before and after:
            start = bisect(met, right, left, allowed.whole, fine)
        elif before and not after:
            assert start is not None
            intervals.append((start, bisect(met, left, right, allowed.whole, fine)))
            start = None
    if start is not None:
        intervals.append((start, allowed.high if _closed_top(allowed) else None))
    return Solved(relation, tuple(intervals))


def _closed_top(allowed: Range) -> bool:
    return allowed.high is not None and not allowed.open_high


def bisect(
    met: Callable[[fmpq], bool], inside: fmpq, outside: fmpq, whole: bool, fine: fmpq = FINE
) -> fmpq:
    """The value nearest to `outside` that is still met, going from `inside`."""
    for _ in range(200_000 if whole else 400):
        gap = abs(outside - inside)
        if gap <= (1 if whole else fine * max(abs(inside), abs(outside))):
            return inside
        middle = _middle(inside, outside)
        if whole:
            middle = fmpq(int(middle.floor()))
            if middle in (inside, outside):
                return inside
        if met(middle):
            inside = middle
        else:
            outside = middle
    return inside


def _middle(a: fmpq, b: fmpq) -> fmpq:
    """The mean, geometric where the ends are far apart, with a short denominator."""
    low, high = min(a, b), max(a, b)
    if low > 0 and high > 4 * low:
        octaves = (_exponent(low) + _exponent(high)) // 2
        middle = fmpq(2**octaves) if octaves >= 0 else fmpq(1, 2**-octaves)
        if low < middle < high:
            return middle
    return (a + b) / 2


def _exponent(value: fmpq) -> int:
    return int(value.p).bit_length() - int(value.q).bit_length()


def _isolated(
    system: System,
    relation: sympy.Basic,
    name: str,
    values: Mapping[str, Any],
    allowed: Range,
) -> tuple[Interval, ...] | None:
    """The interval of a condition symbol >= expr or symbol <= expr, by evaluating expr."""
    if isinstance(relation, sympy.Eq):
        return _equated(system, relation, name, values, allowed)
    if not isinstance(relation, (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)):
        return None
    small, large = sides(relation)
    lower = getattr(large, "name", None) == name
    expr = small if lower else large
    if not lower and getattr(small, "name", None) != name:
        return None
    if name in system.inputs_of_relation(expr):
        return None
    strict = isinstance(relation, (sympy.Lt, sympy.Gt))
    value = rounded(system, expr, values, up=lower, strict=strict, whole=allowed.whole)
    if value is None:
        return ()
    if lower:
        start = value if allowed.low is None else max(value, _least(allowed))
        top = allowed.high if _closed_top(allowed) else None
        return ((start, top),) if allowed.contains(start) else ()
    end = value if allowed.high is None or not allowed.contains(allowed.high) else min(
        value, allowed.high
    )
    if not allowed.contains(end):
        return ()
    return ((_least(allowed), end),)


def _equated(
    system: System, relation: sympy.Eq, name: str, values: Mapping[str, Any], allowed: Range
) -> tuple[Interval, ...] | None:
    left, right = relation.lhs, relation.rhs
    expr = right if getattr(left, "name", None) == name else left
    if name not in (getattr(left, "name", None), getattr(right, "name", None)):
        return None
    if name in system.inputs_of_relation(expr):
        return None
    value = system.evaluate(expr, values)
    if value is None:
        return ()
    point = fmpq(value) if exact.is_exact(value) else _as_rational(value)
    return ((point, point),) if allowed.contains(point) else ()


def _least(allowed: Range) -> fmpq:
    """The low end, or the first step of the ladder above an end that is left out or missing."""
    if allowed.low is not None and not allowed.open_low:
        return allowed.low
    return ladder(allowed)[0]


def rounded(
    system: System,
    expr: sympy.Basic,
    values: Mapping[str, Any],
    *,
    up: bool,
    strict: bool = False,
    whole: bool = False,
) -> fmpq | None:
    """A rational on the safe side of an expression: the next integer, or within 2^-100 of it.

    None where the expression has no value.
    """
    for bits in (192, 640, 4_096, 32_768, 262_144):
        value = system.evaluate(expr, values, bits)
        if value is None:
            return None
        if exact.is_exact(value):
            return _settled(fmpq(value), up, strict, whole)
        if not value.is_finite():
            return None
        with precision(bits):
            found = _from_ball(value, up, whole)
        if found is not None:
            return found
    return None


def _from_ball(value: arb, up: bool, whole: bool) -> fmpq | None:
    """The safe side of a ball, or None if it is too wide to tell."""
    if not whole:
        return _as_rational(value, up=up) if value.rel_accuracy_bits() > 110 else None
    near = (value.ceil() if up else value.floor()).unique_fmpz()
    if near is not None:
        return fmpq(near)
    # A ball around an integer that higher precision cannot leave: stay on the safe side.
    edge = value.mid().floor().unique_fmpz() if value.rad() < arb(2) ** -300 else None
    return None if edge is None else fmpq(edge) + (2 if up else -1)


def _settled(value: fmpq, up: bool, strict: bool, whole: bool) -> fmpq:
    if whole:
        near = fmpq(int(value.ceil() if up else value.floor()))
        return near + (1 if up else -1) if strict and near == value else near
    if not strict:
        return value
    nudge = FINE * (abs(value) if value else 1)
    return value + nudge if up else value - nudge


def _as_rational(value: arb, up: bool | None = None) -> fmpq:
    """A rational within 2^-100 of a ball, above or below it as asked."""
    middle = value.mid()
    mantissa, exponent = middle.man_exp()
    ratio = fmpq(mantissa) * (fmpq(2) ** int(exponent))
    if up is None:
        return ratio
    size = abs(ratio) if ratio else fmpq(1)
    return ratio + (size if up else -size) / fmpq(2) ** 100


def intersect(many: list[tuple[Interval, ...]]) -> tuple[Interval, ...]:
    """Intervals common to all lists.

    >>> intersect([((fmpq(1), None),), ((fmpq(0), fmpq(3)), (fmpq(5), fmpq(6)))])
    ((1, 3), (5, 6))
    """
    common: list[Interval] | None = None
    for intervals in many:
        if common is None:
            common = list(intervals)
            continue
        met: list[Interval] = []
        for low, high in common:
            for other_low, other_high in intervals:
                start = max(low, other_low)
                ends = [end for end in (high, other_high) if end is not None]
                end = min(ends) if ends else None
                if end is None or start <= end:
                    met.append((start, end))
        common = sorted(met, key=lambda item: item[0])
    return tuple(common or ())
