"""Many candidate worlds assessed at once in floats, so that search begins where it is tight.

Exact assessment takes a world at a time. Where every quantity of a statement without a draw works
on stacked arrays (parameters and scalar fields alone, or quantities with an estimator), a look in
floats costs half as much where both sides are short sums and a tenth or a hundredth where they hold
logarithms, powers and implicit hypotheses. What floats say is only a hint: the worlds chosen are
assessed exactly, and a claim whose floats disagree with its definitions is not screened.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import sympy

from boundcheck.claim import Claim
from boundcheck.errors import BoundcheckError, Broken, Undecided, Undefined
from boundcheck.exact import PRECISIONS, precision
from boundcheck.faults import is_ours
from boundcheck.scores import float_function, score_relation
from boundcheck.search.admissible import Candidates
from boundcheck.setting import Setting, guarded, sides
from boundcheck.worlds.sources import Randomness
from boundcheck.worlds.space import float_value

AGREE = 1e-6  # relative difference up to which floats and definitions are the same
COMPARED = 8  # worlds on which both are evaluated before floats are believed
SUSPICIOUS = 1 + 1e-9  # float scores above it may be violations
TRIVIAL = 1 - 1e-4  # scores from it on are tight already

Vector = tuple[float, ...]


class Stacked:
    """Float values of a claim's names over worlds of one shape, batch axis first.

    Raises: TypeError if a name has no value on arrays.
    """

    def __init__(self, claim: Claim, worlds: Sequence[Mapping[str, Any]]) -> None:
        self.claim = claim
        self.worlds = worlds
        self._cache: dict[str, Any] = {}

    def __call__(self, name: str) -> Any:
        if name not in self._cache:
            self._cache[name] = self._value(name)
        return self._cache[name]

    def _value(self, name: str) -> Any:
        import numpy

        if name in self.worlds[0]:
            return numpy.array([world[name] for world in self.worlds])
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
        if values.dtype.kind not in "bif" or values.shape not in ((), (len(self.worlds),)):
            raise TypeError(f"{expr} has no value for each world")
        return numpy.broadcast_to(values, (len(self.worlds),))

    def scores(self) -> Any:
        """The score of each world as in `score_relation`; NaN where a hypothesis fails."""
        import numpy

        worst = numpy.full(len(self.worlds), numpy.nan)
        for premises, part in guarded(self.claim.statement.relation):
            low, high = (self.evaluate(side).astype(float) for side in sides(part))
            asserted = numpy.ones(len(self.worlds), bool)
            for premise in premises:
                asserted &= self.evaluate(premise).astype(bool)
            if isinstance(part, (sympy.Eq, sympy.Ne)):
                continue
            worst = numpy.fmax(worst, numpy.where(asserted, _pressure(low, high), numpy.nan))
        for condition in self.claim.given:
            worst = numpy.where(self.evaluate(condition).astype(bool), worst, numpy.nan)
        return worst


def _pressure(low: Any, high: Any) -> Any:
    """left/right as `boundcheck.setting.pressure` has it, elementwise."""
    import numpy

    turned = numpy.where(low >= 0, numpy.inf, high / low)
    quotient = numpy.where(high > 0, low / high, turned)
    quotient = numpy.where((low == high) & (high != 0), 1.0, quotient)
    return numpy.where((low == 0) & (high == 0), 0.0, quotient)


class Screen:
    """Float scores of raw worlds of one claim, if its names allow it.

    `works` is False for claims with a draw, without an inequality, with quantities that do not
    take arrays, or whose floats disagree with the definitions.
    """

    def __init__(self, candidates: Candidates, rng: Any) -> None:
        self.candidates = candidates
        self.claim = candidates.claim
        relation = self.claim.statement.relation
        inequalities = [
            part for _, part in guarded(relation) if not isinstance(part, (sympy.Eq, sympy.Ne))
        ]
        self.works = self.claim.draw is None and bool(inequalities) and self._agrees(rng)

    def _raw(self, rng: Any) -> tuple[Vector, dict[str, Any]] | None:
        source = Randomness(rng)
        try:
            values = self.candidates.space.build(source)
        except BoundcheckError:
            return None
        values.pop("_tight", None)
        return source.read(), values

    def _agrees(self, rng: Any) -> bool:
        settings: list[Setting] = []
        for _ in range(4 * COMPARED):
            candidate = self.candidates.random(rng)
            if candidate is not None and len(settings) < COMPARED:
                settings.append(candidate.setting)
        floats = self._scores([setting.values for setting in settings])
        if floats is None or not settings:
            return False
        with precision(PRECISIONS[0]):
            for setting, found in zip(settings, floats, strict=True):
                try:
                    exact = score_relation(self.claim.statement.relation, setting)
                except Broken:
                    raise
                except (BoundcheckError, Undecided, Undefined):
                    continue
                if math.isfinite(exact) and not math.isclose(exact, found, rel_tol=AGREE):
                    return False
        return True

    def _scores(self, worlds: Sequence[Mapping[str, Any]]) -> list[float] | None:
        """Scores of worlds of any shapes; None if some name does not take arrays."""
        import numpy

        groups: dict[Any, list[int]] = {}
        try:
            values = [{name: float_value(v) for name, v in world.items()} for world in worlds]
            shapes = [tuple(numpy.shape(value) for value in world.values()) for world in values]
        except ValueError:  # rows of different lengths make no array
            return None
        for position, shape in enumerate(shapes):
            groups.setdefault(shape, []).append(position)
        scores = [math.nan] * len(worlds)
        for members in groups.values():
            try:
                with numpy.errstate(all="ignore"):
                    found = Stacked(self.claim, [values[i] for i in members]).scores()
            except BaseException as error:
                if isinstance(error, KeyboardInterrupt) and is_ours(error):
                    raise
                return None  # whatever a quantity that was never meant for arrays does with them
            for position, score in zip(members, found, strict=True):
                scores[position] = float(score)
        return scores

    def best(self, rng: Any, worlds: int, kept: int) -> list[Vector]:
        """Vectors of the worlds, among so many raw ones, that deserve an exact look.

        Suspected violations come first, then the tightest that are not tight already.
        """
        raw = [found for found in (self._raw(rng) for _ in range(worlds)) if found is not None]
        scores = self._scores([values for _, values in raw])
        if scores is None:
            return []
        suspects = [i for i, score in enumerate(scores) if score > SUSPICIOUS]
        others = [i for i, score in enumerate(scores) if score < TRIVIAL]
        others.sort(key=lambda i: -scores[i])
        return [raw[i][0] for i in (suspects[:kept] + others)[:kept]]
