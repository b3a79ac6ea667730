"""Values for symbols that nobody gave, moved until the hypotheses hold."""

from __future__ import annotations

from typing import Any

import sympy
from flint import fmpq

from boundcheck.explore.conditions import System
from boundcheck.explore.solving import Interval, intersect, solve

REPAIRS = 6  # rounds in which values are moved


def completed(
    system: System, names: list[str], avoid: str | None = None
) -> tuple[dict[str, Any], list[sympy.Basic]]:
    """Values for names nobody gave, moved until the conditions without `avoid` hold.

    Returns: all values, and the conditions that still fail.
    """
    values = dict(system.values)
    assumed = [n for n in names if n not in values and n != avoid]
    for item in assumed:
        values[item] = system.plain(item)
    relevant = [
        r for r in system.conditions
        if avoid not in (inputs := system.inputs_of_relation(r)) and set(inputs) <= set(values)
    ]  # fmt: skip
    for _ in range(REPAIRS):
        failing = [r for r in relevant if system.holds(r, values) is not True]
        if not failing:
            return values, []
        if not any(moved(system, relevant, r, assumed, values) for r in failing):
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
    alone_on_a_side = {getattr(side, "name", "") for side in relation.args}
    able = sorted(
        (n for n in assumed if n in inputs and isinstance(values[n], (int, fmpq))),
        key=lambda n: (n not in alone_on_a_side, not system.ranges[n].whole, n not in parameters),
    )
    for item in able:
        involved = [r for r in relevant if item in system.inputs_of_relation(r)]
        allowed = system.ranges[item]
        for wanted in (involved, [relation]) if alone else (involved,):
            common = intersect([
                solve(system, r, item, values, allowed).intervals for r in wanted
            ])  # fmt: skip
            if common:
                values[item] = system.number(item, _nearest(common, fmpq(values[item])))
                return True
    return False


def _nearest(common: tuple[Interval, ...], value: fmpq) -> fmpq:
    inside = [end for pair in common for end in pair if end is not None]
    return min(inside, key=lambda end: abs(end - value))
