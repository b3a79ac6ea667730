"""The outcomes of a draw in one float batch: the quantile of their scores where floats will do.

Exact scores take an outcome at a time. Scores only guide search, so floats serve as well wherever
they can neither hide a violation nor that a side has no value: clearly below one, from sides of
moderate size, of expressions without jumps. Every other outcome is scored exactly.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import sympy

from boundcheck import exact
from boundcheck.checks.batches import Batch, side_values
from boundcheck.claim import Claim, WithProbability
from boundcheck.expressions.binding import Definition
from boundcheck.expressions.nodes import Indicator
from boundcheck.scores import at_level, score_relation
from boundcheck.setting import INEQUALITIES, Setting, asserted, sides
from boundcheck.worlds.space import float_value

FEW = 8  # outcomes whose exact scores take no longer than a batch
CLEAR = 1 - 1e-6  # floats are believed below
LARGE, SMALL = 1e6, 1e-9  # sides of other sizes may be what is left of no value, or of nothing
DIGITS = 12  # of a score from floats; equal worlds differ in those after them
Scored = tuple[float, float, dict[str, Any]]  # score, probability and outcome
JUMPS = (sympy.Piecewise, sympy.floor, sympy.ceiling, sympy.sign, sympy.Rel, Indicator)


def likely_score(setting: Setting, form: WithProbability) -> float:
    """`boundcheck.scores.quantile`, from floats where that can make no difference."""
    return at_its_level(setting, form, likely_scores(setting, form))


def at_its_level(setting: Setting, form: WithProbability, scored: list[Scored]) -> float:
    """The score that the level speaks of, among those of `likely_scores`."""
    allowed = 1 - exact.to_float(setting.evaluate(form.level))
    return at_level([(score, weight) for score, weight, _ in scored], allowed)


def likely_scores(setting: Setting, form: WithProbability) -> list[Scored]:
    """Score, probability and outcome of all that is drawn, 0 where nothing is said; from floats
    where that can make no difference to the score of the world."""
    drawn = [pair for pair in setting.draw.outcomes(setting) if pair[0]]
    outcomes = [outcome for _, outcome in drawn]
    weights = [exact.to_float(probability) for probability, _ in drawn]
    smooth = len(drawn) >= FEW and _is_smooth(setting.claim)
    scores = (_believed(setting, form.relation, outcomes) if smooth
              else [math.nan] * len(outcomes))  # fmt: skip
    for place, score in enumerate(scores):
        if math.isnan(score):
            found = score_relation(form.relation, setting.with_outcome(outcomes[place]))
            scores[place] = 0.0 if math.isnan(found) else found
    return list(zip(scores, weights, outcomes, strict=True))


def _believed(
    setting: Setting, relation: sympy.Basic, outcomes: list[dict[str, Any]]
) -> list[float]:
    """The score of each outcome from floats, NaN where exact scores have to say it."""
    import numpy

    unknown = [math.nan] * len(outcomes)
    try:
        batch = Batch(setting, {
            name: numpy.array([float_value(outcome[name]) for outcome in outcomes])
            for name in outcomes[0]
        })  # fmt: skip
        with numpy.errstate(all="ignore"):
            found = [[side_values(side, batch) for side in sides(part)]
                     for _, part in asserted(relation)]  # fmt: skip
    except Exception:  # whatever primitives do with arrays they were not made for
        return unknown
    worst = numpy.full(len(outcomes), -numpy.inf)
    for low, high in found:
        size = numpy.maximum(abs(low), abs(high))
        with numpy.errstate(all="ignore"):
            score = numpy.where(high > 0, low / high, numpy.nan)
        score[~((size < LARGE) & (size > SMALL) & (score < CLEAR))] = numpy.nan
        worst = numpy.maximum(worst, score)
    return [float(f"{score:.{DIGITS}g}") for score in worst]


@lru_cache(maxsize=512)
def _is_smooth(claim: Claim) -> bool:
    """Whether what is random on both sides has a float reading without jumps."""
    comparisons = asserted(claim.statement.relation)
    if any(premises or not isinstance(part, INEQUALITIES) for premises, part in comparisons):
        return False
    if any(side.has(*JUMPS) for _, part in comparisons for side in sides(part)):
        return False
    names = claim.reached(symbol.name for symbol in claim.statement.relation.free_symbols)
    return all(
        isinstance(quantity, Definition) and quantity.estimator is not None
        and not quantity.expression.has(*JUMPS)
        for name, quantity in claim.measured.items() if name in names & claim.random_names
    )  # fmt: skip
