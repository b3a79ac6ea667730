"""Free values that were pushed to an end of the search, where others cost the same.

Where a smaller regularisation is never dearer, none is the best, and how far somebody looked is no
answer. Sizes are whole, so the cost stops falling somewhere: the plan takes the last value before
that and says that every smaller one does as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import sympy
from flint import fmpq

from boundcheck.explore.alone import Interval
from boundcheck.explore.conditions import System
from boundcheck.explore.ranges import Range
from boundcheck.explore.rounding import DIGITS, rounded
from boundcheck.explore.solving import intersect, ladder, solve

BEYOND = fmpq(10) ** 8  # so far behind the end the cost is looked at once more
PROBES = 12  # values over all magnitudes farther out at which it is looked at before a word of them
SAME = 1e-12  # of logarithms of costs

Point = dict[str, fmpq]
Cost = Callable[[Point], float]


def way(value: fmpq, low: fmpq, high: fmpq) -> str:
    """To which end of a search a value was pushed: "smaller", "larger", or "" for none."""
    return "smaller" if value <= 2 * low else "larger" if value >= high / 2 else ""


def falls_on(allowed: Range, point: Point, name: str, word: str, cost: Cost) -> bool:
    """Whether the cost falls, and nowhere rises, from a free value to the end of its range."""
    least = cost(point)
    costs = [least, *(cost({**point, name: each}) for each in _beyond(allowed, point[name], word))]
    return costs[-1] < least - SAME and all(b <= a + SAME for a, b in pairwise(costs))


def stays(
    system: System, relations: Sequence[sympy.Basic], point: Point, values: dict[str, object],
    name: str, word: str, cost: Cost,
) -> bool:  # fmt: skip
    """Whether the cost is the same from a free value to the end of its range, and all relations
    hold there at the sizes of the plan."""
    allowed = system.ranges[name]
    far = _beyond(allowed, point[name], word)
    common = _admitted(system, relations, values, name)
    back = {"smaller": "larger", "larger": "smaller"}[word]
    end = _end(common, point[name], back)
    reached = end is None or not far or (end <= far[-1] if word == "smaller" else end >= far[-1])
    least = cost(point)
    return reached and all(abs(cost({**point, name: each}) - least) <= SAME for each in far)


def _beyond(allowed: Range, value: fmpq, word: str) -> list[fmpq]:
    """Some values farther out on one side, over all magnitudes, the farthest one last."""
    if word == "smaller":
        found = [each for each in reversed(ladder(allowed)) if each < value]
    else:
        found = [each for each in ladder(allowed) if each > value]
    return [*found[:: len(found) // PROBES + 1], *found[-1:]]


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
    allowed = system.ranges[name]
    end = _end(_admitted(system, relations, values, name), point[name], word)
    for candidate in () if end is None else (rounded(end), *_shorter(end, word)):
        moved = {**point, name: candidate}
        if allowed.contains(candidate) and abs(cost(moved) - least) <= SAME:
            return candidate
    return None


def _admitted(
    system: System, relations: Sequence[sympy.Basic], values: dict[str, object], name: str
) -> tuple[Interval, ...]:
    """Where all relations that name a free value hold, with the others as they are."""
    about = [r for r in relations if name in system.inputs_of_relation(r)]
    return intersect([solve(system, r, name, values, system.ranges[name]).intervals for r in about])


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
