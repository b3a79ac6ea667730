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
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import mpmath
import sympy
from flint import arb, fmpq

from boundcheck import exact
from boundcheck.balls import integer_in
from boundcheck.errors import Undecided
from boundcheck.exact import precision
from boundcheck.explore import returning
from boundcheck.explore.conditions import System
from boundcheck.explore.ranges import Range
from boundcheck.explore.returning import Cells, holds_inside, returns, runs, scattered, window
from boundcheck.explore.values import Truth
from boundcheck.setting import INEQUALITIES, sides

LARGEST_WHOLE, LARGEST_REAL = 8_000, 1_000  # binary magnitudes that are looked at
FINE, FAR = fmpq(1, 2**64), fmpq(2**64)
MOST_CELLS, NARROW = 500, fmpq(1, 2**40)  # values asked between others, and how close ones
Interval = tuple[fmpq | None, fmpq | None]  # both ends admissible; None: no end
Cell = tuple[fmpq, fmpq]
EVERYWHERE: tuple[Interval, ...] = ((None, None),)


@dataclass(frozen=True)
class Solved:
    """Where one condition holds: disjoint intervals, increasing; of a finite set single values.

    Args: open_: whether somewhere it is not decided, so that the intervals may be too small. sure:
    whether what lies between the values that were asked is known too. endless: whether it comes
    and goes as far above as was looked, so that its last value is none. hidden: whether it may hold
    below its first value too. turning: whether it may hold again where it failed.
    """

    relation: sympy.Basic
    intervals: tuple[Interval, ...]
    open_: bool = False
    sure: bool = True
    endless: bool = False
    hidden: bool = False
    turning: bool = False


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
    def truth(value: fmpq) -> Truth:
        return system.truth(relation, {**values, name: system.number(name, value)})

    if allowed.items is not None:
        known = {item: truth(item) for item in allowed.items}
        met = tuple((item, item) for item in known if known[item] is Truth.HOLDS)
        return Solved(relation, met, Truth.UNKNOWN in known.values())
    isolated = _isolated(system, relation, name, values, allowed)
    if isolated is not None:
        return Solved(relation, isolated)

    def holds(value: fmpq) -> bool:
        return truth(value) is Truth.HOLDS

    scan, told = _Scan(truth, holds, allowed, fine), cells(relation, name, values)
    turning = closely and returns(relation, name, values, allowed)
    endless = turning and allowed.whole and scan.look_around(window(relation, name))
    sure = closely and scan.refine(told, turning)
    unknown = Truth.UNKNOWN in scan.answers
    single = turning and not sure and allowed.whole
    found = tuple(runs(scan.steps, scan.answers, scan.beyond) if single else scan.intervals())
    endless = endless or (turning and not sure and scattered(found))
    if not turning or sure or allowed.whole or not found:
        return Solved(relation, found, unknown, sure, endless, turning=turning)
    kept = tuple(pair for pair in found if holds_inside(told, pair))
    first = found[0][0]
    hidden = first is None or scan.is_open_before(first)
    return Solved(relation, kept or found[:1], unknown, sure, endless=True, hidden=hidden)


def cells(relation: sympy.Basic, name: str, values: Mapping[str, Any]) -> Cells | None:
    """What a condition is between two values of a symbol (None: no end), where enclosures tell;
    None where something in it is no number."""
    from boundcheck.explore.enclosure import between, certainly_fails, certainly_valued, exactly

    numbers = {n: v for n, v in values.items() if isinstance(v, (int, fmpq, arb))}
    names = {symbol.name for symbol in relation.free_symbols} - {name}
    if not names <= set(numbers):
        return None
    box: dict[str, Any] = {n: exactly(numbers[n]) for n in names}
    opposite, memo = sympy.Not(relation), dict[tuple[Any, ...], Any]()

    def told(low: fmpq | None, high: fmpq | None) -> Truth | None:
        inside = {**box, name: between(
            -mpmath.inf if low is None else mpmath.mpf(exactly(low).a),
            mpmath.inf if high is None else mpmath.mpf(exactly(high).b),
        )}  # fmt: skip
        if certainly_fails(relation, inside, memo):
            return Truth.FAILS
        holds = certainly_fails(opposite, inside, memo) and certainly_valued(relation, inside, memo)
        return Truth.HOLDS if holds else None

    return told


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

    def refine(self, told: Cells | None, turning: bool) -> bool:
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

        for cell in pairwise(self.steps):
            wait(cell)
        left = MOST_CELLS
        while waiting or later:
            one, two = (waiting or later).popleft()
            answers = {_met_or_not(known[one]), _met_or_not(known[two])} - {Truth.UNKNOWN}
            if len(answers) != 1:
                near = not turning or two <= FAR  # far out it changes all the time
                sure = sure and near
                for cell in self._changes(one, two, known) if left > 0 and near else ():
                    left -= 1
                    wait(cell)
                continue
            (answer,) = answers
            if told(one, two) is answer or (self.allowed.whole and two - one <= 1):
                continue
            middle = _middle(one, two)
            middle = fmpq(int(middle.floor())) if self.allowed.whole else middle
            if not left or two - one <= NARROW * max(abs(one), abs(two)) or middle in known:
                sure = False
                self.open.append((one, two))
                continue
            left -= 1
            known[middle] = self.truth(middle)
            wait((one, middle))
            wait((middle, two))
        self.steps = sorted(known)
        self.answers = [known[value] for value in self.steps]
        return sure

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
        if outside == 0 and abs(inside) < fmpq(1, 2**900):
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


def _isolated(
    system: System, relation: sympy.Basic, name: str, values: Mapping[str, Any], allowed: Range
) -> tuple[Interval, ...] | None:
    """The interval of a condition symbol >= expr or symbol <= expr, by evaluating expr."""
    if isinstance(relation, sympy.Eq):
        return _equated(system, relation, name, values, allowed)
    if not isinstance(relation, INEQUALITIES):
        return None
    small, large = sides(relation)
    lower = getattr(large, "name", None) == name
    expr = small if lower else large
    if not lower and getattr(small, "name", None) != name:
        return None
    if name in system.inputs_of_relation(expr):
        return None
    strict = isinstance(relation, (sympy.Lt, sympy.Gt))
    value = rounded(system, expr, values, up=lower, strict=strict, whole=allowed.whole)
    if value is None:
        return None  # no value there: the ladder tells whether it fails or is not decided
    if lower:
        return _from(value, allowed)
    return _up_to(value, allowed)


def _from(value: fmpq, allowed: Range) -> tuple[Interval, ...]:
    if allowed.low is not None and (value < allowed.low or (value == allowed.low
                                                            and allowed.open_low)):  # fmt: skip
        return EVERYWHERE
    return ((value, None),) if allowed.contains(value) else ()


def _up_to(value: fmpq, allowed: Range) -> tuple[Interval, ...]:
    if allowed.high is not None and (value > allowed.high or (value == allowed.high
                                                              and allowed.open_high)):  # fmt: skip
        return EVERYWHERE
    return ((None, value),) if allowed.contains(value) else ()


def _equated(
    system: System, relation: sympy.Eq, name: str, values: Mapping[str, Any], allowed: Range
) -> tuple[Interval, ...] | None:
    left, right = relation.lhs, relation.rhs
    expr = right if getattr(left, "name", None) == name else left
    if name not in (getattr(left, "name", None), getattr(right, "name", None)):
        return None
    if name in system.inputs_of_relation(expr):
        return None
    value = system.evaluate(expr, values)
    if value is None or isinstance(value, exact.MATRICES):
        return None
    point = fmpq(value) if exact.is_exact(value) else _as_rational(value)
    return ((point, point),) if allowed.contains(point) else ()


def rounded(
    system: System, expr: sympy.Basic, values: Mapping[str, Any], *, up: bool,
    strict: bool = False, whole: bool = False,
) -> fmpq | None:  # fmt: skip
    """A rational on the safe side of an expression: the next integer, or within 2^-100 of it.

    None where the expression has no value.
    """
    for bits in (192, 640, 4_096, 32_768, 262_144):
        value = system.evaluate(expr, values, bits)
        if value is None or isinstance(value, exact.MATRICES):
            return None
        if exact.is_exact(value):
            return _settled(fmpq(value), up, strict, whole)
        if not value.is_finite():
            return None
        with precision(bits):
            found = _from_ball(value, up, whole)
        if found is not None:
            return found
    return None


def _from_ball(value: arb, up: bool, whole: bool) -> fmpq | None:
    """The safe side of a ball, or None if it is too wide to tell."""
    if not whole:
        return _as_rational(value, up=up) if value.rel_accuracy_bits() > 110 else None
    try:
        near = integer_in(value.ceil() if up else value.floor())
        if near is not None:
            return fmpq(near)
        # A ball around an integer that higher precision cannot leave: stay on the safe side.
        edge = integer_in(value.mid().floor()) if value.rad() < arb(2) ** -300 else None
    except Undecided:  # no integer that could be written out
        return None
    return None if edge is None else fmpq(edge) + (2 if up else -1)


def _settled(value: fmpq, up: bool, strict: bool, whole: bool) -> fmpq:
    if whole:
        near = fmpq(int(value.ceil() if up else value.floor()))
        return near + (1 if up else -1) if strict and near == value else near
    if not strict:
        return value
    nudge = FINE * (abs(value) if value else 1)
    return value + nudge if up else value - nudge


def _as_rational(value: arb, up: bool | None = None) -> fmpq:
    """A rational within 2^-100 of a ball, above or below it as asked."""
    ratio = exact.midpoint(value)
    if up is None:
        return ratio
    size = abs(ratio) if ratio else fmpq(1)
    return ratio + (size if up else -size) / fmpq(2) ** 100


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
