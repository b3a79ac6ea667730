"""How an answer moves with the other symbols: elasticities, doubling, what halves it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import sympy
from flint import arb, fmpq

from boundcheck import exact
from boundcheck.exact import precision
from boundcheck.explore.conditions import Range, System

if TYPE_CHECKING:
    from boundcheck.explore.requirement import Sensitivity

BITS = 192
STEP = fmpq(1, 2**20)  # relative step of the central difference; its error is about STEP^2
FARTHEST = math.log(1e12)
Threshold = Callable[[Mapping[str, Any]], float | None]


def sensitivity(
    system: System,
    name: str,
    values: Mapping[str, Any],
    answer: fmpq,
    formula: sympy.Expr | None,
    binding: tuple[sympy.Basic, ...],
    allowed: Range,
    sense: str,
) -> tuple[Sensitivity, ...]:
    """A row for every symbol that the binding conditions depend on.

    The answer is treated as a real number here: rounding to integers would hide the rates.
    """
    from boundcheck.explore.requirement import Sensitivity

    if not answer:
        return ()
    if formula is not None:
        threshold = _by_formula(system, formula)
    else:
        threshold = _by_bisection(system, name, binding, allowed, answer, sense)
    base = threshold(values)
    if base is None:
        return ()
    inputs = [n for r in binding for n in system.inputs_of_relation(r) if n != name]
    rows = []
    for item in dict.fromkeys(inputs):
        if not isinstance(values.get(item), (int, fmpq)) or not values[item]:
            continue
        row = _row(system, threshold, values, item, base, sense)
        if row is not None and (row.elasticity or row.halved != 1.0 or row.doubled != 1.0):
            rows.append(Sensitivity(*row_values(row)))
    return tuple(sorted(rows, key=lambda row: row.name))


def row_values(row: Any) -> tuple[Any, ...]:
    """Fields of a row in order."""
    return (row.name, row.value, row.elasticity, row.halved, row.doubled, row.factor)


def _by_formula(system: System, formula: sympy.Expr) -> Threshold:
    def threshold(values: Mapping[str, Any]) -> float | None:
        return _log(system.evaluate(formula, values, BITS))

    return threshold


def _log(value: Any) -> Any:
    """Natural logarithm of |value| as a ball, or None."""
    if value is None or (exact.is_exact(value) and value == 0):
        return None
    with precision(BITS):
        ball = abs(exact.to_ball(value))
        return ball.log() if ball > 0 else None


def _by_bisection(
    system: System, name: str, binding: tuple[sympy.Basic, ...], allowed: Range,
    answer: fmpq, sense: str,
) -> Threshold:  # fmt: skip
    from boundcheck.explore.solving import bisect

    loose = Range(allowed.low, allowed.high, allowed.open_low, allowed.open_high)

    def threshold(values: Mapping[str, Any]) -> Any:
        def met(value: fmpq) -> bool:
            if not loose.contains(value):
                return False
            return all(system.holds(r, {**values, name: value}) is True for r in binding)

        inside = outside = answer
        inward = 2 if (sense != "greatest") == (answer > 0) else fmpq(1, 2)
        for _ in range(60):
            if met(inside):
                break
            outside, inside = inside, inside * inward
        else:
            return None
        for _ in range(60):
            if not met(outside):
                break
            inside, outside = outside, outside / inward
        else:
            return None
        return _log(bisect(met, inside, outside, False))

    return threshold


class _Row:
    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)


def _row(
    system: System, threshold: Threshold, values: Mapping[str, Any], item: str, base: Any,
    sense: str,
) -> Any:  # fmt: skip
    allowed, start = system.ranges[item], fmpq(values[item])

    def moved(factor: fmpq) -> Any:
        value = start * factor
        inside = Range(allowed.low, allowed.high, allowed.open_low, allowed.open_high)
        if not inside.contains(value):
            return None
        return threshold({**values, item: int(value.p) if value.q == 1 and allowed.whole else value})

    elasticity = _elasticity(moved, base)
    if elasticity is None:
        return None
    factor = _halving(moved, base, elasticity, math.log(2.0) * (1 if sense == "greatest" else -1))
    return _Row(
        name=item, value=values[item], elasticity=elasticity,
        halved=_share(moved(fmpq(1, 2)), base), doubled=_share(moved(fmpq(2)), base),
        factor=factor,
    )  # fmt: skip


def _share(moved: Any, base: Any) -> float | None:
    if moved is None:
        return None
    with precision(BITS):
        gap = float((moved - base).mid())
    return math.exp(gap) if abs(gap) < 700 else (math.inf if gap > 0 else 0.0)


def _elasticity(moved: Callable[[fmpq], Any], base: Any) -> float | None:
    up, down = moved(1 + STEP), moved(1 / (1 + STEP))
    with precision(BITS):
        width = (arb(1) + arb(STEP)).log()
        if up is not None and down is not None:
            rate = (up - down) / (2 * width)
        elif up is not None:
            rate = (up - base) / width
        elif down is not None:
            rate = (base - down) / width
        else:
            return None
        rate = float(rate.mid())
    # Snap to zero and to whole rates what differs by the error of the difference quotient only.
    near = round(rate * 12) / 12
    return near if abs(rate - near) < 1e-9 else rate


def _halving(
    moved: Callable[[fmpq], Any], base: Any, elasticity: float, wanted: float
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
