"""The values of one symbol that meet conditions, as intervals with exact ends.

Each condition is asked along a ladder of values that covers all orders of magnitude, and every
change of its answer is bisected: to neighbouring integers, or to 2^-64 of the value. Conditions
that isolate the symbol are evaluated instead, to as many digits as the answer has.

An end is where the condition changes. Where it still holds at the end of the range, or as far as
the ladder goes, there is no end: how far somebody looked is no requirement.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import sympy
from flint import fmpq

from boundcheck.explore import returning
from boundcheck.explore.alone import EVERYWHERE, FINE, Interval, isolated
from boundcheck.explore.cells import cells, single_changes
from boundcheck.explore.conditions import System
from boundcheck.explore.ranges import Range
from boundcheck.explore.rational import solved_exactly
from boundcheck.explore.returning import (
    Cells,
    holds_inside,
    is_long,
    returns,
    runs,
    scattered,
    window,
)
from boundcheck.explore.steps import without_step
from boundcheck.explore.values import Truth

LARGEST_WHOLE, LARGEST_REAL = 8_000, 1_000  # binary magnitudes that are looked at
FAR = fmpq(2**64)
MOST_CELLS, NARROW = 500, fmpq(1, 2**40)  # values asked between others, and how close ones
TINY = fmpq(1, 2**900)  # as good as zero
Cell = tuple[fmpq, fmpq]


@dataclass(frozen=True)
class Solved:
    """Where one condition holds: disjoint intervals, increasing; of a finite set single values.

    Args: open_: whether somewhere it is not decided, so that the intervals may be too small. sure:
    whether what lies between the values that were asked is known too. endless: whether it comes
    and goes as far above as was looked, so that its last value is none. hidden, unseen: whether
    it may hold below its first, above its last value too. turning: whether it may hold again
    where it failed.
    """

    relation: sympy.Basic
    intervals: tuple[Interval, ...]
    open_: bool = False
    sure: bool = True
    endless: bool = False
    hidden: bool = False
    turning: bool = False
    unseen: bool = False


def ladder(allowed: Range) -> list[fmpq]:
    """Increasing values of the range over all magnitudes up to 2^8000 (integers), 2^1000 (reals).

    >>> [int(v) for v in ladder(Range(low=fmpq(3), whole=True))[:5]]
    [3, 4, 5, 7, 11]
    """
    octaves = list(range(0, 41)) if allowed.whole else list(range(-20, 21))
    step, top = 2, LARGEST_WHOLE if allowed.whole else LARGEST_REAL
    last = octaves[-1]
    while last < top:
        last += step
        step = step + max(step // 3, 1)
        octaves.append(last)
        if not allowed.whole:
            octaves.insert(0, -last)
    steps = [fmpq(2**k) if k >= 0 else fmpq(1, 2**-k) for k in octaves]
    low, high = allowed.low, allowed.high
    if low is not None and high is not None:
        width = high - low
        small = [s for s in steps if s < 1] if not allowed.whole else []
        values = {low + width * s for s in small} | {high - width * s for s in small}
        values |= {low + s for s in steps if s < width} if allowed.whole else set()
        values |= {low + width * fmpq(k, 16) for k in range(1, 16)} if not allowed.whole else set()
    elif low is not None:
        values = {low + s for s in steps}
        if not allowed.whole and low > 0:
            values |= {low * (1 + s) for s in steps}
    elif high is not None:
        values = {high - s for s in steps}
    else:
        values = set(steps) | {-s for s in steps} | {fmpq(0)}
    values |= {end for end in (low, high) if end is not None} | set(allowed.items or ())
    return sorted(v for v in values if allowed.contains(v))


def solve(
    system: System, relation: sympy.Basic, name: str, values: Mapping[str, Any], allowed: Range,
    fine: fmpq = FINE, *, closely: bool = False,
) -> Solved:  # fmt: skip
    """Where a condition on one symbol holds, all others having values.

    Args: fine: how close, relative to the value, the ends found for real numbers are. closely:
    enclose it between the values that are asked, and ask more where that does not tell.
    """
    plain = without_step(relation)
    if plain is not relation:
        solved = solve(system, plain, name, values, allowed, fine, closely=closely)
        return replace(solved, relation=relation)

    def truth(value: fmpq) -> Truth:
        return system.truth(relation, {**values, name: system.number(name, value)})

    if allowed.items is not None:
        known = {item: truth(item) for item in allowed.items}
        met = tuple((item, item) for item in known if known[item] is Truth.HOLDS)
        return Solved(relation, met, Truth.UNKNOWN in known.values())
    alone = isolated(system, relation, name, values, allowed)
    if alone is not None:
        return Solved(relation, alone)
    rational = solved_exactly(relation, name, _constants(system, relation, name, values), allowed)
    if rational is not None:
        return Solved(relation, _limited(rational, truth, allowed))

    def holds(value: fmpq) -> bool:
        return truth(value) is Truth.HOLDS

    scan, told = _Scan(truth, holds, allowed, fine), cells(relation, name, values)
    turning = closely and returns(relation, name, values, allowed)
    endless = turning and allowed.whole and scan.look_around(window(relation, name))
    sure = closely and scan.refine(told, turning, single_changes(relation, name, values))
    unknown = Truth.UNKNOWN in scan.answers
    single = turning and not sure and allowed.whole
    found = tuple(runs(scan.steps, scan.answers, scan.beyond) if single else scan.intervals())
    late = allowed.whole and turning and is_long(relation, name)
    endless = endless or (turning and not sure and (late or scattered(found)))
    if not turning or sure or allowed.whole or not found:
        return Solved(relation, found, unknown, sure, endless, turning=turning)
    kept = tuple(pair for pair in found if holds_inside(told, pair))
    first = found[0][0]
    hidden = first is None or scan.is_open_before(first)
    if found[0] not in kept:  # its first value was met, what follows it may not be
        single = first is not None and (first != 0 or holds(first))
        kept = ((first, first) if single else found[0], *kept)
    return Solved(relation, kept, unknown, sure, endless=True, hidden=hidden, turning=True)


def _constants(
    system: System, relation: sympy.Basic, name: str, values: Mapping[str, Any]
) -> Callable[[sympy.Basic], fmpq | None]:
    """Exact values of what does not depend on a symbol, none where a condition is not of numbers
    alone."""
    plain = {s.name for s in relation.free_symbols} <= {name, *values}

    def constant(expr: sympy.Basic) -> fmpq | None:
        value = system.evaluate(expr, values) if plain else None
        return fmpq(value) if isinstance(value, (int, fmpq)) else None

    return constant


def _limited(
    found: tuple[Interval, ...], truth: Callable[[fmpq], Truth], allowed: Range
) -> tuple[Interval, ...]:
    """Runs of integers, without ends that are those of the range where nothing fails beyond."""
    if not allowed.whole or not found:
        return found
    (low, first), (last, high) = found[0], found[-1]
    if low is not None and low == allowed.low and truth(low - 1) is not Truth.FAILS:
        low = None
    if high is not None and high == allowed.high and truth(high + 1) is not Truth.FAILS:
        high = None
    return ((low, high),) if len(found) == 1 else ((low, first), *found[1:-1], (last, high))


class _Scan:
    """A condition asked along the ladder, and its changes bisected."""

    def __init__(
        self, truth: Callable[[fmpq], Truth], met: Callable[[fmpq], bool], allowed: Range,
        fine: fmpq,
    ) -> None:  # fmt: skip
        self.truth, self.met, self.allowed, self.fine = truth, met, allowed, fine
        self.steps = ladder(allowed)
        self.answers = [truth(value) for value in self.steps]
        self.open: list[Cell] = []  # cells in which the condition may change and come back

    def look_around(self, far: int) -> bool:
        """`returning.look_around` among the values that were asked."""
        known = dict(zip(self.steps, self.answers, strict=True))
        endless = bool(known) and returning.look_around(self.truth, known, self.allowed, far)
        self.steps = sorted(known)
        self.answers = [known[value] for value in self.steps]
        return endless

    def refine(
        self, told: Cells | None, turning: bool, once: Callable[[fmpq, fmpq], bool]
    ) -> bool:
        """Asks between values of the same answer, unless enclosures show it to stay, as far as they
        tell of what turns; whether they show it everywhere in the end."""
        if told is None or not self.steps:
            return False
        low, high = self.allowed.low, self.allowed.high
        sure = (told(low, self.steps[0]) is _met_or_not(self.answers[0])
                and told(self.steps[-1], high) is _met_or_not(self.answers[-1]))  # fmt: skip
        known = dict(zip(self.steps, self.answers, strict=True))
        waiting, later = deque[Cell](), deque[Cell]()  # those without a value at either end last

        def wait(cell: Cell) -> None:
            valued = any(known[end] is not Truth.NO_VALUE for end in cell)
            (waiting if valued else later).append(cell)

        def split(one: fmpq, two: fmpq) -> None:
            middle = self._between(one, two)
            known[middle] = self.truth(middle)
            wait((one, middle))
            wait((middle, two))

        for cell in pairwise(self.steps):
            wait(cell)
        left = MOST_CELLS
        while waiting or later:
            one, two = (waiting or later).popleft()
            answers = {_met_or_not(known[one]), _met_or_not(known[two])} - {Truth.UNKNOWN}
            if len(answers) != 1:
                near = not turning or two <= FAR  # far out it changes all the time
                sure = sure and near
                if near and not self.allowed.whole and not once(one, two):
                    size = max(abs(one), abs(two))
                    if left > 0 and size > TINY and two - one > NARROW * size and answers:
                        left -= 1
                        split(one, two)
                        continue
                    sure = False
                    self.open += [(one, two)] if two - one > NARROW * size else []
                for cell in self._changes(one, two, known) if left > 0 and near else ():
                    left -= 1
                    wait(cell)
                continue
            (answer,) = answers
            if told(one, two) is answer or (self.allowed.whole and two - one <= 1):
                continue
            middle = self._between(one, two)
            if left <= 0 or two - one <= NARROW * max(abs(one), abs(two)) or middle in known:
                sure = False
                self.open.append((one, two))
                continue
            left -= 1
            split(one, two)
        self.steps = sorted(known)
        self.answers = [known[value] for value in self.steps]
        return sure

    def _between(self, one: fmpq, two: fmpq) -> fmpq:
        middle = _middle(one, two)
        return fmpq(int(middle.floor())) if self.allowed.whole else middle

    def is_open_before(self, first: fmpq) -> bool:
        """Whether the condition may hold below its first value, next to it aside."""
        before = first - returning.CLOSE * max(abs(first), fmpq(1))
        return any(high < before for _, high in self.open)

    def _changes(self, one: fmpq, two: fmpq, known: dict[fmpq, Truth]) -> list[Cell]:
        """What lies on both sides of where whole numbers change from met to not met."""
        if not self.allowed.whole or two - one <= 1 or not {known[one], known[two]} & {Truth.HOLDS}:
            return []
        inside, outside = (one, two) if known[one] is Truth.HOLDS else (two, one)
        last = bisect(self.met, inside, outside, True)
        beyond = last + (1 if outside > inside else -1)
        known.update((value, self.truth(value)) for value in (last, beyond))
        ends = sorted((last, beyond))
        return [(low, high) for low, high in ((one, ends[0]), (ends[1], two)) if high - low > 1]

    def intervals(self) -> list[Interval]:
        """Maximal runs of values at which the condition holds."""
        found: list[Interval] = []
        start: fmpq | None = None
        holds = [answer is Truth.HOLDS for answer in self.answers]
        for place, held in enumerate(holds):
            if held and (place == 0 or not holds[place - 1]):
                start = self._end(place, -1)
            if held and (place == len(holds) - 1 or not holds[place + 1]):
                found.append((start, self._end(place, 1)))
        return found

    def _end(self, place: int, side: int) -> fmpq | None:
        """Where the condition stops to hold, going to one side; None where it does not stop."""
        rest = self.answers[place + 1 :] if side == 1 else self.answers[:place]
        if not rest:
            return self.beyond(self.steps[place], side)
        if all(answer is Truth.UNKNOWN for answer in rest):
            return None  # too extreme for balls: neither met nor failed
        inside, outside = self.steps[place], self.steps[place + side]
        if outside == 0 and abs(inside) < TINY:
            return fmpq(0)
        return bisect(self.met, inside, outside, self.allowed.whole, self.fine)

    def beyond(self, last: fmpq, side: int) -> fmpq | None:
        """The end of the range where the condition fails right beyond it; None where it does not.

        What a condition asks and what the range allows may meet in one number, such as T >= 1.
        """
        allowed = self.allowed
        end = allowed.high if side == 1 else allowed.low
        if end is None:
            return None
        if last != end:  # the range leaves its end out
            if self.truth(end) is not Truth.FAILS:
                return None
            return bisect(self.met, last, end, allowed.whole, self.fine)
        step = fmpq(1) if allowed.whole else max(abs(end), fmpq(1)) / 10**9
        return end if self.truth(end + side * step) is Truth.FAILS else None


def _met_or_not(answer: Truth) -> Truth:
    """Without a value nothing is met."""
    return Truth.FAILS if answer is Truth.NO_VALUE else answer


def bisect(
    met: Callable[[fmpq], bool], inside: fmpq, outside: fmpq, whole: bool, fine: fmpq = FINE
) -> fmpq:
    """The value nearest to `outside` that is still met, going from `inside`."""
    for _ in range(200_000 if whole else 400):
        gap = abs(outside - inside)
        if gap <= (1 if whole else fine * max(abs(inside), abs(outside))):
            return inside
        middle = _middle(inside, outside)
        if whole:
            middle = fmpq(int(middle.floor()))
            if middle in (inside, outside):
                return inside
        if met(middle):
            inside = middle
        else:
            outside = middle
    return inside


def _middle(a: fmpq, b: fmpq) -> fmpq:
    """The mean, geometric where the ends are far apart, with a short denominator."""
    low, high = min(a, b), max(a, b)
    if low > 0 and high > 4 * low:
        octaves = (_exponent(low) + _exponent(high)) // 2
        middle = fmpq(2**octaves) if octaves >= 0 else fmpq(1, 2**-octaves)
        if low < middle < high:
            return middle
    return (a + b) / 2


def _exponent(value: fmpq) -> int:
    return int(value.p).bit_length() - int(value.q).bit_length()


def intersect(many: list[tuple[Interval, ...]]) -> tuple[Interval, ...]:
    """Intervals common to all lists.

    >>> intersect([((fmpq(1), None),), ((None, fmpq(3)), (fmpq(5), fmpq(6)))])
    ((1, 3), (5, 6))
    """
    common: list[Interval] = list(EVERYWHERE)
    for intervals in many:
        met: list[Interval] = []
        for low, high in common:
            for other_low, other_high in intervals:
                starts = [end for end in (low, other_low) if end is not None]
                ends = [end for end in (high, other_high) if end is not None]
                start, end = max(starts, default=None), min(ends, default=None)
                if start is None or end is None or start <= end:
                    met.append((start, end))
        common = sorted(met, key=lambda item: (item[0] is not None, item[0] or 0))
    return tuple(common)
