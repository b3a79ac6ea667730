"""The level of a probability statement at which a world is nearest to failing.

A bound falls as more failures are allowed, and which outcomes may fail stays the same until the
allowance passes the weight of one more: the tightest level of a world is just below such a weight.
Search alone seldom meets it, for it is another one in every world.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from flint import fmpq

from boundcheck import exact
from boundcheck.claim import Claim, WithProbability
from boundcheck.errors import Undecided, Undefined
from boundcheck.scores import float_function, score_relation
from boundcheck.search.quantiles import Scored
from boundcheck.setting import Setting
from boundcheck.worlds.fields import Real

TRIED = 4  # weights of a world
BETTER = 1.02  # times the score of the world as it is, below which a level is no better
WORTH = 0.25  # of a bound that is just met, below which it leads nowhere
BELOW = 1 - 2.0**-20  # of a weight is allowed
HALVINGS = 60  # of the range of a parameter, to find the level that allows a weight
LARGEST = 2.0**20  # of a parameter without end that is looked at
FINE = 2**30  # denominator of the levels tried


@lru_cache(maxsize=512)
def movable(claim: Claim) -> str:
    """The real parameter that sets the level of a probability statement, "" for none or several."""
    form = claim.statement
    if not isinstance(form, WithProbability):
        return ""
    names = [symbol.name for symbol in form.level.free_symbols
             if type(claim.fields.get(symbol.name)) is Real]  # fmt: skip
    return names[0] if len(names) == 1 else ""


def nearer(
    setting: Setting, form: WithProbability, scored: Sequence[Scored], score: float
) -> fmpq | None:
    """The value of the parameter `movable` at which a world is nearest to failing, by the outcomes
    that may just not fail there; None where none is clearly nearer than the world as it is.

    Args: scored: the outcomes of positive probability, their scores as the world is. score: of the
    world.
    """
    name = movable(setting.claim)
    if not name or not scored:
        return None
    best, least = None, max(BETTER * score, WORTH)
    allowed = _allowed(setting, form, name)
    asked = [condition for condition in setting.claim.given
             if name in {symbol.name for symbol in condition.free_symbols}]  # fmt: skip
    for weight, outcome in _weights(scored):
        try:
            value = _inverse(allowed, setting, name, BELOW * weight)
            moved = setting.replaced(**{name: value})
            if moved.outside() or any(moved.decide(each) is not True for each in asked):
                continue
            found = score_relation(form.relation, moved.with_outcome(outcome))
        except (Undefined, Undecided, ArithmeticError, ValueError, TypeError):
            continue
        if found > least:
            best, least = value, found
    return best


def _weights(scored: Sequence[Scored]) -> list[tuple[float, dict[str, Any]]]:
    """Weights of the outcomes that score so much or more, with one that scores least of them; the
    first, the last and some between, of the scores that differ."""
    steps: list[tuple[float, dict[str, Any]]] = []
    mass, last = 0.0, math.nan
    for score, weight, outcome in sorted(scored, key=lambda item: -item[0]):
        mass += weight
        if math.isclose(score, last, rel_tol=1e-9):
            steps[-1] = mass, outcome
        else:
            steps.append((mass, outcome))
        last = score
    if len(steps) <= TRIED:
        return steps
    return [steps[round(place * (len(steps) - 1) / (TRIED - 1))] for place in range(TRIED)]


def _allowed(
    setting: Setting, form: WithProbability, name: str
) -> Callable[[float], float]:
    """The probability that may fail, by the parameter."""
    function, names = float_function(form.level)
    known = {other: exact.to_float(setting(other)) for other in names if other != name}

    def run(value: float) -> float:
        return 1 - float(function(*[known.get(other, value) for other in names]))

    return run


def _inverse(
    allowed: Callable[[float], float], setting: Setting, name: str, weight: float
) -> fmpq:
    """A value of the parameter that allows just so much, of a monotone level."""
    field = setting.claim.fields[name]
    assert isinstance(field, Real)
    low, high = (end if isinstance(end, (int, float)) else None for end in (field.low, field.high))
    ends = [0.0 if low is None else float(low), LARGEST if high is None else float(high)]
    rising = allowed(ends[1] * (1 - 1e-12)) > allowed(ends[0] + 1e-12)
    for _ in range(HALVINGS):
        middle = (ends[0] + ends[1]) / 2
        ends[int((allowed(middle) > weight) == rising)] = middle
    value = ends[0] if rising else ends[1]  # the side that allows less
    scaled = math.floor(value * FINE) if rising else math.ceil(value * FINE)
    return fmpq(scaled, FINE)
