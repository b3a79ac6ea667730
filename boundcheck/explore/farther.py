"""Whether worlds beyond the numbers that search looks at fail much earlier than those it found.

The domain of a number may have no end, or come as near to one as it likes; search looks at it so
far, and the tightest world it finds may be the last one it looked at: log(y) <= c y^(1/100) needs
c = 36.79 at y = e^100. So the numbers of the tightest worlds go on towards the ends of their
domains; one that fails clearly earlier says that search ended too early for its support to mean
much.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from flint import fmpq

from boundcheck.claim import Claim
from boundcheck.explore.critical import NAME, Turning
from boundcheck.worlds import Integer, Real
from boundcheck.worlds.composed import promised_field

STEPS = (1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 3, 7, 15)  # times the octaves that a number is from one
MOST_BITS = 1 << 14  # of a number
Values = Mapping[str, Any]


def broken_beyond(turning: Turning, at: float, worlds: Iterable[Values]) -> str:
    """The names of numbers with which worlds go on to fail at a value of a constant, or "".

    Args: turning: the statement with that constant free. worlds: tight ones to begin from.
    """
    for values in worlds:
        for names, moved in onward(turning.claim, values):
            if turning.fails({**values, **moved}, at):
                return names
    return ""


def onward(claim: Claim, values: Values) -> Iterator[tuple[str, dict[str, Any]]]:
    """(names, values) of numbers of a world moved towards the ends of their domains: each alone,
    then all that have no end together."""
    outward: list[list[tuple[str, Any]]] = []
    for name, field in claim.fields.items():
        promised, value = promised_field(field), values.get(name)
        if name == NAME or not isinstance(value, (int, fmpq)) or isinstance(value, bool):
            continue
        if isinstance(promised, Real) or (isinstance(promised, Integer) and promised.wide):
            whole = isinstance(promised, Integer)
            for end, way in ((promised.low, -1), (promised.high, 1)):
                moved = [(name, each) for each in _towards(end, fmpq(value), way, whole)]
                yield from ((name, {name: each}) for _, each in moved)
                outward += [moved] if end is None and moved else []
    if len(outward) > 1:
        for together in zip(*outward, strict=False):
            yield ", ".join(name for name, _ in together), dict(together)


def _towards(end: object, value: fmpq, way: int, whole: bool) -> Iterator[Any]:
    """Values nearer and nearer to an end, or larger and larger in a direction without one."""
    if end is None:
        size = way * value
        for moved in _scaled(size, 1) if size > 0 else ():
            yield int((way * moved).floor()) if whole else way * moved
    elif isinstance(end, (int, fmpq)) and not whole and value != end:
        yield from (end + moved for moved in _scaled(value - end, -1))


def _scaled(size: fmpq, way: int) -> Iterator[fmpq]:
    octaves = abs(int(size.p).bit_length() - int(size.q).bit_length()) + 1
    for step in STEPS:
        power = math.ceil(step * octaves)
        if power <= MOST_BITS:
            yield size * fmpq(2) ** (way * power)
