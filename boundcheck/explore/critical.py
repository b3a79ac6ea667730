"""Where one number of a statement makes it fail in given worlds, and which way it says more."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import sympy
from flint import fmpq

from boundcheck.claim import Claim
from boundcheck.errors import BoundcheckError
from boundcheck.explore.knobs import Knob
from boundcheck.expressions import parameter
from boundcheck.search.admissible import Candidate, Candidates
from boundcheck.search.enlarging import affordable
from boundcheck.search.objective import Assessment, assess
from boundcheck.search.portfolio import Objective
from boundcheck.setting import Setting
from boundcheck.worlds import Integer, Real
from boundcheck.worlds.sources import Coordinates
from boundcheck.worlds.space import Space

NAME = "turned"
STEP = 17 / 16  # of a number whose direction is asked
DOUBLINGS = (1, 2, 4, 8)  # of a number that are looked at
CHORDS, CLOSE, NEARBY = 40, 1e-9, 1e-6  # NEARBY guides a search
Values = Mapping[str, Any]
Point = tuple[float, float]  # a value and the margin there


class Turning:
    """A statement with one of its numbers as a parameter, so that it is evaluated at any value.

    Args: knob: the number. outcomes: of a draw that are listed.
    """

    def __init__(self, knob: Knob, outcomes: int) -> None:
        self.claim = knob.turned(parameter(NAME, Real(0, None, open_low=True)))
        self.printed, self.outcomes = float(knob.printed), outcomes

    def score(self, values: Values, at: float) -> float:
        """Left over right side in a world at a value, above 1 where it fails; NaN for neither."""
        try:
            return float(assess(self._setting(values, at), outcomes=self.outcomes).score)
        except Exception:  # definitions may refuse a value in any way
            return math.nan

    def fails(self, values: Values, at: float) -> bool:
        """Whether values are a world in which the statement is certified to fail at a value."""
        try:
            setting = self._setting(values, at)
            return setting.admissible() and assess(setting, outcomes=self.outcomes).violated
        except Exception:  # as above
            return False

    def _setting(self, values: Values, at: float) -> Setting:
        return Setting(self.claim, {**values, NAME: fmpq(*at.as_integer_ratio())})

    def direction(self, worlds: Iterable[Values]) -> int:
        """-1 where smaller values say more in every world seen, 1 where larger do, else 0."""
        seen = set()
        for values in worlds:
            before = self.score(values, self.printed)
            change = self.score(values, self.printed * STEP) - before
            if abs(change) > 1e-9 * abs(before):
                seen.add(math.copysign(1, change * self.printed))  # a step of -2 goes down
        return int(seen.pop()) if len(seen) == 1 else 0

    def critical(self, values: Values, way: int, close: float = CLOSE) -> float | None:
        """The value from the printed one on, in a direction, beyond which a world fails, or None.

        Args: way: 1 for larger values, -1 for smaller ones. close: how near, as a factor.
        """
        holds, margin = self.printed, self.margin(values, self.printed)
        if not margin <= 0:
            return None
        for times in DOUBLINGS:
            fails = self.printed * 2.0 ** (way * times)
            beyond = self.margin(values, fails)
            if math.isnan(beyond):
                return None
            if beyond > 0:
                return self._between(values, (holds, margin), (fails, beyond), close)
            holds, margin = fails, beyond
        return None

    def margin(self, values: Values, at: float) -> float:
        """Logarithm of the score, kept finite."""
        score = self.score(values, at)
        return score if math.isnan(score) else math.log(min(max(score, 1e-300), 1e300))

    def _between(self, values: Values, holds: Point, fails: Point, close: float) -> float:
        """Where the margin passes zero: chords, their ends halved where they stay (Illinois).

        Margins are nearly linear in the logarithm of a number: of a factor they are.
        """
        low, high = (math.log(holds[0]), holds[1]), (math.log(fails[0]), fails[1])
        for turn in range(CHORDS):
            share = low[1] / (low[1] - high[1]) if turn % 4 < 3 else 0.5
            width = high[0] - low[0]
            edge = min(close / 2 / abs(width), 1 / 4)
            at = low[0] + width * min(max(share, edge), 1 - edge)
            margin = self.margin(values, math.exp(at))
            if not margin <= 0:
                high, low = (at, margin), (low[0], low[1] / 2)
            else:
                low, high = (at, margin), (high[0], high[1] / 2)
            if abs(high[0] - low[0]) <= close:
                break
        return math.exp(low[0])

    def objective(self, way: int) -> Objective:
        """Assessment of a world by how early it fails: 1 where it fails at the printed value."""

        def found(candidate: Candidate) -> Assessment:
            at = self.critical(candidate.setting.values, way, NEARBY)
            if at is None:
                return Assessment(math.nan, False, {})
            return Assessment((at / self.printed) ** -way, False, {})

        return found


def stretched(claim: Claim, times: int) -> Claim | None:
    """A claim whose sizes are searched so many times as far, or None where none has an end."""
    own = {} if claim.worlds is None else dict(claim.worlds.fields)
    farther = {name: _farther(field, times) for name, field in own.items()}
    numbers = {symbol: _farther(field, times) for symbol, field in claim.parameters.items()}
    if farther == own and numbers == dict(claim.parameters):
        return None
    return replace(
        claim, parameters=numbers, worlds=None if claim.worlds is None else Space(**farther)
    )


class Affordable(Candidates):
    """Settings of a claim that are small enough to be assessed exactly."""

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        self.within = affordable(self)

    def build(
        self, source: Coordinates, worth: Callable[[dict[str, Any]], bool] | None = None
    ) -> Candidate | None:
        """The setting from any source of coordinates, or None."""
        return super().build(source, worth or self.within)


def _farther(field: Any, times: int) -> Any:
    """An integer without end looked at farther; other fields as they are."""
    if not isinstance(field, Integer) or field.wide or not isinstance(field.searched, int):
        return field
    return replace(field, searched=field.searched * times)


def turning_of(knob: Knob, outcomes: int) -> Turning | None:
    """A `Turning`, or None where the number cannot be a parameter."""
    try:
        return Turning(knob, outcomes)
    except (BoundcheckError, sympy.SympifyError, TypeError, ValueError, AttributeError):
        return None
