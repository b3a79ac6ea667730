"""Numbers that are the least whole ones above what hypotheses ask of them: m >= a log(a).

Such a number is g + r with 0 < r <= 2, g the largest of its lower limits; what else is asked of it
is not written out.
"""

from __future__ import annotations

from collections.abc import Mapping

import sympy
from flint import arb, fmpq

from boundcheck.arithmetic import PRECISIONS, Value, midpoint, precision, to_ball
from boundcheck.checker.along import Along
from boundcheck.checker.judge import Place
from boundcheck.checker.writing import Unwritten, Writing
from boundcheck.checker.written import Written
from boundcheck.exact import INEQUALITIES
from boundcheck.worlds.fields import Integer, Real, number_at

ROUNDING = "rounding of a number"  # no name of a field
REST = sympy.Symbol(ROUNDING, real=True)
RANGE = arb(0).union(arb(2))


class AtLeast(Written):
    """A statement along a spread of which one number is as small as hypotheses let it be."""

    def _require_fields(self) -> None:
        name, field = self.spread.least, self.fields.get(self.spread.least, None)
        sizes = {str(getattr(each, side, "")) for each in self.fields.values()
                 for side in ("size", "rows", "cols")}  # fmt: skip
        depends = set(getattr(self.whole.statement, "depends", ()))
        taken = sizes | depends | set(self.spread.moves) | {self.spread.size}
        if not isinstance(field, (Integer, Real)) or field.high is not None or (
            self.whole.draw is not None or name in taken
        ):
            raise Unwritten(f"{name} as the least number that is allowed")
        super()._require_fields()

    def _writing(self) -> Writing:
        made = super()._writing()
        field = self.fields[self.spread.least]
        lows = [made.number(low) for low in map(self._limit, self.hypotheses()) if low is not None]
        if field.low is not None:
            low = number_at(field.low)
            if low is None:
                raise Unwritten(f"an end of {self.spread.least}")
            lows.append(sympy.Rational(int(low.p), int(low.q)))
        own = sympy.Symbol(self.spread.least, real=True)
        if len(lows) < 2 or any(own in low.free_symbols for low in lows):
            raise Unwritten(f"what {self.spread.least} is at least")
        self.lows = lows
        self.limit = sympy.Max(*lows)
        made.put = {self.spread.least: self.limit + REST}
        return made

    def _limit(self, condition: sympy.Basic) -> sympy.Expr | None:
        """g of a hypothesis m >= g or m > g; None of any other."""
        if not isinstance(condition, INEQUALITIES) or str(condition.gts) != self.spread.least:
            return None
        own = self.spread.least in {symbol.name for symbol in condition.lts.free_symbols}
        return None if own else condition.lts

    def given(self) -> list[sympy.Basic]:
        """Hypotheses but those that the number meets as it is made.

        Raises: Unwritten where another one reads it.
        """
        others = [each for each in super().given() if self._limit(each) is None]
        if any(REST in self.writing.condition(each).free_symbols for each in others):
            raise Unwritten(f"more is asked of {self.spread.least}")
        return others

    def law(self) -> str:
        """The law of the statement, where its limits have values for every t.

        Raises: NoGerm where one may have none.
        """
        with precision(PRECISIONS[-1]):
            along = Along(self.claim, self.ray)
            for low in self.lows:
                along.germ(low)
        return super().law()

    @property
    def unknown(self) -> dict[str, tuple[arb, Value]]:
        """The rest beside others."""
        return super().unknown | {ROUNDING: (RANGE, fmpq(1))}

    def value(self, name: str, field: object, numbers: Mapping[str, Value], times: int) -> Value:
        """One value of a world."""
        if name != self.spread.least:
            return super().value(name, field, numbers, times)
        above = to_ball(Place(self.claim, numbers).value(self.limit)).upper().floor() + 1
        whole = midpoint(above)  # an exact number
        return int(whole.p) if isinstance(field, Integer) else whole

    def _places(
        self, values: Mapping[str, Value], numbers: Mapping[str, Value]
    ) -> tuple[Place, Place]:
        one, other = super()._places(values, numbers)
        rest = to_ball(values[self.spread.least]) - to_ball(other.value(self.limit))
        known = {name: ball for name, (ball, _) in self.unknown.items()}
        return one, Place(self.claim, {**numbers, **known, ROUNDING: rest})
