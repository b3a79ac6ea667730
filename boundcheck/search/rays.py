"""Rays along the families of a claim: which numbers move along powers of the size, and which stay.

What a hypothesis bounds by what moves must move along; what falls may stand at its end from the
start. A proposal only; `boundcheck.checker.rays` certifies what is made of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import sympy
from flint import fmpq, fmpq_mat

from boundcheck.arithmetic import Value, midpoint, to_ball
from boundcheck.checker.judge import is_admissible
from boundcheck.checker.ray import Ray
from boundcheck.claim import Claim
from boundcheck.errors import Undecided, Undefined
from boundcheck.search.admissible import Candidates, is_symbol
from boundcheck.setting import Setting
from boundcheck.worlds.families import Family
from boundcheck.worlds.fields import Integer

STEP = 2  # octaves between the sizes that are compared
ABOVE = 0.01  # what a power that is no exact one is raised by before it is rounded up
MOST_POWER = 64
BOUNDED_AT = (64, 128)  # octaves between which the growth of a bound is measured
EXACT = 1e-9  # from a power that counts as that one
HIGHER = (1, 2, 16)  # times its bound at which a number begins


class Motion(NamedTuple):
    """How one value moves: e + c t^power."""

    power: fmpq
    end: fmpq = fmpq(0)


def fitted(claim: Claim, family: Family) -> Iterator[Ray]:
    """Rays from worlds of a family: all that moves along it in powers, or all but one; else the
    numbers that rise in another way, such as a logarithm of the size, along t itself; then the same
    with what falls at its end, and with what hypotheses bound by what moves."""
    plain = list(_fitted(claim, family))
    yield from plain
    ended = [each for ray in plain for each in at_ends(claim, ray)]
    yield from ended
    for ray in (*plain, *ended):
        yield from carried(claim, ray)


def at_ends(claim: Claim, ray: Ray) -> Iterator[Ray]:
    """The ray with numbers and arrays that fall at their ends from the start: all that may stand
    there in its first world, then each alone."""
    falling = [name for name, power in ray.powers.items() if power < 0]
    here = ray
    for name in falling:
        ended = _at_end(here, name)
        here = ended if is_admissible(claim, ended.start) else here
    alone = (_at_end(ray, name) for name in falling)
    for ended in [here, *alone] if here is not ray else ():
        if ended.powers:
            yield ended


def _at_end(ray: Ray, name: str) -> Ray:
    value, end = ray.start[name], ray.ends.get(name, fmpq(0))
    stands: Value = value * 0 if isinstance(value, fmpq_mat) else (
        (end,) * len(value) if isinstance(value, tuple) else end)  # fmt: skip
    powers = {other: power for other, power in ray.powers.items() if other != name}
    ends = {other: where for other, where in ray.ends.items() if other != name}
    return Ray({**ray.start, name: stands}, powers, ends)


def carried(claim: Claim, ray: Ray) -> Iterator[Ray]:
    """The ray with numbers that a hypothesis bounds by what moves: from their bound on, or some
    times that, along its power or the next whole one; then integers next to their bound."""
    for times in (*HIGHER, 0):
        here = ray
        for name, relation in Candidates(claim).isolating:
            if name not in here.powers:
                here = _carried(claim, here, name, relation, times)
        if here is not ray:
            yield here


def _carried(claim: Claim, ray: Ray, name: str, relation: sympy.Rel, times: int) -> Ray:
    """One number along its bound, `times` higher or, if that is 0, an integer next to it; the same
    ray where the bound stays or has no power."""
    up = is_symbol(relation.gts, name)
    bound = relation.lts if up else relation.gts
    try:
        worlds = [ray.at(octaves) for octaves in (0, *BOUNDED_AT)]
        first, near, far = (to_ball(Setting(claim, world).evaluate(bound)) for world in worlds
                            if world is not None)  # fmt: skip
        rate = float((far / near).log()) / math.log(2) / (BOUNDED_AT[1] - BOUNDED_AT[0])
        edge = midpoint(first.upper() if up else first.lower())
    except (Undefined, Undecided, ArithmeticError, ValueError, TypeError, KeyError):
        return ray
    if not EXACT < abs(rate) < MOST_POWER or edge <= 0:
        return ray
    nearest = round(rate)
    power = nearest if abs(rate - nearest) < EXACT else math.ceil(rate) if up else math.floor(rate)
    whole = isinstance(claim.fields[name], Integer)
    if not times:
        if not whole or edge.q != 1 or abs(rate - nearest) >= EXACT:
            return ray
        step = 1 if up else -1
        start = {**ray.start, name: int(edge.p) + step}
        return Ray(start, {**ray.powers, name: fmpq(power)}, {**ray.ends, name: fmpq(step)})
    begun = edge * times if up else edge / times
    start = {**ray.start, name: int(begun.ceil() if up else begun.floor()) if whole else begun}
    return Ray(start, {**ray.powers, name: fmpq(power)}, ray.ends)


def _fitted(claim: Claim, family: Family) -> Iterator[Ray]:
    """What moves along a family in powers, or rises otherwise."""
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
