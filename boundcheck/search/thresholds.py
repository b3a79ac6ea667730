"""Worlds with a threshold of an event moved to where the event is just met.

A bound of a tail falls as the threshold rises, and the tail stays as it is up to the next atom: the
tightest threshold of a world is at one of its jumps. Where a bound is nearly tight at a threshold
of zero, small steps lead there from everywhere.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy
from flint import fmpq

from boundcheck.claim import Claim
from boundcheck.expressions.nodes import Indicator, nodes
from boundcheck.search.arena import Arena, Entry
from boundcheck.search.members import Steps
from boundcheck.search.shrink import numbers
from boundcheck.setting import INEQUALITIES
from boundcheck.worlds.fields import Real

NAMES = 2  # thresholds of a claim that are moved, at most
OTHERS = 16  # random worlds
SHARE, LEAST_SPENT = 0.5, 4_000  # of the effort spent before, or of so much, may go to all of it
OCTAVES = range(3, -6, -1)  # of the largest number of the world, at which thresholds are tried
CLOSER = 7  # times the step is halved


@lru_cache(maxsize=512)
def thresholds(claim: Claim) -> tuple[str, ...]:
    """Names of the real numbers that an event inside the statement compares something with."""
    compared = {
        symbol.name
        for quantity in claim.measured.values()
        for event in nodes(getattr(quantity, "expression", sympy.S.Zero))
        if isinstance(event, Indicator)
        for relation in event.condition.atoms(sympy.Rel)
        if isinstance(relation, INEQUALITIES)
        for symbol in relation.free_symbols
    }
    fields = claim.fields
    return tuple(name for name in fields if name in compared and type(fields[name]) is Real)[:NAMES]


def just_met(arena: Arena, bases: list[Entry]) -> Steps:
    """Good worlds and others, each with its thresholds, one after the other, where these fit best.

    A tail is heaviest beyond a high threshold where numbers lie at their ends, so each world is
    taken with its arrays put there too.

    Args: bases: the good ones. The others are random: where a threshold is low, what is best there
        is seldom so elsewhere.
    """
    names = thresholds(arena.candidates.claim)
    if not names:
        return
    most = arena.spent + SHARE * max(arena.spent, LEAST_SPENT)
    picks = arena.rng.permutation(len(arena.sample))[:OTHERS]
    for entry in [*bases, *(arena.sample[int(place)] for place in picks)]:
        extreme = arena.candidates.decode(_at_ends(arena, entry))
        for found in filter(None, (extreme, entry.candidate)):
            if arena.spent > most:
                return
            for name in names:
                yield from _raised(arena, found.setting.values, name)


def _at_ends(arena: Arena, entry: Entry) -> list[float]:
    """The coordinates of a world with those of its arrays at their nearer ends."""
    vector = list(entry.vector)
    for place in (place for group in arena.spans(entry) for place in group):
        vector[place] = float(vector[place] >= 0.5)
    return vector


def _raised(arena: Arena, values: dict[str, Any], name: str) -> Steps:
    """The best threshold of a world among powers of two, then steps up from it, ever smaller."""
    others = (each for other, value in values.items() if other != name for each in numbers(value))
    largest = max(map(abs, others), default=fmpq(0)) or fmpq(1)
    best, top = fmpq(0), -float("inf")
    for place in (largest * fmpq(2) ** octave for octave in OCTAVES):
        value = yield from _at(arena, values, name, place)
        if value is not None and value > top:
            best, top = place, value
    step = best / 2
    for _ in range(CLOSER if best else 0):
        value = yield from _at(arena, values, name, best + step)
        if value is not None and value > top:
            best, top = best + step, value
        step /= 2


def _at(arena: Arena, values: dict[str, Any], name: str, place: fmpq) -> Any:
    """The value of a world with this threshold; None where it is not admitted."""
    found = arena.with_value(values, name, place)
    value = yield found
    return None if found is None else value
