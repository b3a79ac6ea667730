"""A claim's relation on batches of sampled outcomes, in floats: the fast route of `sampling`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import sympy
from flint import arb

from boundcheck.errors import Undecided, Undefined
from boundcheck.exact import PRECISIONS, precision, to_ball
from boundcheck.scores import float_function
from boundcheck.setting import Setting, asserted, sides
from boundcheck.worlds.space import float_value

RELATIVE_MARGIN = 1e-9  # a float excess below this share of its terms is rounding
FIRST, LONGEST = 128, 4096  # outcomes in the first and in the longest batch of a test
STRICT = (sympy.Lt, sympy.Gt)
TIED = 2.0  # left over right where they are equal and may not be
CERTIFIED = 4000  # outcomes of a test held against definitions, of a claim of cost 1
SAMPLED = 2.0**-20  # by which laws of samplers, made of floats, may miss those that are stated
LOOP_LIMIT = 2_000  # outcomes per batch for quantities that have no estimator


class Batch:
    """Float values of every name of a claim over a batch of outcomes.

    Args: setting: the world and parameters. outcomes: arrays by name, batch axis first. base: a
    batch of the same outcomes with the same random values, which are taken from there.
    `checked` is for those who compare floats with definitions: what they found, by what.
    """

    def __init__(
        self, setting: Setting, outcomes: Mapping[str, Any], base: Batch | None = None
    ) -> None:
        self.setting = setting
        self.outcomes = outcomes
        self.base = base
        self.checked: dict[Any, bool] = {} if base is None else base.checked
        self.size = len(next(iter(outcomes.values())))
        self._cache: dict[str, Any] = {}

    def __call__(self, name: str) -> Any:
        if name in self.outcomes:
            return self.outcomes[name]
        if name not in self._cache:
            base = self.base if name in self.setting.claim.random_names else None
            self._cache[name] = self._value(name) if base is None else base(name)
        return self._cache[name]

    def _value(self, name: str) -> Any:
        import numpy

        from boundcheck.expressions.batch import NoBatch

        claim = self.setting.claim
        if name not in claim.random_names:
            with precision(PRECISIONS[0]):
                return float_value(self.setting(name))
        quantity = claim.measured[name]
        estimator = getattr(quantity, "estimator", None)
        if estimator is None:
            return self._by_definition(name)
        try:
            with numpy.errstate(all="ignore"):  # what has no float is seen by its value
                return estimator(*[self(argument) for argument in claim.arguments(quantity)])
        except NoBatch as error:
            raise Undecided(f"{name} has no floats in this world: {error}") from error

    def _by_definition(self, name: str) -> Any:
        import numpy

        draw = self.setting.draw
        values = numpy.empty(self.size)
        with precision(PRECISIONS[0]):
            for position in range(self.size):
                here = self.setting.with_outcome(draw.single(self.outcomes, position))
                values[position] = float_value(here(name))
        return values


def fresh(setting: Setting, rng: Any, draws: int) -> Iterator[Batch]:
    """Batches of independent draws, so many in total, longer and longer."""
    draw, seen, size = setting.draw, 0, FIRST
    while seen < draws:
        size = min(size, draws - seen)
        yield Batch(setting, draw.sample(setting, rng, size))
        seen, size = seen + size, min(2 * size, LONGEST)


class Kept:
    """Batches drawn once and looked at again by claims that differ in what is not random."""

    def __init__(self, source: Iterator[Batch]) -> None:
        self._source = source
        self._kept: list[Batch] = []

    def under(self, setting: Setting) -> Iterator[Batch]:
        """The same outcomes, from the first on, in a setting of the other claim."""
        place = 0
        while True:
            if place == len(self._kept):
                batch = next(self._source, None)
                if batch is None:
                    return
                self._kept.append(batch)
            base = self._kept[place]
            yield Batch(setting, base.outcomes, base)
            place += 1


def side_values(expr: sympy.Basic, batch: Batch) -> Any:
    """Values of an expression over the batch, shape (size,)."""
    import numpy

    function, names = float_function(sympy.sympify(expr))
    values = function(*[batch(name) for name in names])
    return numpy.broadcast_to(numpy.asarray(values, dtype=float), (batch.size,))


def ratios(relation: sympy.Basic, batch: Batch) -> Any:
    """left/right of the worst comparison per outcome; minus infinity where none is asserted.

    For scores only: what floats show above 1 may be rounding. `violations` decides.
    """
    import numpy

    worst = numpy.full(batch.size, -numpy.inf)
    for premises, part in asserted(relation):
        if not isinstance(part, sympy.Rel):
            apart = numpy.where(_fails(part, batch), 2.0, 0.0)
            apart = numpy.where(_asserted(premises, batch), apart, -numpy.inf)
            worst = numpy.maximum(worst, apart)
            continue
        low, high = _sides(part, batch)
        with numpy.errstate(divide="ignore", invalid="ignore"):
            quotient = numpy.where(high > 0, low / high, numpy.where(low <= high, 0.0, numpy.inf))
        quotient = numpy.nan_to_num(quotient, nan=0.0, posinf=numpy.inf, neginf=-numpy.inf)
        if isinstance(part, STRICT):  # equal sides violate it
            quotient = numpy.where(low == high, TIED, quotient)
        quotient = numpy.where(_asserted(premises, batch), quotient, -numpy.inf)
        worst = numpy.maximum(worst, quotient)
    return worst


def _sides(part: sympy.Rel, batch: Batch) -> tuple[Any, Any]:
    if isinstance(part, (sympy.Eq, sympy.Ne)):
        raise Undefined("equations are not tested on float draws")
    smaller, larger = sides(part)
    return side_values(smaller, batch), side_values(larger, batch)


def _fails(part: sympy.Basic, batch: Batch) -> Any:
    """Where floats say that alternatives are false."""
    import numpy

    function, names = float_function(part)
    holds = numpy.asarray(function(*[batch(name) for name in names]), dtype=bool)
    return ~numpy.broadcast_to(holds, (batch.size,))


def _asserted(premises: tuple[sympy.Basic, ...], batch: Batch) -> Any:
    import numpy

    asserted = numpy.ones(batch.size, dtype=bool)
    for premise in premises:
        function, names = float_function(premise)
        asserted &= numpy.broadcast_to(
            function(*[batch(name) for name in names]), (batch.size,)
        )
    return asserted


def suspected(relation: sympy.Basic, batch: Batch) -> Any:
    """Outcomes at which floats show a violation by more than the rounding of their terms, or a tie
    that a strict inequality excludes."""
    import numpy

    found = numpy.zeros(batch.size, dtype=bool)
    for premises, part in asserted(relation):
        if not isinstance(part, sympy.Rel):
            found |= _fails(part, batch) & _asserted(premises, batch)
            continue
        low, high = _sides(part, batch)
        # A difference that cancels is only as exact as its terms are large.
        scale = sum(
            abs(side_values(term, batch))
            for side in sides(part) for term in sympy.Add.make_args(side)
        )  # fmt: skip
        with numpy.errstate(invalid="ignore"):
            beyond = low - high > RELATIVE_MARGIN * scale
            if isinstance(part, STRICT):
                beyond |= low == high
            found |= beyond & _asserted(premises, batch)
    return found


def violations(relation: sympy.Basic, batch: Batch) -> Any:
    """Outcomes at which the relation is false: suspected in floats, certified by definitions.

    An estimator that cancels or overflows would otherwise be a counterexample to every theorem,
    and search finds the worlds in which it does.
    """
    import numpy

    draw = batch.setting.draw
    found = suspected(relation, batch)
    for position in numpy.flatnonzero(found):
        found[position] = certified(batch, relation, draw.single(batch.outcomes, position))
        rounded = draw.rounded(batch.outcomes, position) if found[position] else None
        if rounded is not None:
            found[position] = certified(batch, relation, rounded)
    return found


def certified(batch: Batch, relation: sympy.Basic, outcome: Mapping[str, Any]) -> bool:
    """Whether the relation is false at an outcome, which may be one of balls."""
    try:
        return batch.setting.with_outcome(outcome).decide(relation) is False
    except (Undefined, Undecided):
        return False
    except (TypeError, ValueError, NotImplementedError):
        if any(_exact(value) for value in outcome.values()):
            raise
        return False  # a definition that takes rationals only says nothing of balls


def exact_at(batch: Batch, expr: sympy.Basic, position: int) -> arb | None:
    """The value of an expression at an outcome, all that was rounded when it was drawn included.

    None where there is no value: beyond doubts of balls, or definitions take no balls.
    """
    draw = batch.setting.draw
    rounded = draw.rounded(batch.outcomes, position)
    outcome = draw.single(batch.outcomes, position) if rounded is None else rounded
    try:
        return to_ball(batch.setting.with_outcome(outcome).evaluate(expr))
    except (Undefined, Undecided):
        return None
    except (TypeError, ValueError, NotImplementedError):
        if rounded is None:
            raise
        return None


def _exact(value: Any) -> bool:
    from flint import arb, arb_mat

    if isinstance(value, tuple):
        return all(_exact(entry) for entry in value)
    return not isinstance(value, (arb, arb_mat))


def has_estimators(setting: Setting) -> bool:
    """Whether every random quantity of the claim has a batched estimator."""
    claim = setting.claim
    return all(
        getattr(claim.measured[name], "estimator", None) is not None
        for name in claim.random_names
        if name in claim.measured
    )
