"""Families of growing worlds found by the machine: moves along powers of one size N.

An admissible world is kept; numbers, weights, entries and sizes of it go where their domains let
them: numbers to infinity or to an end, weights to nothing or to all, a matrix or its first row to
infinity or to nothing, a size by the moves of `boundcheck.search.growth`. Which of them move, and
their exponents, are what is searched; the families along which left over right rises most are
named in words.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from inspect import signature
from itertools import chain, combinations, product
from typing import Any, NamedTuple

from flint import fmpq

from boundcheck import exact
from boundcheck.checks.base import Task
from boundcheck.checks.batches import Batch, has_estimators, ratios
from boundcheck.checks.invariance import side_ratio
from boundcheck.claim import Claim, WithProbability
from boundcheck.errors import Undecided, Undefined
from boundcheck.fuel import OutOfFuel, limit
from boundcheck.search.admissible import Candidates
from boundcheck.search.beginnings import LISTED, starts
from boundcheck.search.effort import Effort
from boundcheck.search.growth import MOVES, Immovable, grown, sizes
from boundcheck.search.pushed_values import Push, pushes_of, stopped
from boundcheck.setting import Setting
from boundcheck.worlds.composed import Derived
from boundcheck.worlds.draws import Counts
from boundcheck.worlds.families import Family, doublings
from boundcheck.worlds.fields import Field, Integer, Real

KEPT = 4  # families, half of them for worlds that keep their sizes
OF_EACH, CLEARLY = 8, 0.005  # of each world, and how fast they rise at least
TOP = 4  # largest exponent tried at first; steps from there may lead further
EXPONENTS = [
    powers for count in (1, 2, 3) for powers in product(range(1, TOP + 1), repeat=count)
    if math.gcd(*powers) == 1 and (count < 3 or max(powers) <= 3)
]  # fmt: skip
FASTEST = 8  # exponents go no further
STEEP = [powers for top in range(TOP + 1, FASTEST + 1) for powers in ((1, top), (top, 1))]
# sizes at which pushes of numbers are compared, and worlds that grow: the first at which both
# sides have values, in worlds that cost little enough
FAR_APART, CLOSE = ((2**20, 2**40), (2**6, 2**16)), ((2**2, 2**4), (2, 2**3))
FAR_DRAWN = ((2**18, 2**36), FAR_APART[1])  # where numbers may say how often is drawn
SIZES, GROWING = doublings(2, 7), doublings(1, 6)
DRAWN = 200  # outcomes of a draw that has more than are listed
LEAST = 960  # worlds that are compared, however costly one is
SAME = 0.05  # of a rise, below which another push adds nothing
SEARCHED = 0.7  # of the evaluations go to combinations, the others to better exponents
MOST_EFFORT = 4_000_000  # of a world that is compared
GRAIN = 400_000  # effort that counts as much as a small world
CALLS = 10**8  # for all worlds of a claim
STEEP_CALLS = 10**7  # for steep motions
STEP_CALLS = 2 * 10**6  # of functions, for one world
LONGEST = 64  # side of an array that a rule makes


@dataclass(frozen=True)
class Motion:
    """Pushes with their exponents, and a size that grows by a move: ("", "") for none.

    N^2 and N^4 are N and N^2 of another N; a size grows with N itself.
    """

    pushes: tuple[tuple[Push, int], ...]
    growing: tuple[str, str] = ("", "")

    def __post_init__(self) -> None:
        ordered = sorted(self.pushes, key=lambda pair: pair[0].words)
        common = 1 if self.growing[0] else reduce(math.gcd, [e for _, e in ordered], 0)
        reduced = tuple((push, exponent // common) for push, exponent in ordered)
        object.__setattr__(self, "pushes", reduced)

    @property
    def words(self) -> str:
        """What moves, said for people."""
        size, move = self.growing
        said = [MOVES[move].format(size=size)] if size else []
        for push, exponent in self.pushes:
            power = f"N^{exponent}" if exponent > 1 else "N"
            said.append(push.words.format(power=power))
        return ", ".join(said)

    @property
    def parts(self) -> list[str]:
        """The words of each push."""
        return [push.words for push, _ in self.pushes]

    @property
    def names(self) -> set[str]:
        """Names of the values that are pushed."""
        return {push.name for push, _ in self.pushes}

    @property
    def fastest(self) -> int:
        """The largest exponent; a rise counts in proportion to it."""
        return max([exponent for _, exponent in self.pushes] + [1] * bool(self.growing[0]))

    def at(self, fields: Mapping[str, Field], base: dict[str, Any], size: int) -> dict[str, Any]:
        """The world at a size."""
        values = dict(base)
        for push, exponent in self.pushes:
            values[push.name] = push.value(base[push.name], size**exponent)
        name, move = self.growing
        return grown(fields, values, name, move, size) if name else values


Parts = tuple[tuple[tuple[Push, int], ...], tuple[str, str]]  # of a motion
Row = tuple[float, "Motion", dict[str, Any]]


def _is_uneven(parts: Parts) -> bool:
    """Whether something moves faster than something else."""
    return any(exponent > 1 for _, exponent in parts[0])


class Found(NamedTuple):
    """What rises.

    Args:
        families: along which left over right rises most, best first; none rises in vain.
        others: those of every world beside them that rise clearly, each for a law alone: what
            needs more words may have one where what rises as fast has none.
        rising: all motions seen that rise.
    """

    families: list[Family]
    others: list[Family]
    rising: list[Row]


def found(task: Task) -> Found:
    """The families along which left over right rises most, of all worlds and of each."""
    search, bases = _Climb(task), starts(task)
    for base in bases:
        search.combinations(base, len(bases))
    search.better_exponents()
    search.steep()
    rising = search.ranked()
    best = distinct(rising)
    others = [row for base in bases for row in [r for r in rising if r[2] is base][:OF_EACH]
              if row not in best and row[0] > CLEARLY]  # fmt: skip
    families, more = ([search.family(motion, base) for _, motion, base in rows]
                      for rows in (best, others))  # fmt: skip
    return Found(families, more, rising)


def distinct(ranked: Sequence[Row]) -> list[Row]:
    """The best motions of both kinds, those that move a size and those that do not.

    One that only adds pushes to another and rises no faster is left out: worlds that grow are
    soon too large to follow, and variants of one motion must not take the place of another.
    """
    chosen: list[Row] = []
    for sized in (False, True):
        kind = [row for row in ranked if bool(row[1].growing[0]) == sized]
        found: list[Row] = []
        for place, row in enumerate(kind):
            again = any(row[1].words == other[1].words for other in kind[:place])
            if len(found) < KEPT // 2 and not again and not any(
                _adds_nothing(row, other) for other in kind
            ):
                found.append(row)
        chosen += found
    return sorted(chosen, key=lambda row: -row[0])


def _adds_nothing(row: Row, other: Row) -> bool:
    """Whether a motion takes more words than another for no faster a rise."""
    (rise, motion, _), (rise_of_other, less, _) = row, other
    within = set(less.parts) < set(motion.parts) and motion.growing == less.growing
    return within and rise <= rise_of_other + SAME


class _Climb:
    """Motions of some worlds, ranked by how fast left over right rises."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.candidates = Candidates(task.claim, far=True)
        self.fields = task.claim.fields
        self.far = FAR_DRAWN if isinstance(task.claim.draw, Counts) else FAR_APART
        self.effort = Effort(task.claim, inside=MOST_EFFORT + 1, drawn=LISTED)
        self.made = _made_from_sizes(self.fields)
        self.kept = kept_names(task.claim)
        self.sizes = [name for name in sizes(self.fields) if name not in self.kept]
        self.rng = task.rng("exponents")
        share = task.budget.share
        self.budget = max(task.evaluations, LEAST * share)
        self.left = self.budget
        self.calls, self.steep_calls = CALLS * share, STEEP_CALLS * share
        self.seen: dict[tuple[int, str], tuple[float, Motion, dict[str, Any]]] = {}
        self.worlds: list[dict[str, Any]] = []
        self.singles: dict[int, list[Push]] = {}

    def repaired(self, values: dict[str, Any]) -> dict[str, Any]:
        """A world with the parameters that a hypothesis binds moved to where it holds."""
        found = self.candidates.from_values(values)
        if found is None:
            return values
        moved = found.setting.values
        touched = any(moved[name] != values[name] for name in self.kept & set(values))
        return values if touched else moved

    def family(self, motion: Motion, base: dict[str, Any]) -> Family:
        """A motion of one world as a family."""
        chosen = GROWING if motion.growing[0] else SIZES
        
        def rule(size: int) -> dict[str, Any]:
            return self.repaired(motion.at(self.fields, base, size))

        return Family(motion.words, rule, chosen)

    def ranked(self) -> list[tuple[float, Motion, dict[str, Any]]]:
        """Motions that rise, the fastest first, of those as good the one with the fewest words, and
        of the same motion of several worlds that of the cheapest."""
        rising = [row for row in self.seen.values() if row[0] > 0]
        return sorted(rising, key=lambda row: (
            -round(row[0], 2), len(row[1].words), row[1].words, self._cost(*row[1:])))  # fmt: skip

    def _cost(self, motion: Motion, base: dict[str, Any]) -> int:
        """The effort of the largest world of a motion that was compared."""
        ends = CLOSE if motion.growing[0] else self.far
        return self.effort(motion.at(self.fields, base, ends[0][-1]))

    def combinations(self, base: dict[str, Any], bases: int) -> None:
        """Every motion of one of so many worlds with few pushes and small exponents, in random
        order."""
        self.worlds.append(base)
        share = self.left - SEARCHED * self.budget / bases
        made = list(self._motions(base))  # each a Motion only where it is looked at
        first = [Motion(*each) for each in made if len(each[0]) + bool(each[1][0]) == 1]
        first.sort(key=self._dearness)
        rest = [each for each in made if len(each[0]) + bool(each[1][0]) > 1]
        order = [rest[int(place)] for place in self.rng.permutation(len(rest))]
        order.sort(key=_is_uneven)  # plain powers before others
        for motion in chain(first, (Motion(*each) for each in order)):
            if self.left <= share:
                return
            self._rise(len(self.worlds) - 1, motion)

    def _dearness(self, motion: Motion) -> int:
        """Numbers move first, then tables, then sizes, which cost most."""
        moved = (self.fields[push.name] for push, _ in motion.pushes)
        return 2 if motion.growing[0] else int(not all(
            isinstance(field, (Integer, Real)) for field in moved))  # fmt: skip

    def steep(self) -> None:
        """Two numbers of a world, one of which moves by a power that no other motion begins with,
        as long as that takes little."""
        self.left, enough = self.budget, self.calls - self.steep_calls
        for place, base in enumerate(self.worlds):
            singles = [push for push in self._pushes(base)
                       if isinstance(self.fields[push.name], (Integer, Real))]  # fmt: skip
            for pair, powers in product(combinations(singles, 2), STEEP):
                if self.left <= 0 or self.calls < enough:
                    return
                if pair[0].name != pair[1].name:
                    self._rise(place, Motion(tuple(zip(pair, powers, strict=True))))

    def better_exponents(self) -> None:
        """From the fastest motions on, one exponent changed or one push added at a time."""
        tried: set[tuple[int, str]] = set()
        while self.left > 0:
            rows = [(place, row) for (place, words), row in self.seen.items()
                    if (place, words) not in tried and row[0] > -math.inf]  # fmt: skip
            if not rows:
                return
            place, (_, motion, base) = max(rows, key=lambda pair: pair[1][0])
            tried.add((place, motion.words))
            for step in self._steps(motion, base):
                if self.left > 0:
                    self._rise(place, step)

    def _motions(self, base: dict[str, Any]) -> Iterator[Parts]:
        singles = self._pushes(base)
        moves = [("", ""), *product(self.sizes, MOVES)]
        for count in (0, 1, 2, 3):
            exponents = [p for p in EXPONENTS if len(p) == count] or [()]
            for pushes in combinations(singles, count) if count < 3 else self._triples(singles):
                if len({push.name for push in pushes}) < count:
                    continue
                for powers in exponents:
                    chosen = tuple(zip(pushes, powers, strict=True))
                    yield from ((chosen, growing) for growing in moves if pushes or growing[0])

    def _triples(self, singles: Sequence[Push]) -> Iterator[tuple[Push, ...]]:
        """A few of them: all are too many."""
        if len(singles) < 3:
            return
        for _ in range(30):
            picks = self.rng.choice(len(singles), 3, replace=False)
            yield tuple(singles[int(place)] for place in sorted(picks))

    def _pushes(self, base: dict[str, Any]) -> list[Push]:
        place = next(i for i, world in enumerate(self.worlds) if world is base)
        if place not in self.singles:
            self.singles[place] = self._singles(base)
        return self.singles[place]

    def _singles(self, base: dict[str, Any]) -> list[Push]:
        found: list[Push] = []
        for name, field in self.fields.items():
            if name in base and name not in self.kept and name not in self.sizes:
                found += pushes_of(name, field, base[name])
                found += self._stopped(base, name, field) if isinstance(field, Real) else []
        return found

    def _stopped(self, base: dict[str, Any], name: str, field: Real) -> list[Push]:
        """Pushes of a number to where hypotheses stop it; none where these cost much to decide."""

        def admits(value: fmpq) -> bool:
            setting = Setting(self.task.claim, {**base, name: value})
            return setting.failed_hypothesis() is None

        if not self.task.claim.given:
            return []
        try:
            with limit(STEP_CALLS // 4):
                return list(stopped(name, field, base, admits))
        except (Undefined, Undecided, ArithmeticError, ValueError, OutOfFuel):
            return []

    def _steps(self, motion: Motion, base: dict[str, Any]) -> Iterator[Motion]:
        for place, (push, exponent) in enumerate(motion.pushes):
            for changed in (exponent + 1, exponent - 1):
                if 0 < changed <= FASTEST:
                    pushes = list(motion.pushes)
                    pushes[place] = push, changed
                    yield Motion(tuple(pushes), motion.growing)
        for push in self._pushes(base):
            if push.name not in motion.names:
                yield Motion((*motion.pushes, (push, motion.fastest)), motion.growing)

    def _rise(self, place: int, motion: Motion) -> None:
        key = place, motion.words
        if self.calls <= 0:
            self.left = 0
        elif key not in self.seen:
            base = self.worlds[place]
            self.seen[key] = self._measured(motion, base), motion, base

    def _measured(self, motion: Motion, base: dict[str, Any]) -> float:
        """log2 of the growth of left over right for one doubling of the fastest; -inf for none."""
        for ends in CLOSE if motion.growing[0] else (*self.far, CLOSE[0]):
            found = [self._at(motion, base, size) for size in ends]
            rise = (found[1] - found[0]) / math.log2(ends[1] / ends[0]) / motion.fastest
            if math.isfinite(rise):
                return rise
        return -math.inf

    def _at(self, motion: Motion, base: dict[str, Any], size: int) -> float:
        """log2 of left over right at a size; NaN where the world is none of the claim."""
        try:
            values = motion.at(self.fields, base, size)
        except Immovable:
            return math.nan
        effort = max(self.effort(values), self.effort.of_averages(values))
        if effort > MOST_EFFORT:
            return math.nan
        if self._is_too_long(values):
            return math.nan
        self.left -= 1 + effort / GRAIN
        try:
            with limit(STEP_CALLS) as fuel:
                setting = Setting(self.task.claim, self.repaired(values))
                if setting.failed_hypothesis() is not None:
                    return math.nan
                return self._log_ratio(setting)
        except (Undefined, Undecided, ArithmeticError, ValueError, OutOfFuel):
            return math.nan
        finally:
            self.calls -= STEP_CALLS - max(fuel.left, 0)

    def _is_too_long(self, values: Mapping[str, Any]) -> bool:
        """Whether a rule would make an array from a large whole number, such as of steps."""
        return any(values[size] > LONGEST for name, read in self.made
                   if not isinstance(values.get(name), (int, fmpq)) for size in read)  # fmt: skip

    def _log_ratio(self, setting: Setting) -> float:
        """log2 of left over right, from some outcomes where a draw has too many to be listed."""
        draw, inner = setting.claim.draw, getattr(setting.claim.statement, "inner", None)
        if draw is None or draw.count(setting) <= LISTED:
            return side_ratio(setting)
        if not isinstance(inner, WithProbability) or not has_estimators(setting):
            return math.nan
        outcomes = draw.sample(setting, self.task.rng("outcomes of pushes"), DRAWN)
        values = sorted(float(value) for value in ratios(inner.relation, Batch(setting, outcomes)))
        level = exact.to_float(setting.evaluate(inner.level))
        value = values[min(max(math.ceil(level * DRAWN) - 1, 0), DRAWN - 1)]
        return math.log2(value) if value > 0 else math.nan


def kept_names(claim: Claim) -> set[str]:
    """Names that the constant may depend on, and all that these rest on: no motion touches them."""
    kept, queue = set(), list(getattr(claim.statement, "depends", ()))
    while queue:
        name = queue.pop()
        if name not in kept:
            kept.add(name)
            quantity = claim.measured.get(name)
            queue += claim.arguments(quantity) if quantity is not None else ()
    return kept


def _made_from_sizes(fields: Mapping[str, Field]) -> list[tuple[str, list[str]]]:
    """What rules make, and the whole numbers that they read."""
    return [(name, [each for each in signature(field.rule).parameters
                    if isinstance(fields.get(each), Integer)])
            for name, field in fields.items() if isinstance(field, Derived)]  # fmt: skip
