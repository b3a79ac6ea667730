"""What the members of the portfolio share: the worlds assessed so far and how good they were.

Everything is compared by `value`, the logarithm of the score, so that search climbs at the same
pace whether a bound is loose by 10^9 or by a percent.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from flint import fmpq

from boundcheck.search.admissible import Candidate, Candidates
from boundcheck.search.effort import Effort
from boundcheck.search.growth import sizes
from boundcheck.worlds.fields import Real
from boundcheck.worlds.sources import GRID, Coordinates

NOTHING = -700.0  # logarithm of a score of zero, from which no world is nearer to failing
WORST = -1e9  # value of a vector that gives no admissible world, or one that says nothing
KEPT = 40  # worlds remembered in full
NEAR = 0.03  # largest difference of coordinates below which two worlds are neighbours
ELSEWHERE = 0.25  # share of local runs that start away from the best worlds
TIGHT = -1e-4  # from this value on the statement is as good as tight
SAMPLED = 200  # generic worlds remembered


def log_score(score: float) -> float:
    """Monotone in the score and defined for all of them.

    >>> log_score(1.0), log_score(0.0), log_score(float("inf"))
    (0.0, -700.0, 1000.0)
    """
    if math.isnan(score):
        return WORST
    if score > 0:
        return min(max(math.log(score), -699.0), 999.0) if math.isfinite(score) else 1000.0
    return NOTHING - math.log1p(-score) if math.isfinite(score) else -2000.0


@dataclass(frozen=True)
class Entry:
    """An assessed world: value (logarithm of the score), score and candidate."""

    value: float
    score: float
    candidate: Candidate

    @property
    def vector(self) -> tuple[float, ...]:
        """Its coordinates."""
        return self.candidate.vector

    @property
    def shape(self) -> tuple[Any, ...]:
        """Length and the coordinates that chose sizes and variants: worlds of one shape agree."""
        return (len(self.vector), *(self.vector[i] for i in self.candidate.whole))

    @property
    def free(self) -> list[int]:
        """Positions of the coordinates that move the world inside its shape."""
        fixed = set(self.candidate.whole)
        return [i for i in range(len(self.vector)) if i not in fixed]


def first_of_shapes(entries: Iterable[Entry]) -> list[Entry]:
    """The first entry of every shape."""
    shapes: dict[Any, Entry] = {}
    for entry in entries:
        shapes.setdefault(entry.shape, entry)
    return list(shapes.values())


@dataclass
class Arena:
    """Shared by the members: how to build worlds, the best ones, a sample of all, randomness.

    `spent` is what worlds took so far, as `effort` counts it; `last` the world assessed last;
    `niches` the best of those of each size, which bounds that are tight in the smallest ones would
    crowd out of the elite. `hurried`: whether the world proposed next may take little only.
    `listed`: outcomes of the draw of the claim that are listed.
    """

    candidates: Candidates
    rng: Any
    elite: list[Entry] = field(default_factory=list)
    sample: list[Entry] = field(default_factory=list)
    last: Entry | None = None
    niches: dict[tuple[Any, ...], Entry] = field(default_factory=dict)
    spent: int = 0
    hurried: bool = False
    listed: float = math.inf

    def __post_init__(self) -> None:
        claim = self.candidates.claim
        self.effort = Effort(claim)
        self.sizes = tuple(sizes(self.candidates.claim.fields))

    @property
    def best(self) -> float:
        """Highest value so far."""
        return self.elite[0].value if self.elite else WORST

    @property
    def dimension(self) -> int:
        """Longest vector met; among the best where the sample is used up."""
        return max((len(entry.vector) for entry in self.sample or self.elite), default=0)

    @property
    def tight(self) -> bool:
        """Whether some world meets the bound as well as it can without breaking it.

        Many bounds are tight in trivial worlds (a constant variable, a level of zero). Climbing
        there is lost, so members then climb from many other worlds instead.
        """
        return self.best >= TIGHT

    def record(self, entry: Entry, *, generic: bool) -> None:
        """Remember a world; generic ones (random draws) feed the populations of members."""
        self.last = entry
        niche = tuple(entry.candidate.setting.values[name] for name in self.sizes)
        if niche not in self.niches or entry.value > self.niches[niche].value:
            self.niches[niche] = entry
        if generic and entry.vector:
            self.sample.append(entry)
            if len(self.sample) > SAMPLED:
                del self.sample[: SAMPLED // 2]
        if len(self.elite) < KEPT or entry.value > self.elite[-1].value:
            self._admit(entry)

    def _admit(self, entry: Entry) -> None:
        """Into the elite, which keeps one world per neighbourhood so that it stays diverse."""
        for index, other in enumerate(self.elite):
            if _near(entry.vector, other.vector):
                if entry.value > other.value:
                    self.elite[index] = entry
                    break
                return
        else:
            self.elite.append(entry)
        self.elite.sort(key=lambda item: -item.value)
        del self.elite[KEPT:]

    def with_value(self, values: dict[str, Any], name: str, value: Any) -> Candidate | None:
        """A world with one value changed; None for one that is not admitted, which took effort."""
        found = self.candidates.from_values({**values, name: value})
        if found is None:
            self.spent += self.effort(values, assessed=False)
        return found

    def moved(self, candidate: Candidate, name: str, value: fmpq) -> Candidate | None:
        """A world with one real number changed, and coordinates next to those that it has; None for
        one that is not admitted."""
        found = self.with_value(dict(candidate.setting.values), name, value)
        field = self.candidates.claim.fields[name]
        if found is None or not candidate.vector or not isinstance(field, Real) or field.ends:
            return found
        place = self.candidates.space.spans(candidate.vector)[name][0]
        ends = [0.0, 1.0]
        for _ in range(GRID.bit_length()):
            middle = sum(ends) / 2
            built = field.build(Coordinates([middle]), candidate.setting.values)
            ends[int(built > value)] = middle
        vector = (*candidate.vector[:place], ends[0], *candidate.vector[place + 1 :])
        return replace(found, vector=vector, whole=candidate.whole)

    def start(self, share: float = 0.5) -> Entry | None:
        """A good world to go on from; different shapes before second ones of the same shape."""
        elsewhere = 0.85 if self.tight else ELSEWHERE
        if self.sample and self.rng.random() < elsewhere:
            return self.fresh()
        chosen = first_of_shapes(e for e in self.elite if e.vector and e.value > WORST)
        if not chosen:
            return None
        return chosen[min(int(self.rng.geometric(share)) - 1, len(chosen) - 1)]

    def fresh(self) -> Entry:
        """A promising random world, not tight if there is one, that no run has started from."""
        picks = {int(i) for i in self.rng.integers(len(self.sample), size=2 if self.tight else 6)}
        slack = [i for i in picks if self.sample[i].value < TIGHT]
        best = max(slack or picks, key=lambda i: (self.sample[i].value, -i))
        return self.sample.pop(best) if slack else self.sample[best]

    def spans(self, entry: Entry) -> list[list[int]]:
        """The free coordinates of each field that has several: what is moved or tied together."""
        free = set(entry.free)
        spans = self.candidates.space.spans(entry.vector).values()
        groups = [[i for i in range(first, last) if i in free] for first, last in spans]
        return [group for group in groups if len(group) > 1]


def clipped(vector: Sequence[float]) -> list[float]:
    """The vector with every coordinate in [0, 1]."""
    return [min(max(float(value), 0.0), 1.0) for value in vector]


def _near(first: Sequence[float], second: Sequence[float]) -> bool:
    if len(first) != len(second):
        return False
    return all(abs(a - b) < NEAR for a, b in zip(first, second, strict=True))
