"""Whole populations of worlds in floats: hostile random ones, then the best of each shape bred.

Niches keep search out of one corner: worlds of different shapes (sizes, variants) compete only
among themselves, and those that meet the bound exactly leave room for those that may break it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy

from boundcheck.search import ascent
from boundcheck.worlds.columns import Columns, Floats, build, buildable
from boundcheck.worlds.fields import Field

ROUND = 512  # raw worlds of one shape
RAW_SHARE = 0.7  # of the worlds are raw, the others bred
POPULATION = 64
BRED = 6  # shapes whose worlds are bred
CLIMB_SHARE, CLIMBS = 0.15, 4  # of the worlds are kept for climbs from the best of these shapes
SWEEP_SHARE, ROUNDS = 0.5, 3  # so many more worlds for sweeps, of so many rounds each
MANY = 3  # free coordinates from which breeding does not reach the top
HIGH = 24  # free coordinates from which only climbs lead anywhere: one begins after the first round
CLEAR = 1.01  # float scores above it are hardly roundings, and worth an exact look at once
SUSPICIOUS = 1 + 1e-9  # float scores above it may be violations
TRIVIAL = 1 - 1e-4  # scores from it on are tight already
PLAIN, CROWD = 0.9, 16  # worlds far from tight: so many of a round are bred on their own, since
# the best of a round stand where the bound is tight for a trivial reason, and lead nowhere
LEVELS = (0.15, 0.4, 0.75)  # of a bounded probability: worlds between two of them are bred apart,
# since most bounds are tight where everything is sure, and say nothing there
LEADERS = 0.2  # share of a population that others move towards
SPECIAL = numpy.array((0.0, 1.0, 0.5))

OUTCOMES = 16  # of draws inside a world that cost as much as the world itself

Scores = Callable[[Mapping[str, Any], int], Any]


@dataclass
class Niche:
    """Worlds of one shape: their vectors, how promising each is, and what is common to them.

    Args: vectors: shape (worlds, coordinates); fitness: shape (worlds,); whole: coordinates that
    chose the shape; groups: coordinates of each field that has several.
    """

    vectors: Floats
    fitness: Floats
    whole: tuple[int, ...]
    groups: list[list[int]]

    @property
    def best(self) -> float:
        """Fitness of the most promising world."""
        return float(self.fitness.max(initial=-numpy.inf))

    @property
    def free(self) -> list[int]:
        """Coordinates that do not choose the shape."""
        return [i for i in range(self.vectors.shape[1]) if i not in self.whole]

    def admit(self, vectors: Floats, fitness: Floats) -> None:
        """Keep the most promising of old and new worlds."""
        fitness = numpy.concatenate([self.fitness, fitness])
        chosen = numpy.argsort(-fitness, kind="stable")[:POPULATION]
        self.vectors = numpy.concatenate([self.vectors, vectors])[chosen]
        self.fitness = fitness[chosen]


def promise(scores: Floats) -> Floats:
    """Fitness of scores: suspected violations first, tight worlds below everything that is not.

    >>> promise(numpy.array([0.5, 1.0, 1.5, numpy.nan])).tolist()
    [0.5, -1.0, 1.5, -inf]
    """
    found = numpy.where((scores >= TRIVIAL) & (scores <= SUSPICIOUS), -1.0, scores)
    return numpy.where(numpy.isnan(found), -numpy.inf, found)


class Populations:
    """Float worlds of a space in niches.

    Args:
        fields: of the space. sizes: names of those that are common to a batch.
        scores: of stacked values by name and the number of worlds; None where it has none.
        groups: vector to the coordinates of each field.
        outcomes: of the draws inside a world of a batch, which make it cost more.
        chances: of the worlds that were scored last, the probability that is bounded; None where
        what is bounded is none.
    """

    def __init__(
        self, fields: Mapping[str, Field], sizes: frozenset[str], scores: Scores,
        groups: Callable[[Floats], list[list[int]]],
        outcomes: Callable[[Mapping[str, Any]], float] = lambda values: 0.0,
        chances: Callable[[], Floats] | None = None,
    ) -> None:  # fmt: skip
        self.fields = fields
        self.sizes = sizes
        self.scores = scores
        self.groups = groups
        self.outcomes = outcomes
        self.chances = chances
        self.left = 0.0
        self.looked = 0
        self.stopped = False
        self.niches: dict[Any, Niche] = {}
        self.levels = (None,) if chances is None else tuple(range(len(LEVELS)))
        self.crowds: dict[tuple[Any, int | None], Niche] = {}  # by shape and level
        self.works = buildable(fields)

    def best(
        self, rng: Any, worlds: int, kept: int, *, hurried: bool = False
    ) -> list[tuple[float, ...]] | None:
        """Vectors of the most promising of so many worlds, the best of every niche first.

        None where some value has no batch; then nothing is known.

        Args: hurried: whether to stop, with `stopped`, after a round with a clear violation.
        """
        if not self.works:
            return None
        raw, climbs = RAW_SHARE * worlds, CLIMB_SHARE * worlds
        while raw > 0:
            self.left, known = raw, len(self.niches)
            if not self._raw(rng, ROUND):
                return None
            raw = self.left
            newest = list(self.niches.values())[-1]
            if len(self.niches) > known and len(newest.free) >= HIGH and climbs > 0:
                self.left = climbs
                self._climbed(rng, newest, CLIMB_SHARE / 2 * worlds)
                climbs = self.left
            self.stopped = hurried and any(n.best > CLEAR for n in self.niches.values())
            if self.stopped:
                return self._chosen(kept)
        self.left = (1 - RAW_SHARE) * worlds + raw
        self._breed(rng, worlds)
        self.left = SWEEP_SHARE * worlds
        self._sweep(rng)
        for (key, _), crowd in self.crowds.items():
            self.niches[key].admit(crowd.vectors, crowd.fitness)
        return self._chosen(kept)

    def _breed(self, rng: Any, worlds: int) -> None:
        """Generations of the most promising shapes in turn, and climbs from the best worlds."""
        ranked = sorted(self.niches, key=lambda key: -self.niches[key].best)[:BRED]
        crowds: list[tuple[Any, int | None]] = [(key, None) for key in ranked]
        if self.chances is not None:
            ways = len(LEVELS)
            crowds = sorted(self.crowds, key=lambda key: -self.crowds[key].best)[: ways * BRED]
        bred: list[tuple[Niche, int | None]] = [(self.niches[key], None) for key in ranked]
        bred += [(self.crowds[key], key[1]) for key in crowds]
        high = [start for start in bred if len(start[0].free) >= MANY]
        for niche, level in itertools.cycle(bred):
            if self.left <= CLIMB_SHARE * bool(high) * worlds:
                break
            self._bred(rng, niche, level)
        for niche, level in high[:CLIMBS]:
            self._climbed(rng, niche, self.left / 2, level)

    def _sweep(self, rng: Any) -> None:
        """Sweeps from worlds that are far from tight, of few coordinates first."""
        crowds = [(crowd, level) for (_, level), crowd in self.crowds.items()
                  if len(crowd.vectors) and crowd.free]  # fmt: skip
        starts = sorted(crowds, key=lambda start: (len(start[0].free), -start[0].best))
        for niche, level in itertools.cycle(starts):
            before = self.left
            if before <= 0:
                break
            most = min(before, ROUNDS * ascent.LOOK * len(niche.free))
            self._swept(rng, niche, most, level)
            if self.left == before:  # nothing could be scored
                break

    def _raw(self, rng: Any, count: int) -> bool:
        source = Columns(rng, count)
        scores = self._scored(source)
        if scores is None:
            return False
        vectors, whole = source.vectors, tuple(source.whole)
        key = (vectors.shape[1], whole, *(float(vectors[0, i]) for i in whole))
        fitness = promise(scores)
        if key not in self.niches:
            groups = self.groups(vectors[0])
            self.niches[key] = _empty(vectors, whole, groups)
            for level in self.levels:
                self.crowds[key, level] = _empty(vectors, whole, groups)
        self.niches[key].admit(vectors, fitness)
        if self.chances is None:
            plain = numpy.flatnonzero((fitness > 0) & (fitness < PLAIN))
            self.crowds[key, None].admit(vectors[plain[:CROWD]], fitness[plain[:CROWD]])
            return True
        for level in self.levels:
            there = (fitness > 0) & self._is_at(level)
            self.crowds[key, level].admit(vectors[there], fitness[there])
        return True

    def _is_at(self, level: int | None) -> Any:
        """Which of the worlds scored last have a probability of a level; all for none."""
        if level is None or self.chances is None:
            return True
        return numpy.digitize(self.chances(), LEVELS) == level

    def _scored(self, source: Columns) -> Floats | None:
        try:
            with numpy.errstate(all="ignore"):
                values = build(self.fields, source, self.sizes)
        except (TypeError, ValueError, OverflowError):
            return None
        values = {
            name: value if numpy.ndim(value) else numpy.full(source.count, value)
            for name, value in values.items() if name != "_tight"
        }  # fmt: skip
        self.looked += source.count
        self.left -= source.count * (1 + self.outcomes(values) / OUTCOMES)
        found = self.scores(values, source.count)
        return None if found is None else numpy.asarray(found, dtype=float)

    def _look(self, rng: Any, rows: Floats) -> Floats | None:
        """Scores of the worlds of such vectors."""
        return self._scored(Columns(rng, len(rows), rows))

    def _bred(self, rng: Any, niche: Niche, level: int | None = None) -> None:
        """One generation: every world is replaced by its child where that is more promising, and
        of the same level."""
        if not niche.vectors.shape[1] or len(niche.vectors) < 4:
            self.left -= POPULATION
            return
        children = offspring(rng, niche)
        scores = self._look(rng, children)
        if scores is None:
            self.left -= POPULATION
            return
        fitness = promise(scores)
        better = (fitness >= niche.fitness) & self._is_at(level)
        niche.vectors = numpy.where(better[:, None], children, niche.vectors)
        niche.fitness = numpy.where(better, fitness, niche.fitness)

    def _climbed(self, rng: Any, niche: Niche, left: float, level: int | None = None) -> None:
        """A climb from the best world of a niche that does not violate yet."""
        fitness = numpy.where(niche.fitness > SUSPICIOUS, -numpy.inf, niche.fitness)
        if not fitness.max(initial=-numpy.inf) > 0:
            return
        scores = partial(self._look, rng)
        top = ascent.climbed(scores, niche.vectors[int(fitness.argmax())], niche.free, left)
        found = scores(top[None])
        if found is not None:
            niche.admit(top[None], numpy.where(self._is_at(level), promise(found), -1.0))

    def _swept(self, rng: Any, niche: Niche, left: float, level: int | None = None) -> None:
        """Sweeps from a world that is far from tight, and never into what is tight already or of
        another level."""
        place = int(rng.integers(len(niche.vectors)))

        def scores(rows: Floats) -> Floats | None:
            found = self._look(rng, rows)
            return None if found is None else numpy.where(self._is_at(level), promise(found), -1.0)

        start, value = niche.vectors[place], float(niche.fitness[place])
        top, value = ascent.swept(scores, start, value, niche.free, rng, left)
        niche.admit(top[None], numpy.array([value]))

    def _chosen(self, kept: int) -> list[tuple[float, ...]]:
        """Suspected violations for half of the places, since floats make some up; then by rank
        inside the niche and by promise; a half that is not filled falls to the other."""
        rows = [
            (fitness <= SUSPICIOUS, rank, -fitness, tuple(map(float, niche.vectors[place])))
            for niche in self.niches.values()
            for rank, place in enumerate(numpy.argsort(-niche.fitness, kind="stable")[:kept])
            if (fitness := float(niche.fitness[place])) > -1
        ]
        rows.sort(key=lambda row: row[:3])
        suspects = list(dict.fromkeys(row[3] for row in rows if not row[0]))
        others = [row[3] for row in rows if row[0]]
        half = kept // 2
        return list(dict.fromkeys(suspects[:half] + others + suspects[half:]))[:kept]


def _empty(vectors: Floats, whole: tuple[int, ...], groups: list[list[int]]) -> Niche:
    """A niche of worlds like some, without a world."""
    return Niche(numpy.empty((0, vectors.shape[1])), numpy.empty(0), whole, groups)


def offspring(rng: Any, niche: Niche) -> Floats:
    """A child of every world: moved towards a leader, jittered, set to special values, or tied."""
    parents = niche.vectors
    worlds, size = parents.shape
    kind = rng.integers(4, size=worlds)[:, None]
    some = rng.random((worlds, size)) < rng.choice((1.5 / size, 0.3, 0.9), size=(worlds, 1))
    children = numpy.where(kind == 0, _led(rng, niche), parents)
    step = 10.0 ** -rng.uniform(0.3, 5, size=(worlds, 1)) * rng.normal(size=(worlds, size))
    special = SPECIAL[rng.integers(3, size=(worlds, size))]
    children = numpy.where((kind == 1) & some, parents + step, children)
    children = numpy.where((kind == 2) & some, special, children)
    children = numpy.where(kind == 0, numpy.where(some, children, parents), children)
    for row in numpy.flatnonzero(kind[:, 0] == 3):
        _tie(rng, children[row], niche.groups)
    children = numpy.clip(children, 0, 1)
    children[:, list(niche.whole)] = parents[:, list(niche.whole)]
    return children


def _led(rng: Any, niche: Niche) -> Floats:
    """Differential evolution's step, current to one of the best."""
    parents, worlds = niche.vectors, len(niche.vectors)
    order = numpy.argsort(-niche.fitness, kind="stable")
    leaders = parents[order[rng.integers(max(int(worlds * LEADERS), 1), size=worlds)]]
    first, second = (parents[rng.integers(worlds, size=worlds)] for _ in range(2))
    scale = rng.uniform(0.05, 1, size=(worlds, 1))
    moved: Floats = parents + scale * (leaders - parents) + scale * (first - second)
    return moved


def _tie(rng: Any, child: Floats, groups: list[list[int]]) -> None:
    """Entries of one field made equal, swapped, moved against each other, or put on a power law."""
    if not groups:
        return
    group = groups[int(rng.integers(len(groups)))]
    first, second = (group[int(i)] for i in rng.integers(len(group), size=2))
    kind = int(rng.integers(4))
    if kind == 3:
        law = (1.0 + numpy.arange(len(group))) ** -float(rng.uniform(0, 2))
        alike = [other for other in groups if len(other) == len(group)]
        for other in alike if rng.random() < 0.5 else [group]:
            child[other] = law
        return
    if kind == 0:
        chosen = [i for i in group if rng.random() < 0.5] or group
        child[chosen] = child[first]
    elif kind == 1:
        child[first], child[second] = child[second], child[first]
    else:
        step = 10.0 ** -float(rng.uniform(0.3, 5))
        child[first] += step
        child[second] -= step
