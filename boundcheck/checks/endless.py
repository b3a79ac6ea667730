"""Growth along rays without end, for statements whose hypotheses couple numbers of the world.

The numbers that move along a family in powers of its size are taken as a ray, which the checker
must certify; far enough out it then excludes every constant that the statement and the ray make by
their own numbers. A statement about numbers alone that grows too slowly for that, as a logarithm
does, falls by the law of both sides.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import chain, islice, product
from typing import Any

from boundcheck.certify import refutation, to_exclude
from boundcheck.checker.growing import law
from boundcheck.checker.laws import MOVES
from boundcheck.checker.magnitudes import told
from boundcheck.checker.ray import Ray
from boundcheck.checker.rays import as_extra, is_endless
from boundcheck.checker.repetition import fails_without_end, growth, said as powers_said
from boundcheck.checker.spreads import as_extra as as_spread, law_of, said
from boundcheck.checks.base import Task
from boundcheck.checks.curves import NAME, is_listed
from boundcheck.checks.enumeration import reading
from boundcheck.checks.proofs.limits import OutOfFuel, limit
from boundcheck.claim import Holds, UpToConstant
from boundcheck.errors import Undecided, Undefined
from boundcheck.exact import PRECISIONS, precision
from boundcheck.scores import constant_needed
from boundcheck.search.beginnings import simple_worlds
from boundcheck.search.growth import sizes
from boundcheck.search.pushes import Motion, Row
from boundcheck.search.rays import fitted
from boundcheck.search.spreads import lines_of, rare_atoms, spreads_of
from boundcheck.setting import Setting
from boundcheck.verdict import Evidence
from boundcheck.worlds.families import Family

MOST_RAYS = 40  # of one family
# octaves between which growth is measured, far out if it dips, near if numbers explode
LOOKED_AT = (8, 16), (128, 256), (1, 3)
LEAST_RATE = 0.01  # octaves of the constant for each of t
MOST_OCTAVES = 20_000
NEAR = 4  # octaves at which a law is shown
MOST_MOTIONS, MOST_SPREADS = 12, 90  # that are tried for a law of a world written out
MARGINS = (1.02, 1.2)  # by which the octaves that should do are multiplied
UNKNOWN = (OutOfFuel, Undefined, Undecided, ArithmeticError, ValueError, MemoryError)


def refuted(task: Task, family: Family) -> Evidence | None:
    """A refutation by the law of both sides along a ray of the family, or None."""
    rays = islice(fitted(task.claim, family), MOST_RAYS)
    found = (by_law(task, ray, family.name) for ray in rays)
    return next((evidence for evidence in found if evidence is not None), None)


def excluded_along(task: Task, family: Family, calls: int) -> Evidence | None:
    """A refutation along a ray that excludes every constant to consider, or None. Args: calls: of
    functions that the numbers of one world may take."""
    for ray in islice(fitted(task.claim, family), MOST_RAYS):
        if is_endless(task.claim, ray):
            found = excluded(task, ray, family.name, calls)
            if found is not None:
                return found
    return None


def repetition(task: Task) -> Evidence | None:
    """A refutation by the laws of both sides as one world is repeated; None where there is none."""
    claim = task.claim
    moves = [(size, move) for size in sizes(claim.fields) for move in MOVES
             if growth(claim, size, move) is not None]  # fmt: skip
    for (values, family), (size, move) in product(_bases(task) if moves else (), moves):
        powers = fails_without_end(claim, values, size, move, family)
        if powers is not None:
            shown = powers_said(powers, size, move)
            extra = {} if family is None else {"family": family.name}
            witness = task.witness(
                "trend", Setting(claim, values), shown, repeated=size, move=move, **extra
            )
            return Evidence(
                NAME, "refuted", f"no constant serves all worlds: growing {shown['growth']}, the "
                f"left side {shown['left']}, the right side {shown['right']}, exactly",
                kind="trend", witness=witness,
            )  # fmt: skip
    return None


def _bases(task: Task) -> Iterator[tuple[dict[str, Any], Family | None]]:
    """Worlds to repeat: simple ones; where the constant may depend on something, first ones of
    families."""
    if not getattr(task.claim.statement, "depends", ()):
        yield from ((values, None) for values in simple_worlds(task))
        return
    for family in task.claim.families:
        world = family.at(family.sizes[0])
        yield {name: world[name] for name in task.claim.fields}, family


def by_law(task: Task, ray: Ray, name: str) -> Evidence | None:
    """A refutation where left is certain to outgrow every multiple of right along a ray."""
    words, values = law(task.claim, ray), ray.at(NEAR)
    if not words or values is None:
        return None
    setting = Setting(task.claim, values)
    witness = task.witness(
        "trend", setting, {"law": words}, family=name, law=True, **as_extra(ray, NEAR)
    )
    return Evidence(
        NAME, "refuted", f"no constant serves all worlds: along the family '{name}' hypotheses "
        f"hold without end, and {words}", kind="trend", witness=witness,
    )  # fmt: skip


def spread_out(task: Task, rows: Sequence[Row]) -> Evidence | None:
    """A refutation by the law of both sides as entries of a world move one by one and parts of it
    are copied, or None. Args: rows: motions along which left over right rises."""
    form = task.claim.statement
    if task.claim.draw is not None or not isinstance(getattr(form, "inner", None), Holds):
        return None
    bases = simple_worlds(task)
    motions = [*((Motion(()), base) for base in bases), *(row[1:] for row in rows[:MOST_MOTIONS])]
    proposed = (spread for base in bases for ways in (lines_of, rare_atoms)
                for spread in ways(task.claim, base))  # fmt: skip
    moved = (spread for motion, base in motions for spread in spreads_of(task.claim, motion, base))
    for spread in islice(chain(proposed, moved), MOST_SPREADS):
        words = law_of(task.claim, spread)
        if words:
            setting = Setting(task.claim, dict(spread.start))
            shown = {"law": words, "moves": said(spread)}
            witness = task.witness("trend", setting, shown, law=True, **as_spread(spread))
            return Evidence(
                NAME, "refuted", f"no constant serves all worlds: as {shown['moves']}, {words}",
                kind="trend", witness=witness,
            )  # fmt: skip
    return None


def excluded(task: Task, ray: Ray, name: str, calls: int) -> Evidence | None:
    """A refutation where a ray that stays excludes every constant to consider, or None."""
    bound = to_exclude(task.claim, None, ray)
    if bound is None:
        return None
    for ends in LOOKED_AT:
        for octaves in _where(task, ray, bound, ends, calls):
            found = _at(task, ray, octaves, name, calls) if octaves <= MOST_OCTAVES else None
            if found is not None:
                return found
    return None


def _where(
    task: Task, ray: Ray, bound: int, ends: tuple[int, int], calls: int
) -> Iterator[int]:
    """Octaves at which a bound should be excluded, by the growth between two places."""
    near, far = (_needed(task, ray, octaves, calls) for octaves in ends)
    rate = math.log2(far / near) / (ends[1] - ends[0]) if 0 < near < far < math.inf else 0
    if rate >= LEAST_RATE:
        missing = max(bound.bit_length() - math.log2(far), 0) / rate
        yield from (ends[1] + 2 * math.ceil(margin * missing / 2) + 2 for margin in MARGINS)


def _needed(task: Task, ray: Ray, octaves: int, calls: int) -> float:
    """The constant needed so far out, NaN where it cannot be had."""
    values, form = ray.at(octaves), task.claim.statement
    if values is None or not isinstance(form, UpToConstant):
        return math.nan
    setting = Setting(task.claim, values)
    try:
        with limit(calls), precision(PRECISIONS[1]):
            return constant_needed(setting, form) if is_listed(task, setting) else math.nan
    except UNKNOWN:
        return math.nan


def _at(task: Task, ray: Ray, octaves: int, name: str, calls: int) -> Evidence | None:
    values = ray.at(octaves)
    if values is None:
        return None
    setting = Setting(task.claim, values)
    try:
        if not is_listed(task, setting):
            return None
        with limit(4 * calls):
            kind, shown = refutation(setting, None, ray)
    except UNKNOWN:
        return None
    if kind is None:
        return None
    witness = task.witness(kind, setting, shown, family=name, **as_extra(ray, octaves))
    bound = to_exclude(task.claim, None, ray)
    return Evidence(
        NAME, "refuted", f"no constant serves all worlds: along the family '{name}' hypotheses "
        f"hold without end, and constants up to {told(bound or 0)} are all that its numbers make; "
        f"at t = 2^{octaves}, {reading(shown)}", kind=kind, witness=witness,
    )  # fmt: skip
