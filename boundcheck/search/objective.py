"""What search maximises: how close a setting comes to violating a claim, and certified violation.

The score of a setting is the factor by which the right side would have to grow to hold there, so
above 1 means violated and 1/score is the slack. For probability statements it is the quantile of
left/right at the stated level.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import sympy
from flint import fmpq

from boundcheck.certify import (
    certify,
    decide_expected,
    exceeds,
    expectation,
    probabilities,
    shown_probability,
    shown_sides,
    why_undefined,
)
from boundcheck.claim import Expected, UpToConstant, WithProbability
from boundcheck.errors import Undecided, Undefined
from boundcheck.exact import PRECISIONS, precision
from boundcheck.scores import (
    beyond_floats,
    constant_needed,
    distance,
    overall,
    score_relation,
)
from boundcheck.search.levels import nearer
from boundcheck.search.quantiles import at_its_level, likely_score, likely_scores
from boundcheck.setting import Setting, live, pressure, sides

NEAR = 1 - 1e-9  # from here on balls are asked, floats are not believed
HOPELESS = 1e300  # a ratio that only a right side of zero explains


@dataclass(frozen=True)
class Assessment:
    """Result at one setting.

    Args:
        score: see above; NaN where the statement says nothing (a premise is false).
        violated: certified in exact arithmetic.
        shown: certified numbers for the witness, by name.
        undefined: why the statement has no value here, or "".
        undecided: balls at the highest precision do not tell whether it holds here.
        unlisted: the draw has more outcomes than are enumerated.
        nearer: of the parameter that sets the level, a value at which the world is nearer to
        failing, as text; "" where none is known.
        passed: nothing was asked here, which took no effort.
    """

    score: float
    violated: bool
    shown: Mapping[str, str]
    undefined: str = ""
    undecided: bool = False
    unlisted: bool = False
    nearer: str = ""
    passed: bool = False


SILENT = Assessment(math.nan, False, {})
PASSED = Assessment(math.nan, False, {}, passed=True)
OPEN = Assessment(math.nan, False, {}, undecided=True)
UNLISTED = Assessment(math.nan, False, {}, unlisted=True)


def _open(score: float, truth: bool | None) -> Assessment:
    """Of a setting where the statement is not certified false: it holds, or nobody can tell."""
    return Assessment(min(score, 1.0), False, {}, undecided=truth is None)


def assess(setting: Setting, *, outcomes: int) -> Assessment:
    """Score one admissible setting; `outcomes` limits exact enumeration (NaN beyond it)."""
    claim = setting.claim
    form = claim.statement
    try:
        if isinstance(form, WithProbability) and exceeds(setting, form, fmpq(0)):
            return Assessment(math.inf, *certify(setting))  # no probability is above one
        if claim.draw is not None and claim.draw.count(setting) > outcomes:
            return UNLISTED
        if isinstance(form, UpToConstant):
            return _assess_up_to_constant(setting, form)
        if isinstance(form, WithProbability) and not exceeds(setting, form, fmpq(1)):
            return SILENT  # a probability of at least zero is no promise
        if claim.draw is None:
            return _assess_deterministic(setting, form.relation)
        if isinstance(form, WithProbability):
            return _assess_probability(setting, form)
        return _assess_expectation(setting, form)
    except Undefined:
        # Said of the statement only if it can be shown again, at the highest precision.
        reason = why_undefined(setting, outcomes)
        return Assessment(math.inf, False, {}, undefined=reason) if reason else SILENT
    except Undecided:
        return OPEN


def _assess_up_to_constant(setting: Setting, form: UpToConstant) -> Assessment:
    """Score left/right; a violation by itself only where the right side leaves no constant."""
    with precision(PRECISIONS[0]):
        score = constant_needed(setting, form, likely_score)
    if not score > HOPELESS:
        return Assessment(score, False, {})
    return Assessment(score, *certify(setting))


def _asks(score: float) -> bool:
    """Whether a score asks for a certificate: by a left side that is near the right one, or that
    is nothing, as is the middle of a ball in which all digits have cancelled."""
    return score >= NEAR or score <= 0


def _assess_deterministic(setting: Setting, relation: sympy.Basic) -> Assessment:
    with precision(PRECISIONS[0]):
        score = score_relation(relation, setting)
    if math.isnan(score) or not (_asks(score) or beyond_floats(relation)):
        return Assessment(score, False, {})
    truth = setting.decide(relation)
    if truth is not False:
        return _open(score, truth)
    return Assessment(max(score, 1.0), True, shown_sides(relation, setting))


def _assess_probability(setting: Setting, form: WithProbability) -> Assessment:
    with precision(PRECISIONS[0]):
        scored = likely_scores(setting, form)
        score = at_its_level(setting, form, scored)
        moved = nearer(setting, form, scored, score)
    # Strict inequalities fail at equality, so a quantile of one already asks for a certificate.
    onward = "" if moved is None else str(moved)
    if score < NEAR and not beyond_floats(form.relation):
        return Assessment(score, False, {}, nearer=onward)
    failure, holding = probabilities(setting, form.relation)
    if not exceeds(setting, form, failure):
        # It holds if that is certified of likely enough outcomes.
        truth = True if exceeds(setting, form, 1 - holding) is False else None
        return replace(_open(score, truth), nearer=onward)
    return Assessment(max(score, 1.0), True, shown_probability(setting, form, failure))


def _assess_expectation(setting: Setting, form: Expected | Any) -> Assessment:
    if not isinstance(form, Expected):
        # Holds over a draw means: at every outcome of positive probability.
        return _assess_always(setting, form.relation)
    scores, equations = [], []
    with precision(PRECISIONS[0]):
        for part in live(form.relation, setting):
            low, high = sides(part)
            left, right = expectation(setting, low), expectation(setting, high)
            if isinstance(part, sympy.Eq):
                equations.append(distance(left, right))
            else:
                scores.append(pressure(part, left, right))
    score = overall(scores, equations)
    if not (_asks(score) or beyond_floats(form.relation)):
        return Assessment(score, False, {})
    truth, shown = decide_expected(setting, form.relation)
    if truth is False:
        return Assessment(max(score, 1.0), True, shown)
    return _open(score, truth)


def _assess_always(setting: Setting, relation: sympy.Basic) -> Assessment:
    worst, undecided = SILENT, False
    for probability, outcome in setting.draw.outcomes(setting):
        if not probability:
            continue
        result = _assess_deterministic(setting.with_outcome(outcome), relation)
        if result.violated:
            violated, shown = certify(setting)
            return Assessment(result.score, violated, shown)
        if math.isnan(worst.score) or result.score > worst.score:
            worst = result
        undecided = undecided or result.undecided
    return replace(worst, undecided=undecided)
