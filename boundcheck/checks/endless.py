"""Growth without end, certified: by laws along rays of families, of worlds repeated or spread out.

The numbers that move along a family in powers of its size are taken as a ray, which the checker
must certify to stay among the worlds of the claim; left must outgrow every multiple of right there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice, product
from typing import Any

from boundcheck.checker.by_place import FORMS
from boundcheck.checker.growing import law
from boundcheck.checker.laws import MOVES
from boundcheck.checker.placed import (
    BY_PLACE,
    LEAST,
    fails_by_place,
    placeable,
    said as placed_said,
    world_of,
)
from boundcheck.checker.ray import Ray
from boundcheck.checker.rays import as_extra
from boundcheck.checker.repetition import (
    NOTHING,
    Scales,
    fails_without_end,
    growth,
    said as powers_said,
    scalings,
)
from boundcheck.checker.shifts import SHIFT, factors, fails_as_shifted, said as factors_said
from boundcheck.checker.spreads import as_extra as as_spread, law_of, said
from boundcheck.checker.tensor import TENSOR, fails_as_power, laws, said as power_said
from boundcheck.checks.base import Task
from boundcheck.checks.curves import NAME
from boundcheck.search.beginnings import simple_worlds
from boundcheck.search.factors import factors_of_powers
from boundcheck.search.growth import sizes
from boundcheck.search.pushes import Motion, Row
from boundcheck.search.rays import fitted
from boundcheck.search.spreads import PROPOSED, spreads_of
from boundcheck.setting import Setting
from boundcheck.verdict import Evidence
from boundcheck.worlds.families import Family

MOST_RAYS, FEWER_RAYS = 40, 20  # of one family, and of one that rises less than others
NEAR = 4  # octaves at which a law is shown
MOST_SCALED = 6  # ways to multiply values by powers of N that are tried in worlds
MOST_VECTORS, MOST_PLACED = 2, 2  # written by place, and worlds that they are put in
MOST_MOTIONS, MOST_SPREADS = 12, 110  # that are tried for a law of a world written out


def refuted(task: Task, family: Family, most: int = MOST_RAYS) -> Evidence | None:
    """A refutation by the law of both sides along a ray of the family, or None."""
    rays = islice(fitted(task.claim, family), most)
    found = (by_law(task, ray, family.name) for ray in rays)
    return next((evidence for evidence in found if evidence is not None), None)


def repetition(task: Task) -> Evidence | None:
    """A refutation by the laws of both sides as one world is repeated, or as its vectors move to
    later places; None where there is none."""
    claim = task.claim
    ways = [*product(sizes(claim.fields), MOVES)]
    plain = [(size, move, NOTHING) for size, move in ways if growth(claim, size, move) is not None]
    found = _outgrown(task, plain)
    if found is not None:
        return found
    later = [size for size in sizes(claim.fields) if factors(claim, size, 1) is not None]
    for (values, family), size in product(_bases(task) if later else (), later):
        made = fails_as_shifted(claim, values, size, family)
        if made is not None:
            return _repeated(task, values, family, size, SHIFT, factors_said(made, size))
    scaled = ((size, move, scales) for size, move in ways for scales in scalings(claim, size)
              if growth(claim, size, move, scales) is not None)  # fmt: skip
    return _outgrown(task, list(islice(scaled, MOST_SCALED)))


def _outgrown(task: Task, moves: Sequence[tuple[str, str, Scales]]) -> Evidence | None:
    """A refutation by the first world and move along which left certainly outgrows right."""
    claim = task.claim
    for (values, family), (size, move, scales) in product(_bases(task) if moves else (), moves):
        powers = fails_without_end(claim, values, size, move, family, scales)
        if powers is not None:
            shown = powers_said(powers, size, move, scales)
            return _repeated(task, values, family, size, move, shown, scales)
    return None


def by_known_worlds(task: Task) -> Evidence | None:
    """A refutation along Kronecker powers of a small world, or vectors written by place."""
    return as_powers(task) or by_place(task)


def as_powers(task: Task) -> Evidence | None:
    """A refutation by the factors of both sides along Kronecker powers of one small world."""
    for size in sizes(task.claim.fields):
        if not laws(task.claim, size):
            continue
        for values in factors_of_powers(task.claim, size, simple_worlds(task)):
            law_found = fails_as_power(task.claim, values, size)
            if law_found is not None:
                shown = power_said(law_found, size)
                return _repeated(task, values, None, size, TENSOR, shown)
    return None


def by_place(task: Task) -> Evidence | None:
    """A refutation by the law of both sides along vectors whose entries are written by place."""
    claim = task.claim
    found = {size: placeable(claim, size) for size in sizes(claim.fields)}
    written = {size: names for size, names in found.items() if 0 < len(names) <= MOST_VECTORS}
    worlds = simple_worlds(task)[:MOST_PLACED] if written else []
    for size, names in written.items():
        for forms, values in product(product(FORMS, repeat=len(names)), worlds):
            chosen = dict(zip(names, forms, strict=True))
            world = world_of(values, size, chosen, max(int(values[size]), LEAST))
            words = fails_by_place(claim, world, size, chosen)
            if words:
                shown = placed_said(size, chosen, words)
                return _repeated(task, world, None, size, BY_PLACE, shown, forms=chosen)
    return None


def _repeated(
    task: Task, values: dict[str, Any], family: Family | None, size: str, move: str,
    shown: dict[str, str], scales: Scales = NOTHING, **more: Any,
) -> Evidence:  # fmt: skip
    extra: dict[str, Any] = more if family is None else {**more, "family": family.name}
    extra |= {"scales": {name: str(power) for name, power in scales.items()}} if scales else {}
    witness = task.witness(
        "trend", Setting(task.claim, values), shown, repeated=size, move=move, **extra
    )
    told = shown.get("law") or (
        f"the left side {shown['left']}, the right side {shown['right']}, exactly")
    return Evidence(
        NAME, "refuted", f"no constant serves all worlds: growing {shown['growth']}, {told}",
        kind="trend", witness=witness,
    )  # fmt: skip


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
    bases = simple_worlds(task)
    motions = [*((Motion(()), base) for base in bases), *(row[1:] for row in rows[:MOST_MOTIONS])]
    proposed = (spread for base in bases for ways in PROPOSED
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
