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
NONE: dict[str, Any] = {}
WHOLE = Range(low=fmpq(0), whole=True)
WINDOW, ROUNDS = 64, 32  # values asked beyond an end, and how often it may move


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


def look_around(
    truth: Callable[[fmpq], Truth], known: dict[fmpq, Truth], allowed: Range
) -> bool:
    """Asks of values next to the least one, and next to the first and the last that will do.

    Returns: whether more of them will do, however far above the last one it was looked, or will
    not do beyond the largest value that was asked, which does.
    """
    def ask(start: fmpq, way: int) -> list[bool]:
        new = [value for k in range(1, WINDOW + 1)
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


def scattered(intervals: Sequence[tuple[fmpq | None, fmpq | None]]) -> bool:
    """Whether the last values that will do lie alone, farther from those before than is asked.

    Squares among the powers of two are met so: after the last one there are others.
    """
    if len(intervals) < 2:
        return False
    before, (start, _) = intervals[-2][1], intervals[-1]
    return before is not None and start is not None and start - before > WINDOW


def require_last(label: str, name: str, endless: Sequence[str]) -> None:
    """Raises: InvalidArgument where a last value, or one from which on all do, is none."""
    if endless:
        raise InvalidArgument(
            f"{label}: {endless[0]} comes and goes with {name} as far as was looked, "
            "so that it has no end above; ask for the least value, or give a --target that has one"
        )


def opposed(conflict: Sequence[Any], name: str) -> str:
    """What two conditions are to each other that no value was found to meet."""
    if any(returns(item.relation, name) for item in conflict):
        return f"were met together by no {name} that was tried"
    return "contradict each other"
