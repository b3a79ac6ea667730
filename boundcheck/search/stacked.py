"""Float values of a claim's names, and its scores, over many worlds of one shape at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import sympy

from boundcheck.claim import Claim, Expected, WithProbability
from boundcheck.expressions import batch
from boundcheck.scores import float_function
from boundcheck.setting import guarded, sides

MOST_OUTCOMES = 400  # of a draw in one world
LONGEST = 1000  # number of draws in one
ROUNDED = 1 + 1e-12  # of a weight that may fail


class Stacked:
    """Float values of a claim's names over `count` worlds of one shape, batch axis first.

    Args: base: the same worlds without an outcome, for what does not depend on the draw.

    Raises: TypeError if a name has no value on arrays.
    """

    def __init__(
        self, claim: Claim, values: Mapping[str, Any], count: int, base: Stacked | None = None
    ) -> None:
        self.claim = claim
        self.count = count
        self.base = base
        self.fields = values
        self._cache = dict(values)

    def __call__(self, name: str) -> Any:
        if name not in self._cache:
            if self.base is not None and name not in self.claim.random_names:
                return self.base(name)
            self._cache[name] = self._value(name)
        return self._cache[name]

    def _value(self, name: str) -> Any:
        quantity = self.claim.measured[name]
        function = getattr(quantity, "estimator", None) or quantity
        return function(*[self(argument) for argument in self.claim.arguments(quantity)])

    def evaluate(self, expr: sympy.Basic) -> Any:
        """Values of an expression or condition, shape (worlds,).

        Raises: TypeError if they are no real numbers or truths, one for each world.
        """
        import numpy

        function, names = float_function(sympy.sympify(expr))
        values = numpy.asarray(function(*[self(name) for name in names]))
        if values.dtype.kind not in "bif" or values.shape not in ((), (self.count,)):
            raise TypeError(f"{expr} has no value for each world")
        return numpy.broadcast_to(values, (self.count,))

    def scores(self, noise: float = 0.0) -> Any:
        """The score of each world as in `score_relation`; NaN where a hypothesis fails.

        Args: noise: sides that are both smaller say nothing either.
        """
        import numpy

        form, drawn = self.claim.statement, self.claim.draw is not None
        if drawn and not self._are_few():
            return numpy.full(self.count, numpy.nan)
        if drawn and isinstance(form, WithProbability):
            worst = self._quantiles(form, noise)
        elif drawn and isinstance(form, Expected):
            worst = self._means(noise)
        elif drawn:
            worst = self._always(noise)
        else:
            worst = self._worst(noise)
        return self.admitted(worst)

    def admitted(self, scores: Any) -> Any:
        """Scores of the worlds, NaN where a hypothesis fails."""
        import numpy

        for condition in self.claim.given:
            scores = numpy.where(self.evaluate(condition).astype(bool), scores, numpy.nan)
        return scores

    def _quantiles(self, form: WithProbability, noise: float) -> Any:
        """The quantile of the scores that the level speaks of, as in `boundcheck.scores.quantile`;
        NaN where every probability would do."""
        import numpy

        allowed = 1 - self.evaluate(form.level).astype(float)
        scored = [(numpy.nan_to_num(worlds._worst(noise), nan=0.0, posinf=numpy.inf), weight)
                  for weight, worlds in self._outcomes()]  # fmt: skip
        scores, weights = (numpy.stack(each) for each in zip(*scored, strict=True))
        order = numpy.argsort(-scores, axis=0, kind="stable")
        masses = numpy.cumsum(numpy.take_along_axis(weights, order, 0), axis=0)
        places = numpy.minimum((masses <= allowed * ROUNDED).sum(axis=0), len(scores) - 1)
        found = numpy.take_along_axis(scores, order, 0)[places, numpy.arange(self.count)]
        return numpy.where(allowed < 1, found, numpy.nan)

    def _always(self, noise: float) -> Any:
        """The largest score at any outcome of positive probability."""
        import numpy

        worst = numpy.full(self.count, numpy.nan)
        for weight, worlds in self._outcomes():
            found = worlds._worst(noise)
            worst = numpy.fmax(worst, numpy.where(weight > 0, found, numpy.nan))
        return worst

    def _means(self, noise: float) -> Any:
        """The score of the means of both sides."""
        import numpy

        worst = numpy.full(self.count, numpy.nan)
        drawn = list(self._outcomes())
        for premises, part in guarded(self.claim.statement.relation):
            if premises or isinstance(part, (sympy.Eq, sympy.Ne)):
                continue
            low, high = (sum(weight * worlds.evaluate(side) for weight, worlds in drawn)
                         for side in sides(part))  # fmt: skip
            told = (abs(low) >= noise) | (abs(high) >= noise)
            worst = numpy.fmax(worst, numpy.where(told, _pressure(low, high), numpy.nan))
        return worst

    def _are_few(self) -> bool:
        """Whether the outcomes are few and short enough to be listed, if all atoms are possible."""
        import numpy

        lengths = [0]

        def first(name: str) -> Any:
            value = numpy.asarray(self(name))[0]
            lengths.append(0 if value.ndim else int(value))
            return numpy.ones_like(value).tolist() if value.ndim else lengths[-1]

        assert self.claim.draw is not None
        return self.claim.draw.count(first) <= MOST_OUTCOMES and max(lengths) <= LONGEST

    def _outcomes(self) -> Iterator[tuple[Any, Stacked]]:
        """Each outcome of the draw: its probability in every world, and the worlds with it.

        Raises: NoBatch (a TypeError) for a draw without outcomes in floats.
        """
        import numpy

        assert self.claim.draw is not None
        for weight, outcome in batch.outcomes(self.claim.draw, self):
            stacked = {name: numpy.broadcast_to(value, (self.count, *numpy.shape(value)))
                       for name, value in outcome.items()}  # fmt: skip
            yield (numpy.broadcast_to(weight, (self.count,)),
                   Stacked(self.claim, stacked, self.count, self))  # fmt: skip

    def _worst(self, noise: float) -> Any:
        """The largest ratio of the comparisons; NaN where nothing is asserted."""
        import numpy

        worst = numpy.full(self.count, numpy.nan)
        for premises, part in guarded(self.claim.statement.relation):
            low, high = (self.evaluate(side).astype(float) for side in sides(part))
            asserted = numpy.ones(self.count, bool)
            for premise in premises:
                asserted &= self.evaluate(premise).astype(bool)
            if isinstance(part, (sympy.Eq, sympy.Ne)):
                continue
            asserted &= (abs(low) >= noise) | (abs(high) >= noise)
            worst = numpy.fmax(worst, numpy.where(asserted, _pressure(low, high), numpy.nan))
        return worst


def _pressure(low: Any, high: Any) -> Any:
    """left/right as `boundcheck.setting.pressure` has it, elementwise."""
    import numpy

    turned = numpy.where(low >= 0, numpy.inf, high / low)
    quotient = numpy.where(high > 0, low / high, turned)
    quotient = numpy.where((low == high) & (high != 0), 1.0, quotient)
    return numpy.where((low == 0) & (high == 0), 0.0, quotient)
