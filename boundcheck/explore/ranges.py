"""The values that one symbol may take: an interval, its ends, whether whole; or a finite set.

>>> Range(low=fmpq(0), high=fmpq(1, 2), open_low=True).contains(fmpq(0))
False
>>> primes = Range(whole=True, items=(fmpq(2), fmpq(3), fmpq(5)))
>>> primes.contains(fmpq(4)), str(primes), primes.up(fmpq(4)), primes.beside(fmpq(3), -1)
(False, '{2, 3, 5}', 5, 2)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import sympy
from flint import fmpq

from boundcheck.encoding import show
from boundcheck.setting import INEQUALITIES, sides

MOST_SHOWN = 12  # items of a set that are all told


@dataclass(frozen=True)
class Range:
    """The values a parameter may take: ends (None: none), whether they belong to it, wholeness.

    Fractions as ends of integers are the integers inside. Of a finite set `items` are its values,
    increasing, and the ends the first and the last of them.
    """

    low: fmpq | None = None
    high: fmpq | None = None
    open_low: bool = False
    open_high: bool = False
    whole: bool = False
    items: tuple[fmpq, ...] | None = None

    def __post_init__(self) -> None:
        if self.items is not None:
            kept = tuple(sorted({value for value in self.items if self._is_between(value)}))
            own = (("low", kept[0]), ("high", kept[-1])) if kept else ()
            closed = (("open_low", False), ("open_high", False)) if kept else ()
            for name, value in (("items", kept), *own, *closed):
                object.__setattr__(self, name, value)
            return
        if self.whole and self.low is not None and self.low.q != 1:
            object.__setattr__(self, "low", fmpq(self.low.ceil()))
            object.__setattr__(self, "open_low", False)
        if self.whole and self.high is not None and self.high.q != 1:
            object.__setattr__(self, "high", fmpq(self.high.floor()))
            object.__setattr__(self, "open_high", False)

    def contains(self, value: fmpq) -> bool:
        """Whether a rational lies in the range."""
        if self.items is not None:
            return value in self.items
        return (not self.whole or value.q == 1) and self._is_between(value)

    def _is_between(self, value: fmpq) -> bool:
        if self.low is not None and (value < self.low or (self.open_low and value == self.low)):
            return False
        return self.high is None or not (
            value > self.high or (self.open_high and value == self.high)
        )

    @property
    def apart(self) -> bool:
        """Whether its values lie apart: integers, or one of finitely many."""
        return self.whole or self.items is not None

    def up(self, value: fmpq) -> fmpq:
        """The least value at or above a number, as far as the range goes."""
        if self.items is not None:
            return next((item for item in self.items if item >= value), self.items[-1])
        return fmpq(value.ceil()) if self.whole else value

    def beside(self, value: fmpq, side: int) -> fmpq:
        """The next value below or above; one less or more than integers and than the last item."""
        past = [item for item in self.items or () if (item - value) * side > 0]
        return min(past, key=lambda item: abs(item - value), default=value + side)

    @property
    def empty(self) -> bool:
        """Whether its ends leave nothing between them."""
        if self.items is not None:
            return not self.items
        if self.low is None or self.high is None:
            return False
        return self.low > self.high or (
            self.low == self.high and (self.open_low or self.open_high)
        )

    def narrowed(self, relation: sympy.Rel, name: str) -> Range | None:
        """The range after a relation between the symbol and a number, or one that lists its values;
        None for other relations."""
        listed = _listed(relation, name)
        if listed:
            return replace(self, items=tuple(v for v in listed if self.contains(v)))
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
        return Range(low, high, open_low, open_high, self.whole, self.items)

    def __str__(self) -> str:
        if self.items:
            return braced(self.items)
        low = "-oo" if self.low is None else show(self.low)
        high = "oo" if self.high is None else show(self.high)
        left = "(" if self.open_low or self.low is None else "["
        right = ")" if self.open_high or self.high is None else "]"
        kind = "the integers of " if self.whole else ""
        return f"{kind}{left}{low}, {high}{right}"


def _listed(relation: sympy.Basic, name: str) -> list[fmpq]:
    """The values of a symbol of which a relation says that it is one; none of other relations."""
    found = []
    for part in relation.args if isinstance(relation, sympy.Or) else ():
        own = [side for side in part.args if getattr(side, "name", None) == name]
        numbers = [side for side in part.args if side.is_Rational]
        if not isinstance(part, sympy.Eq) or not own or not numbers:
            return []
        found.append(fmpq(int(numbers[0].p), int(numbers[0].q)))
    return found


def braced(items: Sequence[fmpq]) -> str:
    """A finite set as text, of a long one the first items and the last.

    >>> braced([fmpq(1, 2), fmpq(3)]), braced([fmpq(n) for n in range(99)])
    ('{1/2, 3}', '{0, 1, 2, ..., 98}')
    """
    told = [show(item) for item in items]
    return f"{{{', '.join(told if len(told) <= MOST_SHOWN else [*told[:3], '...', told[-1]])}}}"


def inside(allowed: Range) -> fmpq:
    """A plain value of a range: one where possible, else its first item or a tenth of the way."""
    if allowed.contains(fmpq(1)):
        return fmpq(1)
    if allowed.items:
        return allowed.items[0]
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


def clipped(
    runs: Sequence[tuple[fmpq | None, fmpq | None]], allowed: Range, *, zero: bool = True
) -> Iterator[tuple[fmpq | None, fmpq | None]]:
    """Runs inside a range; an end beyond that of the range, or left out by it, is none.

    Args: zero: whether zero is met, which runs that it ends do not tell.
    """
    for low, high in runs:
        if not zero and ((high == 0 and allowed.low == 0) or (low == 0 and allowed.high == 0)):
            continue
        if low is not None and allowed.high is not None and (
            low > allowed.high or (low == allowed.high and allowed.open_high)
        ):
            continue
        if high is not None and allowed.low is not None and (
            high < allowed.low or (high == allowed.low and allowed.open_low)
        ):
            continue
        if low is not None and allowed.low is not None and low != high and (
            low < allowed.low or (low == allowed.low and allowed.open_low and low != 0)
        ):
            low = None
        if high is not None and allowed.high is not None and low != high and (
            high > allowed.high or (high == allowed.high and allowed.open_high and high != 0)
        ):
            high = None
        yield low, high
