"""Members of the portfolio that need no model: random worlds and local moves.

A member is a generator: it yields a vector (or a finished candidate), is sent the value of that
world, and goes on for ever; returning means that it has nothing to do yet.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any

from boundcheck.search.admissible import Candidate
from boundcheck.search.arena import TIGHT, Arena, Entry
from boundcheck.worlds.sources import STRATA, Corners, Latin

Proposal = Sequence[float] | Candidate | None
Steps = Generator[Proposal, Any, None]  # is sent floats, None at first
Member = Callable[[Arena], Steps]

SPECIAL = (0.0, 1.0, 0.5)
PATIENCE = 20  # moves without progress after which a world is left alone


def random_worlds(arena: Arena) -> Steps:
    """Independent hostile worlds."""
    while True:
        yield arena.candidates.random(arena.rng)


def plain_worlds(arena: Arena) -> Steps:
    """Latin hypercubes, from a stream of their own: the hostile worlds stay as they are."""
    rng = arena.rng.spawn(1)[0]
    while True:
        orders: list[Any] = []
        for place in range(STRATA):
            yield arena.candidates.build(Latin(rng, orders, place))


def corner_worlds(arena: Arena) -> Steps:
    """Worlds of the smallest sizes with most numbers at their ends, from a stream of their own."""
    rng = arena.rng.spawn(1)[0]
    while True:
        yield arena.candidates.build(Corners(rng))


def local_moves(arena: Arena) -> Steps:
    """One small change of a good world at a time; kinds of change that paid are tried more.

    Where the bound is tight already, single worlds are followed uphill instead, each until it is
    tight too or no longer improves.
    """
    credit = [1.0] * len(MOVES)
    while arena.elite:
        if arena.tight and arena.sample and arena.rng.random() < 0.7:
            yield from _climb(arena, credit)
            continue
        parent = _parent(arena)
        if parent is None:
            return
        kind = choose(arena.rng, credit)
        value = yield MOVES[kind](arena, parent)
        credit[kind] = 0.97 * credit[kind] + (1.0 if value > parent.value else 0.015)


def _climb(arena: Arena, credit: list[float]) -> Steps:
    current, stale = arena.fresh(), 0
    while stale < PATIENCE:
        kind = choose(arena.rng, credit)
        value = yield MOVES[kind](arena, current)
        better = value > current.value
        credit[kind] = 0.97 * credit[kind] + (1.0 if better else 0.015)
        stale = 0 if better else stale + 1
        if value >= current.value and arena.last is not None:
            current = arena.last  # neutral moves too: they cross plateaus
            stale = max(stale, PATIENCE // 2) if value >= TIGHT else stale


def _parent(arena: Arena) -> Entry | None:
    usable = [entry for entry in arena.elite if entry.vector]
    if not usable:
        return None
    return usable[min(int(arena.rng.geometric(0.3)) - 1, len(usable) - 1)]


def _jitter(arena: Arena, parent: Entry) -> list[float]:
    """A few coordinates moved by a step whose size is uniform over orders of magnitude."""
    rng, vector = arena.rng, list(parent.vector)
    scale = 10.0 ** -float(rng.uniform(0.3, 5))
    for _ in range(1 + int(rng.integers(3))):
        position = int(rng.integers(len(vector)))
        vector[position] = min(max(vector[position] + scale * float(rng.normal()), 0.0), 1.0)
    return vector


def _special(arena: Arena, parent: Entry) -> list[float]:
    """A few coordinates set to an end, the middle, or anything."""
    rng, vector = arena.rng, list(parent.vector)
    for _ in range(1 + int(rng.integers(2))):
        position = int(rng.integers(len(vector)))
        vector[position] = float(rng.choice((*SPECIAL, rng.random())))
    return vector


def _tie(arena: Arena, parent: Entry) -> list[float]:
    """Some coordinates of one field made equal: extremal worlds are often symmetric."""
    rng, vector = arena.rng, list(parent.vector)
    group = _group(arena, parent)
    value = vector[group[int(rng.integers(len(group)))]]
    if rng.random() < 0.3:
        value = float(rng.choice((*SPECIAL, rng.random())))
    some = rng.random() < 0.5
    for position in group:
        if not some or rng.random() < 0.5:
            vector[position] = value
    return vector


def _shift(arena: Arena, parent: Entry) -> list[float]:
    """All coordinates of one field moved by the same step."""
    rng, vector = arena.rng, list(parent.vector)
    step = 10.0 ** -float(rng.uniform(0.3, 5)) * float(rng.choice((-1, 1)))
    for position in _group(arena, parent):
        vector[position] = min(max(vector[position] + step, 0.0), 1.0)
    return vector


def _exchange(arena: Arena, parent: Entry) -> list[float]:
    """Two coordinates of one field moved against each other, or swapped."""
    rng, vector = arena.rng, list(parent.vector)
    group = _group(arena, parent)
    first, second = (group[int(i)] for i in rng.integers(len(group), size=2))
    if rng.random() < 0.3:
        vector[first], vector[second] = vector[second], vector[first]
        return vector
    step = 10.0 ** -float(rng.uniform(0.3, 5))
    vector[first] = min(vector[first] + step, 1.0)
    vector[second] = max(vector[second] - step, 0.0)
    return vector


def _cross(arena: Arena, parent: Entry) -> list[float]:
    """Coordinates of another good world put in."""
    rng, vector = arena.rng, list(parent.vector)
    other = arena.elite[int(rng.integers(len(arena.elite)))].vector
    share = float(rng.uniform(0.1, 0.6))
    for position in range(min(len(vector), len(other))):
        if rng.random() < share:
            vector[position] = other[position]
    return vector


def symmetrised(arena: Arena, parent: Entry) -> list[float]:
    """One index of a size chosen, and the same entry put everywhere in all fields of that size."""
    rng, vector = arena.rng, list(parent.vector)
    groups = arena.spans(parent)
    if not groups:
        return vector
    length = len(groups[int(rng.integers(len(groups)))])
    index = int(rng.integers(length))
    for group in groups:
        if len(group) == length:
            for position in group:
                vector[position] = vector[group[index]]
    return vector


def _group(arena: Arena, parent: Entry) -> list[int]:
    groups = arena.spans(parent)
    if not groups:
        return list(range(len(parent.vector)))
    return groups[int(arena.rng.integers(len(groups)))]


MOVES: tuple[Callable[[Arena, Entry], list[float]], ...] = (
    _jitter, _special, _tie, _shift, _exchange, _cross, symmetrised,
)  # fmt: skip


def choose(rng: Any, weights: Sequence[float]) -> int:
    """An index with probability in proportion to its weight."""
    total = sum(weights)
    point, mass = float(rng.random()) * total, 0.0
    for index, weight in enumerate(weights):
        mass += weight
        if point < mass:
            return index
    return len(weights) - 1
