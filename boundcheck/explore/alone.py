"""Conditions symbol >= expr and the like, solved by evaluating expr, to all digits it has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy
from flint import arb, fmpq

from boundcheck import exact
from boundcheck.balls import integer_in
from boundcheck.errors import Undecided
from boundcheck.exact import precision
from boundcheck.explore.conditions import System
from boundcheck.explore.ranges import Range
from boundcheck.setting import INEQUALITIES, sides

FINE = fmpq(1, 2**64)  # of a real end
Interval = tuple[fmpq | None, fmpq | None]  # both ends admissible; None: no end
EVERYWHERE: tuple[Interval, ...] = ((None, None),)


def isolated(
    system: System, relation: sympy.Basic, name: str, values: Mapping[str, Any], allowed: Range
) -> tuple[Interval, ...] | None:
    """The interval of a condition symbol >= expr or symbol <= expr, by evaluating expr."""
    if isinstance(relation, sympy.Eq):
        return _equated(system, relation, name, values, allowed)
    if not isinstance(relation, INEQUALITIES):
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
        return None  # no value there: the ladder tells whether it fails or is not decided
    if lower:
        return _from(value, allowed)
    return _up_to(value, allowed)


def _from(value: fmpq, allowed: Range) -> tuple[Interval, ...]:
    if allowed.low is not None and (value < allowed.low or (value == allowed.low
                                                            and allowed.open_low)):  # fmt: skip
        return EVERYWHERE
    return ((value, None),) if allowed.contains(value) else ()


def _up_to(value: fmpq, allowed: Range) -> tuple[Interval, ...]:
    if allowed.high is not None and (value > allowed.high or (value == allowed.high
                                                              and allowed.open_high)):  # fmt: skip
        return EVERYWHERE
    return ((None, value),) if allowed.contains(value) else ()


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
    if value is None or isinstance(value, exact.MATRICES):
        return None
    point = fmpq(value) if exact.is_exact(value) else _as_rational(value)
    return ((point, point),) if allowed.contains(point) else ()


def rounded(
    system: System, expr: sympy.Basic, values: Mapping[str, Any], *, up: bool,
    strict: bool = False, whole: bool = False,
) -> fmpq | None:  # fmt: skip
    """A rational on the safe side of an expression: the next integer, or within 2^-100 of it.

    None where the expression has no value.
    """
    for bits in (192, 640, 4_096, 32_768, 262_144):
        value = system.evaluate(expr, values, bits)
        if value is None or isinstance(value, exact.MATRICES):
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
    try:
        near = integer_in(value.ceil() if up else value.floor())
        if near is not None:
            return fmpq(near)
        # A ball around an integer that higher precision cannot leave: stay on the safe side.
        edge = integer_in(value.mid().floor()) if value.rad() < arb(2) ** -300 else None
    except Undecided:  # no integer that could be written out
        return None
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
    ratio = exact.midpoint(value)
    if up is None:
        return ratio
    size = abs(ratio) if ratio else fmpq(1)
    return ratio + (size if up else -size) / fmpq(2) ** 100
