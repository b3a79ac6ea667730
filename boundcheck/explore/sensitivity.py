"""How an answer moves with the other symbols: elasticities, doubling, what halves it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import sympy
from flint import arb, fmpq

from boundcheck import exact
from boundcheck.encoding import nearest_float
from boundcheck.exact import precision
from boundcheck.explore.answers import Sensitivity
from boundcheck.explore.conditions import System
from boundcheck.explore.ranges import Range
from boundcheck.setting import sides

BITS = 192
STEP = fmpq(1, 2**20)  # relative step of the central difference; its error is about STEP^2
COARSE = fmpq(1, 2**13)  # where the threshold itself is known to about 1e-13 only
NEARLY = 1e-6  # of a number, how near it is to a whole one
FARTHEST = math.log(1e12)
Threshold = Callable[[Mapping[str, Any]], arb | None]  # a logarithm


def sensitivity(
    system: System,
    name: str,
    values: Mapping[str, Any],
    answer: fmpq,
    formula: sympy.Expr | None,
    binding: tuple[sympy.Basic, ...],
    sense: str,
) -> tuple[Sensitivity, ...]:
    """A row for every symbol that the binding conditions depend on.

    The answer is treated as a real number here: rounding to integers would hide the rates. One of
    finitely many values jumps, and has none.
    """
    if not answer or not binding or system.ranges[name].items is not None:
        return ()
    if formula is not None:
        threshold, step = _by_formula(system, formula), STEP
    else:
        threshold = _by_root(system, name, binding[0], answer)
        step = COARSE
    base = threshold(values)
    if base is None:
        return ()
    inputs = [n for r in binding for n in system.inputs_of_relation(r) if n != name]
    if formula is not None:
        inputs += [n for n in system.inputs_of_relation(formula) if n != name]
    rows = []
    for item in dict.fromkeys(inputs):
        if not isinstance(values.get(item), (int, fmpq)) or not values[item]:
            continue
        if system.ranges[item].items is not None:
            continue
        row = _row(system, threshold, values, item, base, sense, step)
        if row is not None and (row.elasticity or row.halved != 1.0 or row.doubled != 1.0):
            rows.append(row)
    return tuple(sorted(rows, key=lambda row: row.name))


def _by_formula(system: System, formula: sympy.Expr) -> Threshold:
    def threshold(values: Mapping[str, Any]) -> arb | None:
        return _log(system.evaluate(formula, values, BITS))

    return threshold


def _log(value: Any) -> arb | None:
    """Natural logarithm of |value| as a ball, or None."""
    if value is None or (exact.is_exact(value) and value == 0):
        return None
    with precision(BITS):
        ball = abs(exact.to_ball(value))
        return ball.log() if ball > 0 else None


def _by_root(
    system: System, name: str, relation: sympy.Basic, answer: fmpq
) -> Threshold:
    """The value at which both sides of the binding condition agree, by secant steps in its log."""
    side = 1 if answer > 0 else -1
    low, high = sides(relation) if isinstance(relation, sympy.Rel) else (None, None)
    known = _log(answer)
    assert known is not None  # the answer is no zero
    start = float(known.mid())

    def gap(values: Mapping[str, Any], at: float) -> float | None:
        with precision(BITS):
            value = side * arb(at).exp()
        left = system.evaluate(low, {**values, name: value}, BITS)
        right = system.evaluate(high, {**values, name: value}, BITS)
        if left is None or right is None:
            return None
        with precision(BITS):
            left, right = exact.to_ball(left), exact.to_ball(right)
            if left > 0 and right > 0:
                return float((left.log() - right.log()).mid())
            return float(((left - right) / (abs(left) + abs(right))).mid())

    def threshold(values: Mapping[str, Any]) -> arb | None:
        before, at = start, start + 1e-4
        first = gap(values, before) if low is not None else None
        for _ in range(25):
            second = gap(values, at) if first is not None else None
            if second is None or first is None or second == first:
                return None
            step = second * (at - before) / (second - first)
            before, first, at = at, second, at - max(min(step, 4.0), -4.0)
            if abs(at - before) < 1e-13 * max(1.0, abs(at)):
                return arb(at)
        return None

    return threshold


def _row(
    system: System, threshold: Threshold, values: Mapping[str, Any], item: str, base: arb,
    sense: str, step: fmpq,
) -> Sensitivity | None:  # fmt: skip
    allowed, start = system.ranges[item], fmpq(values[item])

    def moved(factor: fmpq) -> arb | None:
        value = start * factor
        inside = Range(allowed.low, allowed.high, allowed.open_low, allowed.open_high)
        if not inside.contains(value):
            return None
        number = int(value.p) if value.q == 1 and allowed.whole else value
        return threshold({**values, item: number})

    elasticity = _elasticity(moved, base, step)
    if elasticity is None:
        return None
    factor = _halving(moved, base, elasticity, math.log(2.0) * (1 if sense == "greatest" else -1))
    if factor is not None and allowed.whole:
        factor = _to_whole(start, factor)
    return Sensitivity(
        name=item, value=values[item], elasticity=elasticity,
        halved=_share(moved(fmpq(1, 2)), base), doubled=_share(moved(fmpq(2)), base),
        factor=factor,
    )  # fmt: skip


def _to_whole(start: fmpq, factor: float) -> float | None:
    """The factor that leads to a whole number at least as far from the start; None for zero.

    >>> _to_whole(fmpq(3), 0.5), _to_whole(fmpq(100), 4.0), _to_whole(fmpq(1), 0.5)
    (0.3333333333333333, 4.0, None)
    """
    reached = nearest_float(start) * factor
    if abs(reached) > 1 / NEARLY or abs(round(reached) - reached) < NEARLY * abs(reached):
        return factor
    whole = math.ceil(reached) if factor > 1 else math.floor(reached)
    return whole / nearest_float(start) if whole else None


def _share(moved: arb | None, base: arb) -> float | None:
    if moved is None:
        return None
    with precision(BITS):
        gap = float((moved - base).mid())
    return math.exp(gap) if abs(gap) < 700 else (math.inf if gap > 0 else 0.0)


def _elasticity(moved: Callable[[fmpq], arb | None], base: arb, step: fmpq) -> float | None:
    up, down = moved(1 + step), moved(1 / (1 + step))
    with precision(BITS):
        width = (arb(1) + arb(step)).log()
        if up is not None and down is not None:
            rate = (up - down) / (2 * width)
        elif up is not None:
            rate = (up - base) / width
        elif down is not None:
            rate = (base - down) / width
        else:
            return None
        found = float(rate.mid())
    # Snap to zero and to whole rates what differs by the error of the difference quotient only.
    near = round(found * 12) / 12
    return near if abs(found - near) < (1e-9 if step == STEP else 1e-7) else found


def _halving(
    moved: Callable[[fmpq], arb | None], base: arb, elasticity: float, wanted: float
) -> float | None:
    """The factor on the symbol that changes the log answer by `wanted`, by secant steps."""
    if abs(elasticity) < 1e-6:
        return None
    at, slope = wanted / elasticity, elasticity
    before, seen = 0.0, 0.0
    for _ in range(8):
        at = max(min(at, FARTHEST), -FARTHEST)
        value = moved(fmpq(round(math.exp(at) * 2**50), 2**50)) if at > -34 else None
        if value is None:
            return None
        with precision(BITS):
            change = float((value - base).mid())
        if abs(change - wanted) < 1e-9:
            return math.exp(at)
        if at == before or change == seen:
            return None
        slope = (change - seen) / (at - before)
        before, seen = at, change
        at = at + (wanted - change) / slope
    return math.exp(before) if abs(seen - wanted) < 1e-3 else None
