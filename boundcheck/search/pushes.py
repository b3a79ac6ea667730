"""Families of growing worlds found by the machine: parameters pushed along powers of one size.

An admissible world is kept, and one or two of its numbers go where their domains let them: to
infinity, or to an open or closed end. Directions and exponents are what is searched; the pushes
along which left over right rises most become families, named in words.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from flint import fmpq

from boundcheck.checks.base import Task
from boundcheck.checks.invariance import side_ratio
from boundcheck.errors import Undecided, Undefined
from boundcheck.search.admissible import Candidates
from boundcheck.search.shrink import size as digits_of
from boundcheck.setting import Setting
from boundcheck.worlds.families import Family, doublings
from boundcheck.worlds.fields import Field, Integer, Real

BASES = 3  # worlds from which pushes begin
KEPT = 3  # families
EXPONENTS = (1, 2, 4)
NEAR, FAR = 2**6, 2**16  # sizes at which pushes are compared
SIZES = doublings(2, 7)


@dataclass(frozen=True)
class Push:
    """One number of a world as a function of the size: `value(start, N^exponent)`."""

    name: str
    words: str
    exponent: int
    value: Callable[[fmpq, int], fmpq]


def found_families(task: Task) -> list[Family]:
    """The families along which left over right rises most, best first; none rises in vain."""
    claim = task.claim
    depends = getattr(claim.statement, "depends", ())
    singles = [
        push for symbol, field in claim.parameters.items() if symbol.name not in depends
        for push in _pushes(symbol.name, field)
    ]  # fmt: skip
    ranked: list[tuple[float, Family]] = []
    left = task.evaluations
    for base in _bases(task):
        for pushes in _combined(singles):
            left -= 2
            rise = _rise(claim, base, pushes) if left >= 0 else None
            if rise is not None and rise > 0:
                ranked.append((rise, _family(base, pushes)))
    ranked.sort(key=lambda pair: -pair[0])
    return list({family.name: family for _, family in reversed(ranked)}.values())[::-1][:KEPT]


def _bases(task: Task) -> list[dict[str, Any]]:
    rng, candidates = task.rng("pushes"), Candidates(task.claim)
    drawn = [candidates.random(rng) for _ in range(12 * BASES)]
    values = [candidate.setting.values for candidate in drawn if candidate is not None]
    return sorted(values, key=digits_of)[:BASES]


def _pushes(name: str, field: Field) -> Iterator[Push]:
    """Where the domain of a number lets it go."""
    if not isinstance(field, (Integer, Real)):
        return
    low, high = field.low, field.high
    for exponent in EXPONENTS:
        power = f"N^{exponent}" if exponent > 1 else "N"
        if high is None:
            yield Push(name, f"{name} grows as {power}", exponent, lambda v, n: v * n)
        if isinstance(field, Real) and isinstance(low, int):
            yield Push(
                name, f"{name} - {low} falls as 1/{power}" if low else f"{name} falls as 1/{power}",
                exponent, lambda v, n, low=low: low + (v - low) / n,
            )  # fmt: skip
        if isinstance(field, Real) and isinstance(high, int):
            yield Push(
                name, f"{high} - {name} falls as 1/{power}", exponent,
                lambda v, n, high=high: high - (high - v) / n,
            )  # fmt: skip


def _combined(singles: list[Push]) -> Iterator[tuple[Push, ...]]:
    yield from ((push,) for push in singles)
    yield from (
        (one, other) for one, other in combinations(singles, 2) if one.name != other.name
    )


def _moved(base: dict[str, Any], pushes: tuple[Push, ...], size: int) -> dict[str, Any]:
    changed = dict(base)
    for push in pushes:
        value = push.value(fmpq(base[push.name]), size**push.exponent)
        changed[push.name] = int(value) if isinstance(base[push.name], int) else value
    return changed


def _rise(claim: Any, base: dict[str, Any], pushes: tuple[Push, ...]) -> float | None:
    """log2 of the growth of left over right; None where a world is none of the claim."""
    ratios = []
    for size in (NEAR, FAR):
        setting = Setting(claim, _moved(base, pushes, size))
        try:
            if setting.failed_hypothesis() is not None:
                return None
            draw = claim.draw
            ratios.append(
                math.nan if draw is not None and draw.count(setting) > 500 else side_ratio(setting)
            )
        except (Undefined, Undecided, ArithmeticError, ValueError):
            return None
    rise = ratios[1] - ratios[0]
    return rise if math.isfinite(rise) else None


def _family(base: dict[str, Any], pushes: tuple[Push, ...]) -> Family:
    name = ", ".join(push.words for push in pushes)
    return Family(name, lambda size: _moved(base, pushes, size), SIZES)
