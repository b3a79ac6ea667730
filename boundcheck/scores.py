"""How far a statement is from failing in one setting, as floats: left over right, and quantiles.

Scores guide search and measure slack; certificates come from `boundcheck.certify`.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import flint
import sympy
from flint import arb

from boundcheck import exact
from boundcheck.certify import expectation
from boundcheck.claim import Expected, UpToConstant, WithProbability
from boundcheck.errors import Undecided, Undefined
from boundcheck.exact import PRECISIONS, precision
from boundcheck.setting import Setting, asserted, live, parts, pressure, sides

DIGITS = 16  # bits that a side needs for a ratio to say anything
FAR = 16  # a ratio below 1 / FAR leads search nowhere, whatever it is

# Built once: SymPy takes longer to make an equation than a small matrix takes to invert.
EQUAL = sympy.Eq(sympy.Symbol("l"), sympy.Symbol("r"), evaluate=False)


@lru_cache(maxsize=512)
def float_function(expr: sympy.Basic) -> tuple[Callable[..., Any], tuple[str, ...]]:
    """An expression or condition as a function of arrays, and the names of its arguments in order.

    Raises: NoBatch (a TypeError) if some part has no float reading.
    """
    from boundcheck.expressions import batch

    names = tuple(sorted(symbol.name for symbol in expr.free_symbols))
    run = batch.compiled(expr)

    def function(*values: Any) -> Any:
        return run(dict(zip(names, values, strict=True)).__getitem__)

    return function, names


def constant_needed(
    setting: Setting, form: UpToConstant,
    at_its_level: Callable[[Setting, WithProbability], float] | None = None,
) -> float:  # fmt: skip
    """The least constant that a statement up to a constant needs in one setting.

    Args: at_its_level: what scores a probability statement, default `quantile`.
    """
    claim, inner = setting.claim, form.inner
    if claim.draw is None:
        return score_relation(form.relation, setting)
    if isinstance(inner, WithProbability):
        return (at_its_level or quantile)(setting, inner)
    if isinstance(inner, Expected):
        return max(
            (pressure(part, *(expectation(setting, side) for side in sides(part)))
             for part in live(form.relation, setting)),
            default=math.nan,
        )  # fmt: skip
    scores = [
        score_relation(form.relation, setting.with_outcome(outcome))
        for probability, outcome in claim.draw.outcomes(setting)
        if probability
    ]
    return max((score for score in scores if score == score), default=math.nan)


def score_relation(relation: sympy.Basic, setting: Setting) -> float:
    """Largest ratio over the comparisons of a relation, at the current precision.

    An equation that holds says nothing on how tight the inequalities beside it are, nor does one
    of several alternatives.
    """
    scores, equations, whole = [], [], asserted(relation)
    for premises, part in whole:
        if not all(exact.decide(premise, setting) for premise in premises):
            continue
        if not isinstance(part, sympy.Rel):
            fails = exact.decide(part, setting) is False
            if len(whole) > 1 or fails:
                equations.append(2.0 if fails else 1.0)
            else:
                scores.append(_nearest(part, setting))
            continue
        low, high = sides(part)
        if isinstance(part, sympy.Eq):
            equations.append(distance(setting.evaluate(low), setting.evaluate(high)))
        elif isinstance(part, sympy.Ne):
            equations.append(1.0)
        else:
            scores.append(pressure(part, *_with_digits(setting, low, high)))
    return overall(scores, equations)


def _with_digits(setting: Setting, low: sympy.Expr, high: sympy.Expr) -> tuple[Any, Any]:
    """Both sides of an inequality, at a higher precision than the current one where what cancels
    leaves so few digits of one that nobody could tell how near they are: 1 - P(N >= 1) of a mean of
    90 is less than the rounding of 1."""
    sides_ = setting.evaluate(low), setting.evaluate(high)
    for bits in PRECISIONS:
        if bits > flint.ctx.prec and not _comparable(*sides_):
            with precision(bits):
                sides_ = setting.evaluate(low), setting.evaluate(high)
    return sides_


def _comparable(left: Any, right: Any) -> bool:
    """Whether both sides have digits, or one is far below the other whatever its digits are."""
    balls = [side for side in (left, right) if isinstance(side, arb) and side.is_finite()]
    if all(ball.rel_accuracy_bits() >= DIGITS for ball in balls):
        return True
    return bool(FAR * abs(exact.to_ball(left)) < abs(exact.to_ball(right)))


def _nearest(part: sympy.Basic, setting: Setting) -> float:
    """How near alternatives that stand alone, and hold, are to failing: 1 at the most, where every
    one is at its bound."""
    if not isinstance(part, sympy.Or):
        return 1.0
    found = []
    for one in part.args:
        try:
            found.append(score_relation(one, setting))
        except (Undefined, Undecided):
            found.append(1.0)
    return min((score for score in found if score == score), default=1.0)


def overall(scores: list[float], equations: list[float]) -> float:
    """The score of comparisons and equations together; NaN of none.

    >>> overall([0.5], [1.0]), overall([0.5], [1.25]), overall([], [1.0])
    (0.5, 1.25, 1.0)
    """
    apart = [score for score in equations if score > 1]
    return max(scores + apart, default=max(equations, default=math.nan))


def beyond_floats(relation: sympy.Basic) -> bool:
    """Whether scores below 1 leave open if it holds: equations, strict signs, alternatives."""
    return any(not isinstance(part, (sympy.Le, sympy.Ge)) for _, part in asserted(relation))


def distance(left: Any, right: Any) -> float:
    """1 for equal values, above 1 by the relative difference."""
    if isinstance(left, exact.MATRICES) or isinstance(right, exact.MATRICES):
        same = exact.compare(EQUAL, left, right)
        return 2.0 if same is False else 1.0
    a, b = exact.to_float(left), exact.to_float(right)
    if a == b or not (math.isfinite(a) and math.isfinite(b)):
        return 1.0
    relative = abs(a - b) / max(abs(a), abs(b))
    return 1.0 if relative < 1e-12 and not exact.is_exact(left) else 1.0 + relative


def beyond(low: Any, high: Any) -> int | None:
    """The power of ten of a ratio of two positive numbers that no float holds; None for others.

    >>> from flint import fmpq
    >>> beyond(fmpq(1, 10**200), fmpq(10) ** 200), beyond(fmpq(1), fmpq(3)), beyond(0, 1)
    (400, None, None)
    """
    ends = exact.to_ball(low), exact.to_ball(high)
    if not all(end.is_finite() and end > 0 for end in ends):
        return None
    power = (ends[1].log() - ends[0].log()) / arb(10).log()
    whole = math.floor(exact.to_float(power) + 1e-9)
    return whole if whole > sys.float_info.max_10_exp else None


def quantile(setting: Setting, form: WithProbability) -> float:
    """The quantile of left/right that the level speaks of, over all outcomes."""
    allowed = 1 - exact.to_float(setting.evaluate(form.level))
    scored = []
    for probability, outcome in setting.draw.outcomes(setting):
        score = score_relation(form.relation, setting.with_outcome(outcome))
        scored.append((0.0 if math.isnan(score) else score, exact.to_float(probability)))
    return at_level(scored, allowed)


def at_level(scored: list[tuple[float, float]], allowed: float) -> float:
    """The score at which outcomes, as (score, probability), weigh more than what may fail.

    Raises: Undecided where there are none.
    """
    if not scored:
        raise Undecided("nothing is drawn with a positive probability")
    scored = sorted(scored, reverse=True)
    mass = 0.0
    for score, weight in scored:
        mass += weight
        if mass > allowed * (1 + 1e-12):
            return score
    return scored[-1][0]


def says_nothing(setting: Setting) -> bool:
    """Whether every right side is certified to be at least `trivial` of the claim in one setting.

    False where the claim states nothing trivial, or a right side depends on the draw.
    """
    trivial = setting.claim.trivial
    comparisons = [
        part for part in parts(setting.claim.statement.relation)
        if not isinstance(part, (sympy.Eq, sympy.Ne))
    ]  # fmt: skip
    if trivial is None or not comparisons:
        return False
    try:
        return all(
            setting.decide(sympy.Ge(sides(part)[1], trivial, evaluate=False))
            for part in comparisons
        )
    except Undefined:
        return False
