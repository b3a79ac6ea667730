"""Good worlds carried beyond the sizes that search draws from, as long as they become better.

The sizes of a setting begin small, because each world costs; a statement that fails from ten points
on holds in all of them. Growth shows there already: what doubles in size by a move of
`boundcheck.search.growth` and comes closer to a violation is doubled again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from math import prod
from typing import Any

from flint import fmpq, fmpq_mat

from boundcheck.claim import UpToConstant
from boundcheck.search.admissible import Candidate, Candidates
from boundcheck.search.arena import TIGHT, Arena, Entry, first_of_shapes
from boundcheck.search.growth import MOVES, Immovable, grown, sizes
from boundcheck.search.members import Steps
from boundcheck.search.screening import averaged
from boundcheck.search.shrink import entries
from boundcheck.worlds.fields import Real

BASES = 3  # shapes of worlds that are carried upwards, tight ones and others
DOUBLINGS = 7
USUAL = 1.0  # cost of worlds that are carried upwards; dearer ones may take time without end
LEAST_GAIN = 1e-6  # of the logarithm of the score
NUMBERS, ACROSS = 4096, 32  # in a world, and rows or columns of a matrix
OUTCOMES = 4096  # of the draws inside a world
PARAMETERS = 3  # that move with the size, at most


def larger_worlds(arena: Arena) -> Steps:
    """Worlds of twice the size of the last one as long as that pays; ends when none does."""
    claim = arena.candidates.claim
    # Up to a constant, families are followed instead.
    if isinstance(claim.statement, UpToConstant) or claim.cost > USUAL:
        return
    within = affordable(arena.candidates)
    for entry, (size, move) in product(_bases(arena), product(sizes(claim.fields), MOVES)):
        values, best = entry.candidate.setting.values, entry.value
        for _ in range(DOUBLINGS):
            found = None
            for proposal in _doubled(arena.candidates, values, size, move):
                if not within(proposal.setting.values):
                    break
                value = yield proposal
                if value > best + LEAST_GAIN:
                    found, best = proposal, value
            if found is None:
                break
            values = found.setting.values


def _bases(arena: Arena) -> list[Entry]:
    """The best worlds of the first shapes, and of the first shapes that are not tight."""
    chosen: list[Entry] = []
    for elite in (arena.elite, [entry for entry in arena.elite if entry.value < TIGHT]):
        chosen += [entry for entry in first_of_shapes(elite)[:BASES] if entry not in chosen]
    return chosen


def _doubled(
    candidates: Candidates, values: dict[str, Any], size: str, move: str
) -> Iterator[Candidate]:
    """The world at twice its size, as it is and with parameters that follow the size."""
    try:
        larger = grown(candidates.claim.fields, values, size, move, 2)
    except Immovable:
        return
    numbers = [name for name, field in candidates.movable.items() if isinstance(field, Real)]
    changes = [(name, factor) for name in numbers[:PARAMETERS]
               for factor in (fmpq(2), fmpq(3, 2), fmpq(2, 3), fmpq(1, 2))]  # fmt: skip
    for name, factor in [("", fmpq(1)), *changes]:
        world = {**larger, name: larger[name] * factor} if name else larger
        found = candidates.from_values(world)
        if found is not None:
            yield found


def affordable(candidates: Candidates) -> Callable[[dict[str, Any]], bool]:
    """Whether a world is small enough to be assessed exactly in about the time of another."""
    drawn = averaged(candidates.claim)

    def within(values: dict[str, Any]) -> bool:
        across = [max(value.nrows(), value.ncols()) for value in _matrices(values.values())]
        if max(across, default=0) > ACROSS or sum(map(entries, values.values())) > NUMBERS:
            return False
        try:
            return prod(draw.count(values.__getitem__) for draw in drawn) <= OUTCOMES
        except (KeyError, TypeError, ValueError):  # a law that is itself measured
            return not drawn

    return within


def _matrices(values: Any) -> Iterator[fmpq_mat]:
    for value in values:
        if isinstance(value, fmpq_mat):
            yield value
        elif isinstance(value, tuple):
            yield from _matrices(value)
