"""Values for symbols that nobody gave, moved until the hypotheses hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy
from flint import fmpq, fmpq_mat

from boundcheck.explore.alone import Interval
from boundcheck.explore.conditions import System
from boundcheck.explore.solving import intersect, solve

REPAIRS = 6  # rounds in which values are moved
CLOSE = fmpq(1, 2**32)  # how near to the end of a condition a value is moved


def completed(
    system: System, names: list[str], avoid: str | None = None,
    start: Mapping[str, fmpq] | None = None,
) -> tuple[dict[str, Any], list[sympy.Basic]]:  # fmt: skip
    """Values for names nobody gave, moved until the conditions without `avoid` hold.

    Args: start: values to begin with in place of the plain ones.
    Returns: all values, and the conditions that still fail.
    """
    values = dict(system.values)
    assumed = [n for n in names if n not in values and n != avoid]
    for item in assumed:
        at = (start or {}).get(item)
        values[item] = system.plain(item) if at is None else system.number(item, at)
    relevant = [
        r for r in (*system.conditions, *system.facts)
        if avoid not in (inputs := system.inputs_of_relation(r)) and set(inputs) <= set(values)
    ]  # fmt: skip
    for _ in range(REPAIRS):
        failing = [r for r in relevant if system.holds(r, values) is not True]
        if not failing:
            return values, []
        changed = False
        for relation in failing:
            if system.holds(relation, values) is not True:
                changed = moved(system, relevant, relation, assumed, values) or changed
        if not changed:
            break
    return values, [r for r in relevant if system.holds(r, values) is not True]


def moved(
    system: System, relevant: list[sympy.Basic], relation: sympy.Basic,
    assumed: list[str], values: dict[str, Any], alone: bool = True,
) -> bool:  # fmt: skip
    """One assumed value, a parameter if possible, moved so that the relation holds.

    Other conditions that involve it hold then as well; with `alone`, if that can be had.
    """
    inputs = system.inputs_of_relation(relation)
    parameters = {symbol.name for symbol in system.claim.parameters}
    sides = {getattr(side, "name", "") for side in relation.args}
    able = [n for n in assumed if n in inputs and isinstance(values[n], (int, fmpq))]
    # Sizes and what stands alone on a side are what a theorem asks for: they move first.
    sizes = [n for n in able if n in sides or system.ranges[n].whole]
    others = sorted(set(able) - set(sizes), key=lambda n: (n not in parameters, n))
    for group in (sizes, others):
        for together in (True, False) if alone else (True,):
            for item in group:
                if _moved_one(system, relevant, relation, item, values, together):
                    return True
    return False


def _moved_one(
    system: System, relevant: list[sympy.Basic], relation: sympy.Basic, item: str,
    values: dict[str, Any], together: bool,
) -> bool:  # fmt: skip
    wanted = [relation]
    if together:
        wanted = [r for r in relevant if item in system.inputs_of_relation(r)]
    common = None
    for condition in wanted:
        found = _solved(system, condition, item, values)
        common = found if common is None else intersect([common, found])
        if not common:
            return False
    assert common is not None
    apart, at = system.ranges[item].apart, fmpq(values[item])
    end = _end(common, at)
    if end is not None and end[0] and not apart:  # the end itself, if a short number is one
        values[item] = system.number(item, _short(end[0], round))
        if all(system.holds(condition, values) is True for condition in wanted):
            return True
    values[item] = system.number(item, _nearest(common, at, apart))
    return True


def _solved(
    system: System, condition: sympy.Basic, item: str, values: dict[str, Any]
) -> tuple[Interval, ...]:
    """Where a condition on one value holds; kept, since rounds and points ask the same again."""
    others = [n for n in system.inputs_of_relation(condition) if n != item]
    rest = [_fixed(values.get(n)) for n in others]
    key = (condition, item, *others, *rest)
    if None in rest:
        return solve(system, condition, item, values, system.ranges[item], CLOSE).intervals
    found: tuple[Interval, ...] | None = system.solved.get(key)
    if found is None:
        found = solve(system, condition, item, values, system.ranges[item], CLOSE).intervals
        system.solved[key] = found
    return found


def _fixed(value: Any) -> Any:
    """An exact value as something that can be looked up; None for what has no exact equality."""
    if isinstance(value, fmpq_mat):
        return (value.nrows(), *value.entries())
    if isinstance(value, tuple):
        parts = tuple(_fixed(part) for part in value)
        return None if None in parts else parts
    return value if isinstance(value, (int, fmpq, str)) else None


def _end(common: tuple[Interval, ...], value: fmpq) -> tuple[fmpq, Interval] | None:
    """The end next to a value, and its interval; None where there is no end."""
    ends = [(end, pair) for pair in common for end in pair if end is not None]
    return min(ends, key=lambda item: abs(item[0] - value), default=None)


def _nearest(common: tuple[Interval, ...], value: fmpq, apart: bool) -> fmpq:
    """The admissible number next to a value, with three digits where there is room for them."""
    found = _end(common, value)
    if found is None:
        return value
    end, (low, high) = found
    if apart or end == 0:
        return end
    near = _short(end, fmpq.ceil if end == low else fmpq.floor)
    above = low is None or near >= low
    return near if above and (high is None or near <= high) else end


def _short(value: fmpq, whole: Callable[[fmpq], Any]) -> fmpq:
    """A number with three digits, by a rule that makes whole numbers."""
    size = fmpq(10) ** (2 - _digits(abs(value)))
    return fmpq(int(whole(value * size))) / size


def _digits(value: fmpq) -> int:
    """The power of ten just below a positive number, or one beside it."""
    import math

    bits = int(value.p).bit_length() - int(value.q).bit_length()
    return math.floor(bits * math.log10(2))
