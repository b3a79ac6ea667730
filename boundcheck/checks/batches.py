"""A claim's relation on batches of sampled outcomes, in floats: the fast route of `sampling`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import sympy

from boundcheck.claim import symbol_name
from boundcheck.errors import Undefined
from boundcheck.exact import PRECISIONS, precision
from boundcheck.setting import Setting, parts, sides
from boundcheck.worlds.space import float_value

RELATIVE_MARGIN = 1e-9  # a float excess below this is rounding, not violation
LOOP_LIMIT = 2_000  # outcomes per batch for quantities that have no estimator


class Batch:
    """Float values of every name of a claim over a batch of outcomes.

    Args: setting: the world and parameters. outcomes: arrays by name, batch axis first.
    """

    def __init__(self, setting: Setting, outcomes: Mapping[str, Any]) -> None:
        self.setting = setting
        self.outcomes = outcomes
        self.size = len(next(iter(outcomes.values())))
        self._cache: dict[str, Any] = {}

    def __call__(self, name: str) -> Any:
        if name in self.outcomes:
            return self.outcomes[name]
        if name not in self._cache:
            self._cache[name] = self._value(name)
        return self._cache[name]

    def _value(self, name: str) -> Any:
        claim = self.setting.claim
        if name not in claim.random_names:
            with precision(PRECISIONS[0]):
                return float_value(self.setting(name))
        quantity = claim.measured[name]
        estimator = getattr(quantity, "estimator", None)
        if estimator is not None:
            return estimator(*[self(argument) for argument in claim.arguments(quantity)])
        return self._by_definition(name)

    def _by_definition(self, name: str) -> Any:
        import numpy

        draw = self.setting.claim.draw
        assert draw is not None
        values = numpy.empty(self.size)
        with precision(PRECISIONS[0]):
            for position in range(self.size):
                here = self.setting.with_outcome(draw.single(self.outcomes, position))
                values[position] = float_value(here(name))
        return values


@lru_cache(maxsize=512)
def _lambdified(expr: sympy.Basic) -> tuple[Any, tuple[str, ...]]:
    names = tuple(sorted(symbol.name for symbol in expr.free_symbols))
    symbols = {symbol.name: symbol for symbol in expr.free_symbols}
    return sympy.lambdify([symbols[name] for name in names], expr, modules="numpy"), names


def side_values(expr: sympy.Basic, batch: Batch) -> Any:
    """Values of an expression over the batch, shape (size,)."""
    import numpy

    function, names = _lambdified(sympy.sympify(expr))
    values = function(*[batch(symbol_name(name)) for name in names])
    return numpy.broadcast_to(numpy.asarray(values, dtype=float), (batch.size,))


def ratios(relation: sympy.Basic, batch: Batch) -> Any:
    """left/right of the worst comparison per outcome; above 1 + margin counts as violation."""
    import numpy

    worst = numpy.full(batch.size, -numpy.inf)
    for part in parts(relation):
        if isinstance(part, (sympy.Eq, sympy.Ne)):
            raise Undefined("equations are not tested on float draws")
        smaller, larger = sides(part)
        low, high = side_values(smaller, batch), side_values(larger, batch)
        with numpy.errstate(divide="ignore", invalid="ignore"):
            quotient = numpy.where(high > 0, low / high, numpy.where(low <= high, 0.0, numpy.inf))
        worst = numpy.maximum(worst, numpy.nan_to_num(quotient, nan=0.0, posinf=numpy.inf))
    if isinstance(relation, sympy.Implies):
        premise, names = _lambdified(relation.args[0])
        met = numpy.broadcast_to(premise(*[batch(name) for name in names]), (batch.size,))
        worst = numpy.where(met, worst, -numpy.inf)
    return worst


def has_estimators(setting: Setting) -> bool:
    """Whether every random quantity of the claim has a batched estimator."""
    claim = setting.claim
    return all(
        getattr(claim.measured[name], "estimator", None) is not None
        for name in claim.random_names
        if name in claim.measured
    )
