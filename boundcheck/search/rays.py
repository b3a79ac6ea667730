"""Rays along the families of a claim: which numbers move along powers of the size, and which stay.

A proposal only; `boundcheck.checker.rays` certifies what is made of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from flint import fmpq, fmpq_mat

from boundcheck.arithmetic import Value
from boundcheck.checker.ray import Ray
from boundcheck.claim import Claim
from boundcheck.errors import Undecided, Undefined
from boundcheck.worlds.families import Family

STEP = 2  # octaves between the sizes that are compared
ABOVE = 0.01  # what a power that is no exact one is raised by before it is rounded up
MOST_POWER = 64


class Motion(NamedTuple):
    """How one value moves: e + c t^power."""

    power: fmpq
    end: fmpq = fmpq(0)


def fitted(claim: Claim, family: Family) -> Iterator[Ray]:
    """Rays from worlds of a family: all that moves along it in powers, or all but one; else the
    numbers that rise in another way, such as a logarithm of the size, along t itself."""
    for size in dict.fromkeys((family.sizes[len(family.sizes) // 2], family.sizes[0])):
        worlds = _worlds(claim, family, [size << STEP * place for place in range(3)])
        if not worlds:
            continue
        found = {name: _motion([world[name] for world in worlds]) for name in claim.fields}
        motions = {name: motion for name, motion in found.items() if motion is not None}
        for left in ("", *motions) if motions else ():
            moved = {name: motion for name, motion in motions.items() if name != left}
            yield Ray(
                worlds[0], {name: motion.power for name, motion in moved.items()},
                {name: motion.end for name, motion in moved.items() if motion.end},
            )  # fmt: skip
    yield from _risen(claim, family)


def _worlds(claim: Claim, family: Family, sizes: list[int]) -> list[dict[str, Value]]:
    """The fields of a claim along a family; none where a size has no world."""
    try:
        return [{name: world[name] for name in claim.fields} for world in map(family.at, sizes)]
    except (Undefined, Undecided, ArithmeticError, ValueError, TypeError, KeyError):
        return []


def _risen(claim: Claim, family: Family) -> Iterator[Ray]:
    """The ray of the numbers that rise along a family while all else stays."""
    worlds = _worlds(claim, family, [*family.sizes[:1], *family.sizes[-2:]])
    moved = [name for name in claim.fields if len({str(world[name]) for world in worlds}) > 1]
    values = [[world[name] for world in worlds] for name in moved]
    if moved and all(
        isinstance(value, (int, fmpq)) and value > 0 for each in values for value in each
    ) and all(first < second < third for first, second, third in values):
        yield Ray(worlds[0], dict.fromkeys(moved, fmpq(1)), {})


def _motion(values: list[Value]) -> Motion | None:
    """As `of_number`, of any value; arrays move in all their entries alike."""
    if all(isinstance(value, (int, fmpq)) for value in values):
        return of_number([fmpq(value) for value in values])
    first, second, third = (_flat(value) for value in values)
    if not first or not len(first) == len(second) == len(third):
        return None
    largest = max(range(len(first)), key=lambda place: abs(first[place]))
    found = of_number([each[largest] for each in (first, second, third)])
    if found is None or found.end:
        return None
    factor = fmpq(2) ** int(found.power * STEP)
    return found if [factor * entry for entry in first] == second else None


def _flat(value: Value) -> list[fmpq]:
    if isinstance(value, fmpq_mat):
        return list(value.entries())
    flat = isinstance(value, tuple) and all(isinstance(entry, (int, fmpq)) for entry in value)
    return [fmpq(entry) for entry in value] if flat else []


def of_number(values: list[fmpq]) -> Motion | None:
    """How a number moves over three sizes; None where it stays or moves in another way."""
    first, second, third = values
    if first == second or second == third:
        return None
    power = _exact_power((third - second) / (second - first))
    if power is not None:
        factor = fmpq(2) ** int(power * STEP)
        return Motion(power, first - (second - first) / (factor - 1))
    if min(values) <= 0 or not first < second < third:
        return None
    rise = max(math.log2(float(b / a)) if b / a < 2**999 else math.inf
               for a, b in ((first, second), (second, third))) / STEP  # fmt: skip
    return Motion(fmpq(math.ceil(rise + ABOVE))) if rise < MOST_POWER else None


def _exact_power(ratio: fmpq) -> fmpq | None:
    """The power of the size whose values have this ratio, in halves; None for another ratio."""
    if ratio <= 0 or ratio == 1 or 1 not in (ratio.p, ratio.q):
        return None
    number = int(max(ratio.p, ratio.q))
    if number & (number - 1):
        return None
    octaves = number.bit_length() - 1
    return fmpq(octaves if ratio > 1 else -octaves, STEP)
