"""Randomness that probabilities and expectations are over: enumerated exactly, or sampled.

A draw yields named outcomes. `outcomes` lists them all with exact probabilities (when
`count` says that is feasible); `sample` gives a batch as float or integer arrays, batch axis first.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from boundcheck.encoding import nearest_float, show
from boundcheck.errors import MalformedStatement, Undecided
from boundcheck.worlds.domains import require_names
from boundcheck.worlds.drawn import ball_of, exact_entry, on_constraint
from boundcheck.worlds.multinomial import MOST_TRIALS, multinomial

MOST_BITS = 10**7  # of the probability of one outcome
LONG = 1024  # binary digits of a probability that cost as much again
LONGEST = 10**6  # places of an outcome that is written out
MOST_PLACES = 2**28  # of outcomes that are drawn at once

Outcome = dict[str, Any]
Look = Callable[[str], Any]


class Draw:
    """Base of all draws. `over` says in words what is random, e.g. "features"."""

    names: tuple[str, ...]
    over: str

    def __post_init__(self) -> None:
        require_names(self)

    def count(self, look: Look) -> float:
        """Number of outcomes in a setting; infinite when they cannot be listed."""
        return math.inf

    def digits(self, look: Look) -> int:
        """Binary digits that the probability of an outcome may have, where these are many."""
        return 0

    def terms(self, look: Look) -> float:
        """The number of outcomes, each counted more than once where its probability is long."""
        count = self.count(look)
        return count * (1 + self.digits(look) // LONG) if count < math.inf else count

    def outcomes(self, look: Look) -> Iterator[tuple[fmpq, Outcome]]:
        """All outcomes with their exact probabilities."""
        raise NotImplementedError(f"{type(self).__name__} cannot be enumerated")

    def sample(self, look: Look, rng: Any, size: int) -> Outcome:
        """A batch of `size` outcomes as arrays, batch axis first."""
        raise NotImplementedError

    def single(self, batch: Mapping[str, Any], position: int) -> Outcome:
        """One outcome of a batch in the form that definitions take."""
        return {
            name: exact_entry(array[position])
            for name, array in batch.items() if name in self.names
        }  # fmt: skip

    def rounded(self, batch: Mapping[str, Any], position: int) -> Outcome | None:
        """The outcome as balls around what floats made of it; None if it is exact as it stands."""
        return None


def is_listed(draw: Draw | None) -> bool:
    """Whether probabilities come from a rule of somebody else, which may make them no law."""
    if isinstance(draw, Jointly):
        return any(map(is_listed, draw.members))
    return isinstance(draw, Listed) or not type(draw).__module__.startswith("boundcheck.")


def require_room(length: int, size: int) -> None:
    """Raises: Undecided where so many outcomes of this length do not fit into the memory."""
    if length * size > MOST_PLACES:
        places = f"{size} outcomes of {show(length)} places"
        raise Undecided(f"{places} are too many to be drawn at once")


def probabilities(weights: Any) -> Any:
    """Rational weights as floats that sum to one."""
    import numpy

    array = numpy.array([nearest_float(w) for w in weights])
    return array / array.sum()


@dataclass(frozen=True)
class Counts(Draw):
    """How often each atom comes up in independent draws: one multinomial, whatever the number.

    Args: counts: outcome name; weights, trials: names of the atom weights and of the number.
    """

    counts: str
    weights: str
    trials: str
    over: str = "the features"

    @property
    def names(self) -> tuple[str, ...]:  # type: ignore[override]
        return (self.counts,)

    def count(self, look: Look) -> float:
        atoms = sum(1 for weight in look(self.weights) if weight)
        trials = int(fmpq(look(self.trials)))
        if atoms > 1 and (atoms > 12 or trials > 4000):
            return math.inf
        return math.comb(trials + atoms - 1, atoms - 1) if atoms > 1 else 1

    def digits(self, look: Look) -> int:
        return _digits(list(map(fmpq, look(self.weights))), int(fmpq(look(self.trials))))

    def outcomes(self, look: Look) -> Iterator[tuple[fmpq, Outcome]]:
        weights, trials = list(map(fmpq, look(self.weights))), int(fmpq(look(self.trials)))
        support = [place for place, weight in enumerate(weights) if weight]
        require_short(weights, trials)
        for some in _compositions(trials, len(support)) if support else ():
            probability, left, counts = fmpq(1), trials, [0] * len(weights)
            for place, number in zip(support, some, strict=True):
                probability *= math.comb(left, number) * weights[place] ** number
                left -= number
                counts[place] = number
            yield probability, {self.counts: tuple(counts)}

    def sample(self, look: Look, rng: Any, size: int) -> Outcome:
        trials, weights = int(fmpq(look(self.trials))), list(map(fmpq, look(self.weights)))
        if trials > MOST_TRIALS:
            beyond = f"{self.trials} = {show(trials)} is beyond 2^40 draws"
            raise Undecided(f"{beyond}, the sampler's limit")
        return {self.counts: multinomial(rng, trials, weights, size)}


def require_short(weights: Sequence[fmpq], length: int) -> None:
    """Raises: Undecided where the probability of an outcome has too many digits to be written."""
    bits = _digits(weights, length)
    if bits > MOST_BITS:
        raise Undecided(f"probabilities of {show(length)} draws have up to {show(bits)} bits")


def _digits(weights: Sequence[fmpq], length: int) -> int:
    """Binary digits of the probability of a sequence of so many draws at the most."""
    bits = max((weight.height_bits() for weight in weights if weight not in (0, 1)), default=0)
    return bits * length


def _compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (total,)
        return
    for first in range(total, -1, -1):
        for rest in _compositions(total - first, parts - 1):
            yield (first, *rest)


@dataclass(frozen=True)
class Indices(Draw):
    """A sequence of independent atom indices, order kept: training sets, sample paths."""

    indices: str
    weights: str
    length: str
    over: str = "the training sample"

    @property
    def names(self) -> tuple[str, ...]:  # type: ignore[override]
        return (self.indices,)

    def count(self, look: Look) -> float:
        support = sum(1 for weight in look(self.weights) if weight)
        length = int(fmpq(look(self.length)))
        if length > LONGEST or length * math.log(max(support, 1)) >= 40:
            return math.inf
        return float(support**length)

    def digits(self, look: Look) -> int:
        return _digits(list(map(fmpq, look(self.weights))), int(fmpq(look(self.length))))

    def outcomes(self, look: Look) -> Iterator[tuple[fmpq, Outcome]]:
        weights, length = look(self.weights), int(fmpq(look(self.length)))
        if length > LONGEST:
            raise Undecided(f"{self.length} = {show(length)} places are too many to be written out")
        require_short(list(map(fmpq, weights)), length)
        support = [i for i, weight in enumerate(weights) if weight]
        for indices in itertools.product(support, repeat=length):
            probability = fmpq(1)
            for index in indices:
                probability *= weights[index]
            yield probability, {self.indices: indices}

    def sample(self, look: Look, rng: Any, size: int) -> Outcome:
        weights, length = look(self.weights), int(fmpq(look(self.length)))
        require_room(length, size)
        drawn = rng.choice(len(weights), p=probabilities(weights), size=(size, length))
        return {self.indices: drawn}


@dataclass(frozen=True)
class Each(Draw):
    """Independent choices, one for each row of a table of chances: a tuple of column indices.

    Args: choices: outcome name; chances: name of the laws, one for each variable.
    """

    choices: str
    chances: str
    over: str = "the variables"

    @property
    def names(self) -> tuple[str, ...]:  # type: ignore[override]
        return (self.choices,)

    def count(self, look: Look) -> float:
        return math.prod(float(sum(1 for w in law if w)) for law in look(self.chances))

    def outcomes(self, look: Look) -> Iterator[tuple[fmpq, Outcome]]:
        laws = look(self.chances)
        supports = [[k for k, weight in enumerate(law) if weight] for law in laws]
        for places in itertools.product(*supports):
            probability = fmpq(1)
            for law, place in zip(laws, places, strict=True):
                probability *= law[place]
            yield probability, {self.choices: places}

    def sample(self, look: Look, rng: Any, size: int) -> Outcome:
        import numpy

        columns = [
            rng.choice(len(law), p=probabilities(law), size=size) for law in look(self.chances)
        ]
        return {self.choices: numpy.stack(columns, axis=1)}


@dataclass(frozen=True)
class Signs(Draw):
    """Independent fair signs, a tuple of -1 and 1."""

    signs: str
    length: str
    over: str = "the signs"

    @property
    def names(self) -> tuple[str, ...]:  # type: ignore[override]
        return (self.signs,)

    def count(self, look: Look) -> float:
        length = int(fmpq(look(self.length)))
        return 2**length if length < 60 else math.inf

    def outcomes(self, look: Look) -> Iterator[tuple[fmpq, Outcome]]:
        length = int(fmpq(look(self.length)))
        each = fmpq(1, 2**length)
        for signs in itertools.product((1, -1), repeat=length):
            yield each, {self.signs: signs}

    def sample(self, look: Look, rng: Any, size: int) -> Outcome:
        length = int(fmpq(look(self.length)))
        require_room(length, size)
        return {self.signs: rng.choice((-1, 1), size=(size, length))}


def require_one_sample(draws: Sequence[Draw]) -> None:
    """Refuse counts and a list of so many draws from the same weights: together they would be two
    independent samples, and a statement that reads both means one.

    Raises: MalformedStatement naming the two outcomes.
    """
    counted = [draw for draw in draws if isinstance(draw, Counts)]
    listed = [draw for draw in draws if isinstance(draw, Indices)]
    for one, other in itertools.product(counted, listed):
        if (one.weights, one.trials) == (other.weights, other.length):
            raise MalformedStatement(
                f"{one.counts} and {other.indices} would be two independent samples of "
                f"{one.trials} draws from {one.weights}; use one of them, or a second number of "
                "draws for a second sample"
            )


@dataclass(frozen=True, init=False)
class Jointly(Draw):
    """Independent draws side by side."""

    members: tuple[Draw, ...]
    over: str = ""

    def __init__(self, *members: Draw, over: str = "") -> None:
        object.__setattr__(self, "members", members)
        object.__setattr__(self, "over", over or " and ".join(member.over for member in members))

    @property
    def names(self) -> tuple[str, ...]:  # type: ignore[override]
        return tuple(name for member in self.members for name in member.names)

    def count(self, look: Look) -> float:
        return math.prod(member.count(look) for member in self.members)

    def digits(self, look: Look) -> int:
        return sum(member.digits(look) for member in self.members)

    def outcomes(self, look: Look) -> Iterator[tuple[fmpq, Outcome]]:
        for parts in itertools.product(*(list(member.outcomes(look)) for member in self.members)):
            probability, outcome = fmpq(1), {}
            for chance, part in parts:
                probability *= chance
                outcome.update(part)
            yield probability, outcome

    def sample(self, look: Look, rng: Any, size: int) -> Outcome:
        return {
            name: array
            for member in self.members
            for name, array in member.sample(look, rng, size).items()
        }

    def single(self, batch: Mapping[str, Any], position: int) -> Outcome:
        found: Outcome = {}
        for member in self.members:
            found |= member.single(batch, position)
        return found

    def rounded(self, batch: Mapping[str, Any], position: int) -> Outcome | None:
        found = [member.rounded(batch, position) for member in self.members]
        if not any(found):
            return None
        exact = self.single(batch, position)
        return {**exact, **{name: ball for part in found for name, ball in (part or {}).items()}}


@dataclass(frozen=True)
class Sampled(Draw):
    """Continuous randomness: sampled only.

    Floats miss what they compute by a rounding. A violation counts where it is certified for the
    point of a sphere or simplex next to the draw and for the whole ball of that rounding.

    Args:
        names: outcome names.
        rule: (look, rng, size) -> arrays by name, batch axis first.
    """

    names: tuple[str, ...]
    rule: Callable[[Look, Any, int], Outcome]
    over: str = "the draw"

    def sample(self, look: Look, rng: Any, size: int) -> Outcome:
        return self.rule(look, rng, size)

    def single(self, batch: Mapping[str, Any], position: int) -> Outcome:
        import numpy

        arrays = {name: numpy.asarray(batch[name][position]) for name in self.names}
        return {
            name: on_constraint(array) if array.ndim and array.dtype.kind == "f"
            else exact_entry(array)
            for name, array in arrays.items()
        }  # fmt: skip

    def rounded(self, batch: Mapping[str, Any], position: int) -> Outcome | None:
        return {name: ball_of(batch, name, position) for name in self.names}


@dataclass(frozen=True)
class Listed(Draw):
    """A finite law given by a rule: (look) -> iterable of (probability, outcome).

    The rule takes named world values; used for scalar laws, noise laws and anything else finite.
    Where listing is long, `size` gives the number of outcomes from named values without listing.
    Sampling draws from the listed outcomes, so estimators see them as arrays.
    """

    names: tuple[str, ...]
    rule: Callable[..., Any]
    over: str = "the draw"
    size: Callable[..., float] | None = None

    @staticmethod
    def _applied(rule: Callable[..., Any], look: Look) -> Any:
        import inspect

        return rule(*[look(name) for name in inspect.signature(rule).parameters])

    def _listed(self, look: Look) -> list[tuple[fmpq, Outcome]]:
        return [(p, outcome) for p, outcome in self._applied(self.rule, look) if p]

    def count(self, look: Look) -> float:
        if self.size is not None:
            size: float = self._applied(self.size, look)
            return size
        return sum(1 for _ in itertools.islice(self._applied(self.rule, look), 100_000))

    def outcomes(self, look: Look) -> Iterator[tuple[fmpq, Outcome]]:
        yield from self._listed(look)

    def sample(self, look: Look, rng: Any, size: int) -> Outcome:
        import numpy

        from boundcheck.worlds.space import float_value

        listed = self._listed(look)
        picks = rng.choice(len(listed), p=probabilities([p for p, _ in listed]), size=size)
        outcomes = numpy.empty(len(listed), dtype=object)
        outcomes[:] = [outcome for _, outcome in listed]
        drawn = {
            name: numpy.array([float_value(outcome[name]) for outcome in outcomes])[picks]
            for name in self.names
        }
        return {**drawn, self._listed_as: outcomes[picks]}

    @property
    def _listed_as(self) -> str:
        """Under which name a batch holds its outcomes as they are listed."""
        return f"listed {' '.join(self.names)}"

    def single(self, batch: Mapping[str, Any], position: int) -> Outcome:
        if self._listed_as in batch:  # a third is no float
            return dict(batch[self._listed_as][position])
        return super().single(batch, position)
