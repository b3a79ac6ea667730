"""Many candidate worlds assessed at once in floats, so that search begins where it is tight.

Exact assessment takes a world at a time. Where every quantity of a statement works on stacked
arrays (parameters and scalar fields alone, or quantities with an estimator), and its draw, if it
has one, has few outcomes, a look in floats costs half as much where both sides are short sums and a
tenth or a hundredth where they hold logarithms, powers and implicit hypotheses. What floats say is
only a hint: the worlds chosen are assessed exactly, and a claim whose floats disagree with its
definitions is not screened.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sympy

from boundcheck.claim import Claim, UpToConstant, WithProbability
from boundcheck.errors import BoundcheckError, Broken, Undecided, Undefined
from boundcheck.exact import PRECISIONS, precision
from boundcheck.expressions.nodes import Average, Binder, Indicator, nodes
from boundcheck.faults import is_ours
from boundcheck.scores import constant_needed
from boundcheck.search.admissible import Candidates
from boundcheck.search.batched import Populations
from boundcheck.search.hints import field_sizes
from boundcheck.search.stacked import Stacked
from boundcheck.setting import INEQUALITIES, Setting, guarded, sides
from boundcheck.sign_sums import is_summed
from boundcheck.worlds.draws import Draw
from boundcheck.worlds.sources import Randomness
from boundcheck.worlds.space import float_value

AGREE = 1e-6  # relative difference up to which floats and definitions are the same
COMPARED = 8  # worlds on which both are evaluated before floats are believed
LEAST_AGREED = 3  # of them inside the range of floats
SUSPICIOUS = 1 + 1e-9  # float scores above it may be violations
TRIVIAL = 1 - 1e-4  # scores from it on are tight already
BATCHED = 6  # worlds in batches for each one that would be built alone
NOISE = 1e-12  # float sides below it are roundings
LISTED = 10_000  # outcomes of averages inside a world, times its numbers, that floats list

Vector = tuple[float, ...]


class Screen:
    """Float scores of raw worlds of one claim, if its names allow it.

    `works` is False for claims without an inequality, up to a constant over a draw, with quantities
    that do not take arrays, or whose floats disagree with the definitions. `looked` counts the
    worlds; `stopped` says that a clear violation in floats ended the last look before its time.
    """

    def __init__(self, candidates: Candidates, rng: Any) -> None:
        self.candidates = candidates
        self.claim = candidates.claim
        self.averages, self.drawn = averaged(self.claim), drawn_in(self.claim)
        relation = self.claim.statement.relation
        inequalities = [
            part for _, part in guarded(relation) if not isinstance(part, (sympy.Eq, sympy.Ne))
        ]
        self.looked = 0
        self.stopped = False
        # Up to a constant, families over the draw decide, and outcomes would only take long.
        drawn = self.claim.draw is not None and isinstance(self.claim.statement, UpToConstant)
        self.works = bool(inequalities) and not drawn and self._agrees(rng)

    def _raw(self, rng: Any) -> tuple[Vector, dict[str, Any]] | None:
        source = Randomness(rng)
        try:
            values = self.candidates.space.build(source)
        except (BoundcheckError, Undefined):
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
        agreed = 0
        with precision(PRECISIONS[0]):
            for setting, found in zip(settings, floats, strict=True):
                if self.drawn and math.isnan(found):
                    continue  # too many outcomes
                try:
                    exact = self._exact(setting)
                except Broken:
                    raise
                except (BoundcheckError, Undecided, Undefined):
                    continue
                both = math.isfinite(exact) and math.isfinite(found)
                if both and not math.isclose(exact, found, rel_tol=AGREE):
                    return False
                agreed += both or (math.isnan(exact) and math.isnan(found))
        return agreed >= LEAST_AGREED

    def _exact(self, setting: Setting) -> float:
        form = self.claim.statement
        whole = form if isinstance(form, UpToConstant) else UpToConstant(form)
        return constant_needed(setting, whole)

    def _scores(self, worlds: Sequence[Mapping[str, Any]]) -> list[float] | None:
        """Scores of worlds of any shapes; None if some name does not take arrays."""
        import numpy

        groups: dict[Any, list[int]] = {}
        numbers = size_names(self.claim)
        try:
            values = [{name: float_value(v) for name, v in world.items()} for world in worlds]
            shapes = [tuple(numpy.shape(value) if numpy.ndim(value) or name not in numbers
                            else float(value) for name, value in world.items())
                      for world in values]  # fmt: skip
        except (ValueError, OverflowError):  # rows of different lengths make no array
            return None
        for position, shape in enumerate(shapes):
            groups.setdefault(shape, []).append(position)
        scores = [math.nan] * len(worlds)
        for members in groups.values():
            try:
                stacked = {
                    name: numpy.array([values[i][name] for i in members])
                    for name in values[members[0]]
                }  # fmt: skip
            except (ValueError, OverflowError):
                return None
            found = self.scores_of(Stacked(self.claim, stacked, len(members)))
            if found is None:
                return None
            for position, score in zip(members, found, strict=True):
                scores[position] = float(score)
        return scores

    def scores_of(self, worlds: Stacked, noise: float = 0.0) -> Any:
        """Scores of worlds of one shape; None where a name has no value on arrays.

        Args: noise: sides that are both smaller say nothing.
        """
        import numpy

        try:
            numbers = sum(int(numpy.size(value[0])) for value in worlds.fields.values())
            if self._outcomes(worlds.fields, self.averages) * numbers > LISTED:
                return numpy.full(worlds.count, numpy.nan)
            with numpy.errstate(all="ignore"):
                return worlds.scores(noise)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt) and is_ours(error):
                raise
            return None  # whatever a quantity that was never meant for arrays does with them

    def _outcomes(self, values: Mapping[str, Any], drawn: Iterable[Draw]) -> float:
        """How many outcomes the draws have in the first world of a batch; the claim's own count
        twice, since each of its outcomes is assessed."""
        first = {name: _first(value) for name, value in values.items()}
        try:
            return sum(draw.count(first.__getitem__) * (1 + (draw is self.claim.draw))
                       for draw in drawn)  # fmt: skip
        except (KeyError, TypeError, ValueError):  # a law that is itself measured
            return 0.0

    def best(
        self, rng: Any, worlds: int, kept: int, *, hurried: bool = False
    ) -> list[Vector]:
        """Vectors of the worlds, among so many in floats, that deserve an exact look.

        Suspected violations come first, then the tightest that are not tight already. Where every
        field is built in batches, `BATCHED` times as many worlds are looked at.

        Args: hurried: whether a clear violation in floats ends the look there.
        """
        made = self.populations()
        found = made.best(rng, BATCHED * worlds, kept, hurried=hurried)
        self.stopped = made.stopped
        if found is not None:
            self.looked += made.looked
            return found
        self.looked += worlds
        return self._one_by_one(rng, worlds, kept)

    def populations(self) -> Populations:
        """The worlds of the claim in float batches."""
        claim, space = self.claim, self.candidates.space
        chance = chance_of(claim)
        last: list[Stacked] = []

        def scores(values: Mapping[str, Any], count: int) -> Any:
            last[:] = [Stacked(claim, values, count)]
            return self.scores_of(last[0], NOISE)

        def chances() -> Any:
            return last[0].evaluate(chance)

        def groups(vector: Any) -> list[list[int]]:
            spans = space.spans([float(value) for value in vector]).values()
            return [list(range(*span)) for span in spans if span[1] - span[0] > 1]

        def outcomes(values: Mapping[str, Any]) -> float:
            return self._outcomes(values, self.drawn)

        return Populations(space.fields, size_names(claim), scores, groups, outcomes,
                           None if chance is None else chances)  # fmt: skip

    def _one_by_one(self, rng: Any, worlds: int, kept: int) -> list[Vector]:
        raw = [found for found in (self._raw(rng) for _ in range(worlds)) if found is not None]
        scores = self._scores([values for _, values in raw])
        if scores is None:
            return []
        suspects = [i for i, score in enumerate(scores) if score > SUSPICIOUS]
        others = [i for i, score in enumerate(scores) if score < TRIVIAL]
        others.sort(key=lambda i: -scores[i])
        return [raw[i][0] for i in (suspects[:kept] + others)[:kept]]


def _first(value: Any) -> Any:
    """The value of the first world of a batch as draws read it."""
    first = value[0]
    if isinstance(first, str) or getattr(first, "ndim", 1) != 0:
        return first
    return int(first) if first == int(first) else first


def chance_of(claim: Claim) -> sympy.Expr | None:
    """The probability that a claim bounds from above, or allows, by which worlds are told apart."""
    form = claim.statement
    if isinstance(form, WithProbability):
        return None if claim.draw is None else 1 - form.level
    return bounded_chance(claim)


def bounded_chance(claim: Claim) -> sympy.Symbol | None:
    """The probability that a claim bounds from above, if it does that and nothing else."""
    comparison = claim.statement.relation
    if not isinstance(comparison, INEQUALITIES):
        return None
    low, _ = sides(comparison)
    quantity = claim.measured.get(low.name) if isinstance(low, sympy.Symbol) else None
    counts = getattr(quantity, "expression", sympy.S.Zero).has(Indicator)
    return low if counts or "probability" in getattr(quantity, "facts", ()) else None


def averaged(
    claim: Claim, names: Iterable[str] | None = None, *, listed: bool = False
) -> list[Draw]:
    """The draws over which definitions take expectations inside a world.

    Args: names: those whose values ask for it, all by default. listed: only where outcomes are
    listed for it.
    """
    reached = claim.reached(claim.measured if names is None else names)
    found = {
        node.drawn.meaning.draw for name in reached
        for node in nodes(getattr(claim.measured.get(name), "expression", sympy.S.Zero))
        if isinstance(node, Average) and node.drawn.meaning.draw is not None
        and not (listed and is_summed(node))
    }  # fmt: skip
    return sorted(found, key=repr)


def drawn_in(claim: Claim) -> list[Draw]:
    """The draws of `averaged`, and that of the claim."""
    return averaged(claim) + ([] if claim.draw is None else [claim.draw])


def size_names(claim: Claim) -> frozenset[str]:
    """Names that say how many entries, values of an index or draws there are."""
    found = set(field_sizes(claim))
    found |= {name for draw in drawn_in(claim) for name in vars(draw).values()
              if isinstance(name, str) and name not in draw.names}  # fmt: skip
    for quantity in claim.measured.values():
        for node in nodes(getattr(quantity, "expression", sympy.S.Zero)):
            if isinstance(node, Binder):
                sizes = [sympy.sympify(each.meaning.size) for each in node.indices]
                found |= {s.name for size in sizes for s in size.free_symbols}
    return frozenset(found)
