"""Conditions on whole numbers whose truth comes and goes, as those of floors, cosines, (-1)^n.

A ladder over all magnitudes meets few values of those that do. So values next to the ends that it
finds are asked too, until no more of them do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sympy
from flint import arb, fmpq

from boundcheck.errors import InvalidArgument
from boundcheck.explore.ranges import Range
from boundcheck.explore.values import Truth

RETURNING = (
    sympy.floor, sympy.ceiling, sympy.frac, sympy.Mod, sympy.sin, sympy.cos, sympy.tan,
)  # fmt: skip
Cells = Callable[[fmpq | None, fmpq | None], Truth | None]  # what holds between two values
ROUNDED = sympy.floor, sympy.ceiling, sympy.frac
NONE: dict[str, Any] = {}
WHOLE = Range(low=fmpq(0), whole=True)
WINDOW, ROUNDS = 64, 32  # values asked beyond an end, and how often it may move
PERIODS, WIDEST = 2, 4096  # of what comes back that are asked, and values at most
CLOSE = fmpq(1, 2**20)  # of an end, nearer to which enclosures need not tell


def returns(
    relation: sympy.Basic, name: str, values: Mapping[str, Any] = NONE, allowed: Range = WHOLE
) -> bool:
    """Whether a condition may hold again where it failed, by a function that comes back.

    Args: values: of its other symbols. allowed: what the one that moves may be.

    >>> n = sympy.Symbol("n", real=True)
    >>> returns(n - 6 * sympy.floor(n / 6) <= 1, "n"), returns(n**2 - 9 * n >= 1, "n")
    (True, False)
    >>> returns((-1) ** n * n <= 9, "n"), returns((-3) ** 3 * n <= 9, "n")
    (True, False)
    """
    from boundcheck.explore.enclosure import exactly, may_be_negative, span

    def moves(expr: sympy.Basic) -> bool:
        return name in {symbol.name for symbol in expr.free_symbols}

    box = {n: exactly(v) for n, v in values.items() if isinstance(v, (int, fmpq, arb))}
    box[name] = span(allowed)
    turning = (power.exp for power in relation.atoms(sympy.Pow)
               if moves(power.exp) and may_be_negative(power.base, box))  # fmt: skip
    return any(map(moves, (*relation.atoms(*RETURNING), *turning)))


def window(relation: sympy.Basic, name: str) -> int:
    """How many values beyond an end are asked: some periods of each function that comes back.

    >>> n = sympy.Symbol("n", real=True)
    >>> window(n - 100 * sympy.floor(n / 100) <= 5, "n"), window((-1) ** n * n <= 9, "n")
    (200, 64)
    """
    return min(_periods(relation, name), WIDEST)


def is_long(relation: sympy.Basic, name: str) -> bool:
    """Whether some function comes back so late that not all of its periods are asked.

    >>> n = sympy.Symbol("n", real=True)
    >>> is_long(n - 8000 * sympy.floor(n / 8000) <= 5, "n")
    True
    """
    return _periods(relation, name) > WIDEST


def _periods(relation: sympy.Basic, name: str) -> int:
    """How many values some periods of each function that comes back have."""
    widest = WINDOW
    for part in relation.atoms(*RETURNING):
        inner = part.args[0] / part.args[1] if isinstance(part, sympy.Mod) else part.args[0]
        for symbol in inner.free_symbols:
            rate = abs(inner.diff(symbol)) if symbol.name == name else sympy.S.Zero
            if rate.is_number and rate.is_positive:
                whole = 1 if isinstance(part, (*ROUNDED, sympy.Mod)) else 2 * sympy.pi
                widest = max(widest, int(sympy.ceiling(PERIODS * whole / rate)))
    return widest


def holds_inside(told: Cells | None, pair: tuple[fmpq | None, fmpq | None]) -> bool:
    """Whether enclosures show a condition to hold between two ends, next to them aside."""
    low, high = pair
    if told is None or low is None or high is None:
        return False
    near = CLOSE * (high - low)
    return low == high or told(low + near, high - near) is Truth.HOLDS


def look_around(
    truth: Callable[[fmpq], Truth], known: dict[fmpq, Truth], allowed: Range, far: int = WINDOW
) -> bool:
    """Asks of values next to the least one, and next to the first and the last that will do.

    Args: far: how many of them.

    Returns: whether more of them will do, however far above the last one it was looked, or will
    not do beyond the largest value that was asked, which does.
    """
    def ask(start: fmpq, way: int) -> list[bool]:
        new = [value for k in range(1, far + 1)
               if allowed.contains(value := start + way * k) and value not in known]
        known.update((value, truth(value)) for value in new)
        return [known[value] is Truth.HOLDS for value in new]

    if allowed.low is not None:
        ask(allowed.low, 1)
    top = max(known)
    for way in (-1, 1):
        for _ in range(ROUNDS):
            met = [value for value, answer in known.items() if answer is Truth.HOLDS]
            end = (max if way == 1 else min)(met, default=top)
            if end == top:
                return way == 1 and not all(ask(top, way))
            if not any(ask(end, way)):
                break
        else:
            if way == 1:
                return True
    return False


def runs(
    steps: Sequence[fmpq], answers: Sequence[Truth], beyond: Callable[[fmpq, int], fmpq | None]
) -> list[tuple[fmpq | None, fmpq | None]]:
    """Runs of neighbouring integers among increasing ones that were asked at which a condition
    holds, the last of all that were asked where these will do; at either end of what was asked a
    run ends at what lies beyond."""
    found: list[tuple[fmpq, fmpq]] = []
    for value, answer in zip(steps, answers, strict=True):
        if answer is Truth.HOLDS:
            start = found.pop()[0] if found and found[-1][1] == value - 1 else value
            found.append((start, value))
    tail = next((at for at in range(len(steps), 0, -1) if answers[at - 1] is not Truth.HOLDS), 0)
    if tail < len(steps):
        found = [run for run in found if run[0] < steps[tail]]
        found.append((steps[tail], steps[-1]))
    ends: list[tuple[fmpq | None, fmpq | None]] = [*found]
    if found and found[0][0] == steps[0]:
        ends[0] = beyond(steps[0], -1), found[0][1]
    if found and found[-1][1] == steps[-1]:
        ends[-1] = ends[-1][0], beyond(steps[-1], 1)
    return ends


def scattered(intervals: Sequence[tuple[fmpq | None, fmpq | None]]) -> bool:
    """Whether the last values that will do lie alone, farther from those before than is asked.

    Squares among the powers of two are met so: after the last one there are others.
    """
    if len(intervals) < 2:
        return False
    before, (start, _) = intervals[-2][1], intervals[-1]
    return before is not None and start is not None and start - before > WINDOW


def require_last(label: str, name: str, endless: Sequence[sympy.Basic]) -> None:
    """Raises: InvalidArgument where a last value, or one from which on all do, is none."""
    if endless:
        raise InvalidArgument(
            f"{label}: {_text(endless[0])} comes and goes with {name} as far as was looked, "
            "so that it has no end above; ask for the least value, or give a --target that has one"
        )


def require_seen(label: str, name: str, unseen: Sequence[sympy.Basic]) -> None:
    """Raises: InvalidArgument where a last value of those that were tried may not be the last."""
    if unseen:
        raise InvalidArgument(
            f"{label}: {_text(unseen[0])} comes and goes with {name} above the last value that "
            f"was found, which may not be the greatest; try values of {name} with `boundcheck at`, "
            "or ask for the least value"
        )


def require_first(label: str, name: str, hidden: Sequence[sympy.Basic]) -> None:
    """Raises: InvalidArgument where a first value of those that were tried may not be the first."""
    if hidden:
        raise InvalidArgument(
            f"{label}: {_text(hidden[0])} comes and goes with {name} below the first value that "
            f"was found, which may not be the least; try values of {name} with `boundcheck at`, or "
            "give a --target that has an end"
        )


def _text(relation: sympy.Basic) -> str:
    from boundcheck.explore.wording import formula_text

    return formula_text(relation)


def opposed(conflict: Sequence[Any], name: str) -> str:
    """What two conditions are to each other that no value was found to meet."""
    if any(returns(item.relation, name) for item in conflict):
        return f"were met together by no {name} that was tried"
    return "contradict each other"
