"""Plans over symbols that take one of finitely many values: each of these is tried.

Where a size may only be 2, 3, 5, 7 or 11, what is cheapest is found by trying all of them, and so
is the certificate that nothing is cheaper.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from flint import fmpq

from boundcheck.explore.conditions import System
from boundcheck.explore.optimum import Optimum
from boundcheck.explore.ranges import Range
from boundcheck.explore.sizing import Sizes

MOST = 64  # ways of choosing from finite sets that are all tried
CHEAPER = 1e-9  # of logarithms of costs
Point = dict[str, fmpq]


def ways(ranges: Mapping[str, Range], names: Sequence[str]) -> Iterator[dict[str, fmpq]]:
    """Every choice of values for those names that take finitely many; none where there are many.

    >>> two = Range(items=(fmpq(1), fmpq(3)))
    >>> [*map(str, ways({"a": two, "b": Range()}, ["a", "b"]))]
    ["{'a': 1}", "{'a': 3}"]
    """
    sets = {name: items for name in names if (items := ranges[name].items) is not None}
    count = 1
    for items in sets.values():
        count *= len(items)
    for chosen in itertools.product(*sets.values()) if count <= MOST else ():
        yield dict(zip(sets, chosen, strict=True))
    if count > MOST:
        yield {}


@contextmanager
def held(system: System, values: Mapping[str, fmpq]) -> Iterator[None]:
    """Symbols that can have no other than these values, for a while."""
    ranges, solved = system.ranges, system.solved
    system.ranges = ranges | {name: replace(ranges[name], items=(fmpq(value),))
                              for name, value in values.items()}  # fmt: skip
    system.solved = {}
    try:
        yield
    finally:
        system.ranges, system.solved = ranges, solved


def cheapest(
    work: Sizes, names: Sequence[str], search: Callable[[], Point | None]
) -> Point | None:
    """The free values of least cost that a search finds, in all ways of choosing from sets."""
    best: tuple[float, Point, dict[str, Any], dict[str, str]] | None = None
    for chosen in ways(work.system.ranges, names):
        work.seen, work.alike = {}, {}
        with held(work.system, chosen):
            point = search()
            values = None if point is None else work.filled(point)
        cost = work.value(values)
        if point is not None and values is not None and (best is None or cost < best[0] - CHEAPER):
            best = cost, point, values, work.alike
    work.seen = {}
    if best is None:
        return None
    _, point, values, work.alike = best
    work.keep(point, values)
    return point


def worst(found: Sequence[Optimum]) -> Optimum:
    """What certificates of all ways say together."""
    return Optimum(
        min(one.least for one in found), max(one.factor for one in found),
        sum(one.boxes for one in found),
        tuple(sorted({name for one in found for name in one.unread})),
        max(one.gap for one in found),
    )  # fmt: skip
