"""The values that one symbol may take: an interval, its ends, whether whole.

>>> Range(low=fmpq(0), high=fmpq(1, 2), open_low=True).contains(fmpq(0))
False
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy
from flint import fmpq

from boundcheck.encoding import show
from boundcheck.setting import INEQUALITIES, sides


@dataclass(frozen=True)
class Range:
    """The values a parameter may take: ends (None: none), whether they belong to it, wholeness.

    Fractions as ends of integers are the integers inside.
    """

    low: fmpq | None = None
    high: fmpq | None = None
    open_low: bool = False
    open_high: bool = False
    whole: bool = False

    def __post_init__(self) -> None:
        if self.whole and self.low is not None and self.low.q != 1:
            object.__setattr__(self, "low", fmpq(self.low.ceil()))
            object.__setattr__(self, "open_low", False)
        if self.whole and self.high is not None and self.high.q != 1:
            object.__setattr__(self, "high", fmpq(self.high.floor()))
            object.__setattr__(self, "open_high", False)

    def contains(self, value: fmpq) -> bool:
        """Whether a rational lies in the range."""
        if self.whole and value.q != 1:
            return False
        if self.low is not None and (value < self.low or (self.open_low and value == self.low)):
            return False
        return self.high is None or not (
            value > self.high or (self.open_high and value == self.high)
        )

    @property
    def empty(self) -> bool:
        """Whether its ends leave nothing between them."""
        if self.low is None or self.high is None:
            return False
        return self.low > self.high or (
            self.low == self.high and (self.open_low or self.open_high)
        )

    def narrowed(self, relation: sympy.Rel, name: str) -> Range | None:
        """The range after a relation between the symbol and a number; None for other relations."""
        if not isinstance(relation, INEQUALITIES):
            return None
        small, large = sides(relation)
        strict = isinstance(relation, (sympy.Lt, sympy.Gt))
        low, high, open_low, open_high = self.low, self.high, self.open_low, self.open_high
        if getattr(large, "name", None) == name and small.is_Rational:
            bound = fmpq(int(small.p), int(small.q))
            if low is None or bound > low or (bound == low and strict):
                low, open_low = bound, strict
        elif getattr(small, "name", None) == name and large.is_Rational:
            bound = fmpq(int(large.p), int(large.q))
            if high is None or bound < high or (bound == high and strict):
                high, open_high = bound, strict
        else:
            return None
        return Range(low, high, open_low, open_high, self.whole)

    def __str__(self) -> str:
        low = "-oo" if self.low is None else show(self.low)
        high = "oo" if self.high is None else show(self.high)
        left = "(" if self.open_low or self.low is None else "["
        right = ")" if self.open_high or self.high is None else "]"
        kind = "the integers of " if self.whole else ""
        return f"{kind}{left}{low}, {high}{right}"


def inside(allowed: Range) -> fmpq:
    """A plain value of a range: one where possible, else a tenth of the way in."""
    if allowed.contains(fmpq(1)):
        return fmpq(1)
    if allowed.low is not None and allowed.high is not None:
        if allowed.whole:
            return allowed.low + (1 if allowed.open_low else 0)
        return allowed.low + (allowed.high - allowed.low) / 10
    if allowed.low is not None:
        return allowed.low + 1 if allowed.open_low else allowed.low
    assert allowed.high is not None
    return allowed.high - 1 if allowed.open_high else allowed.high


def plain_value(allowed: Range) -> int | fmpq:
    """The value used for a symbol that is not given: 1, or a tenth of the way into its range."""
    value = inside(allowed)
    return int(value) if allowed.whole else value
