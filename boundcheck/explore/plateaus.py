"""Free values that were pushed to an end of the search, where others cost the same.

Where a smaller regularisation is never dearer, none is the best, and how far somebody looked is no
answer. Sizes are whole, so the cost stops falling somewhere: the plan takes the last value before
that and says that every smaller one does as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import sympy
from flint import fmpq

from boundcheck.explore.conditions import System
from boundcheck.explore.rounding import DIGITS, rounded
from boundcheck.explore.solving import Interval, intersect, solve

BEYOND = fmpq(10) ** 8  # so far behind the end the cost is looked at once more
SAME = 1e-12  # of logarithms of costs

Point = dict[str, fmpq]
Cost = Callable[[Point], float]


def way(value: fmpq, low: fmpq, high: fmpq) -> str:
    """To which end of a search a value was pushed: "smaller", "larger", or "" for none."""
    return "smaller" if value <= 2 * low else "larger" if value >= high / 2 else ""


def inward(
    system: System, relations: Sequence[sympy.Basic], point: Point, values: dict[str, object],
    name: str, word: str, cost: Cost,
) -> fmpq | None:  # fmt: skip
    """The free value nearest to the middle that costs the same; None if the cost goes on falling.

    Args: relations: conditions that hold at `values`, the plan at `point`. word: where `name` was
    pushed.
    """
    beyond = {**point, name: point[name] / BEYOND if word == "smaller" else point[name] * BEYOND}
    least = cost(point)
    if system.ranges[name].contains(beyond[name]) and cost(beyond) < least - SAME:
        return None
    about = [r for r in relations if name in system.inputs_of_relation(r)]
    allowed = system.ranges[name]
    common = intersect([solve(system, r, name, values, allowed).intervals for r in about])
    end = _end(common, point[name], word)
    for candidate in () if end is None else (rounded(end), *_shorter(end, word)):
        moved = {**point, name: candidate}
        if allowed.contains(candidate) and abs(cost(moved) - least) <= SAME:
            return candidate
    return None


def _end(common: Sequence[Interval], value: fmpq, word: str) -> fmpq | None:
    """The end of the interval around a value that lies away from where it was pushed."""
    for low, high in common:
        if (low is None or low <= value) and (high is None or value <= high):
            return high if word == "smaller" else low
    return None


def _shorter(end: fmpq, word: str) -> list[fmpq]:
    """A few digits of an end, on its safe side."""
    step = fmpq(99, 100) if word == "smaller" else fmpq(101, 100)
    return [rounded(end * step, DIGITS), rounded(end * step * step, DIGITS)]
