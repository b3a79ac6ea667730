"""The readings of extreme values over boxes: branch and bound in balls, grids in floats.

The cube [0, 1]^d stands for the box. A part is bounded by its value on a ball and, where the body
has slopes, by the mean value form; a part on which a slope has one sign is its face; a part on
which the body is concave around a place of no slope (`stationary_points`) has its value there.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from typing import Any

import flint
import sympy
from flint import arb, fmpq

from boundcheck import exact
from boundcheck.arithmetic import Value, add, is_exact, multiply, sign, to_ball
from boundcheck.errors import Undecided, Undefined
from boundcheck.expressions.boxes import Extreme
from boundcheck.expressions.nodes import Node, Total
from boundcheck.expressions.scope import Lookup, Scope
from boundcheck.expressions.stationary_points import Peak, peak
from boundcheck.expressions.symbols import Known

MOST_PARTS, MOST_AT_CONTACT = 800, 150
MOST_IN_ALL = 600  # with those of the extreme values inside
TOLERANCE = {64: 2.0**-24, 192: 2.0**-36}  # of the value, by precision in bits; else the last
LAST = 2.0**-44
JUMPS = (sympy.Piecewise, sympy.Max, sympy.Min, sympy.floor, sympy.ceiling, sympy.sign)
SERIES = (sympy.Sum, sympy.Product)
ROUGH = 2.0**-16  # of the corners: an extreme value below this share of them counts as zero
LEFT: list[int] = []  # parts of the outermost extreme value that is being computed, if one is
GRID, ROUNDS = {1: 33, 2: 9, 3: 5}, 5  # points a side by dimension; how often floats look closer


def slope(expr: sympy.Basic, x: Known) -> sympy.Expr | None:
    """The derivative in x, through sums over indices; None where a node has none.

    >>> from boundcheck.expressions import variable
    >>> x = variable("x")
    >>> slope(sympy.exp(2 * x) + 3, x)
    2*exp(2*x)
    """
    if x not in expr.free_symbols:
        return sympy.S.Zero
    if expr == x:
        return sympy.S.One
    if isinstance(expr, Total):
        inside = slope(expr.body, x)
        return None if inside is None else Total(inside, *expr.indices)
    if isinstance(expr, (Node, *JUMPS, *SERIES)) or not expr.is_commutative:
        return None
    stand = [sympy.Dummy(real=True) for _ in expr.args]
    found: sympy.Expr = sympy.S.Zero
    for each, arg in zip(stand, expr.args, strict=True):
        inside = slope(arg, x)
        if inside is None:
            return None
        if inside != 0:
            outer = expr.func(*stand).diff(each)
            found += outer.xreplace(dict(zip(stand, expr.args, strict=True))) * inside
    return found


Box = tuple[tuple[fmpq, fmpq], ...]  # of the unit cube


@dataclass
class Landscape:
    """The body on the unit cube at one lookup; `turn` is 1 for a supremum, -1 for an infimum."""

    node: Extreme
    body: Callable[[Lookup], Value]
    slopes: list[Callable[[Lookup], Value] | None]
    bends: list[list[Callable[[Lookup], Value] | None]]
    ends: list[tuple[Value, Value]]
    look: Lookup
    turn: int

    def at(self, places: list[Value]) -> Scope:
        """A lookup with the variables at places of the unit cube, numbers or balls."""
        names = [limit[0].name for limit in self.node.limits]
        values = [add(low, multiply(place, add(high, -low)))
                  for place, (low, high) in zip(places, self.ends, strict=True)]  # fmt: skip
        return Scope(self.look, dict(zip(names, values, strict=True)))

    def point(self, places: list[Value]) -> Value:
        """The value at a point, with the sign of the problem."""
        return multiply(self.turn, self.body(self.at(places)))

    def peak(self) -> Peak | None:
        """A place at which all slopes vanish exactly, if there is one to be found."""
        firm = all(is_exact(end) for side in self.ends for end in side)
        if not firm or None in self.slopes or any(None in row for row in self.bends):
            return None
        return peak(len(self.ends), self.point, self._slopes_at, self._bends_at)

    def _slopes_at(self, places: list[Value]) -> list[Value]:
        scope = self.at(places)
        return [multiply(self.turn, multiply(run(scope), add(high, -low)))  # type: ignore[misc]
                for run, (low, high) in zip(self.slopes, self.ends, strict=True)]  # fmt: skip

    def _bends_at(self, places: list[Value]) -> list[list[Value]]:
        scope, spans = self.at(places), [add(high, -low) for low, high in self.ends]
        return [
            [multiply(self.turn, multiply(run(scope), multiply(a, b)))  # type: ignore[misc]
             for run, b in zip(row, spans, strict=True)]
            for row, a in zip(self.bends, spans, strict=True)
        ]  # fmt: skip

    def drifts(self, box: Box) -> list[arb | None]:
        """By how much the value may change along each side of a box, as balls of derivatives."""
        scope = self.at([_ball(side) for side in box])
        found: list[arb | None] = []
        for run, (low, high) in zip(self.slopes, self.ends, strict=True):
            try:
                value = None if run is None else to_ball(multiply(run(scope), add(high, -low)))
            except (Undecided, Undefined):
                value = None
            found.append(value * self.turn if value is not None and value.is_finite() else None)
        return found

    def above(self, box: Box, drifts: list[arb | None]) -> arb:
        """A number that no value on the box exceeds."""
        try:
            top = to_ball(self.point([_ball(side) for side in box])).upper()
        except (Undecided, Undefined):
            top = arb.pos_inf()
        if not top.is_finite():
            top = arb.pos_inf()
        known = [drift for drift in drifts if drift is not None]
        if len(known) < len(drifts):
            return top
        try:
            middle = to_ball(self.point([(low + high) / 2 for low, high in box]))
        except (Undecided, Undefined):
            return top
        reach = sum((abs(drift) * arb((high - low) / 2)
                     for drift, (low, high) in zip(known, box, strict=True)), arb(0))  # fmt: skip
        other = (middle + reach).upper()
        return top.min(other) if other.is_finite() else top


def _ball(side: tuple[fmpq, fmpq]) -> Value:
    """The ball of an interval; a point stays exact."""
    low, high = side
    if low == high:
        return low
    radius = (high - low) / 2
    return arb((low + high) / 2) + arb(0, int(radius.p) / int(radius.q))  # dyadic, so exact


def _faces(box: Box, drifts: list[arb | None]) -> Box:
    """The box, flat in every direction in which the value only rises or only falls."""
    sides = []
    for (low, high), drift in zip(box, drifts, strict=True):
        way = None if drift is None else sign(drift)
        sides.append((high, high) if way == 1 else (low, low) if way == -1 else (low, high))
    return tuple(sides)


def _halves(box: Box) -> Iterator[Box]:
    widths = [high - low for low, high in box]
    axis = widths.index(max(widths))
    low, high = box[axis]
    middle = (low + high) / 2
    for side in ((low, middle), (middle, high)):
        yield (*box[:axis], side, *box[axis + 1 :])


def extreme_value(node: Extreme) -> Callable[[Lookup], Value]:
    """The exact rule: a ball around the extreme value, or the value itself at a corner."""
    body = exact.compiled(node.body)
    found = [slope(node.body, limit[0]) for limit in node.limits]
    slopes = [None if each is None else _compiled_slope(each) for each in found]
    variables = [limit[0] for limit in node.limits]
    bends = [[_bend(each, other) for other in variables] for each in found]
    ends = [(exact.compiled(low), exact.compiled(high)) for _, low, high in node.limits]
    turn = 1 if node.largest else -1

    def run(look: Lookup) -> Value:
        here = [(low(look), high(look)) for low, high in ends]
        if any(sign(add(high, -low)) == -1 for low, high in here):
            raise Undefined(f"a {node.kind} over an interval whose ends are turned around")
        outermost = not LEFT
        LEFT.extend([MOST_IN_ALL] * outermost)
        try:
            return multiply(turn, _climb(Landscape(node, body, slopes, bends, here, look, turn)))
        finally:
            del LEFT[: int(outermost)]

    return run


def _bend(first: sympy.Expr | None, other: Known) -> Callable[[Lookup], Value] | None:
    second = None if first is None else slope(first, other)
    return None if second is None else _compiled_slope(second)


def _compiled_slope(expr: sympy.Expr) -> Callable[[Lookup], Value] | None:
    try:
        return exact.compiled(expr)
    except NotImplementedError:  # a derivative that is no function of ours
        return None


def _climb(land: Landscape) -> Value:
    """The supremum over the unit cube, between the best point seen and what no box exceeds."""
    size = len(land.ends)
    corners = [land.point(list(corner))
               for corner in itertools.product((fmpq(0), fmpq(1)), repeat=size)]  # fmt: skip
    still = land.peak()
    least = max(abs(float(to_ball(value).mid())) for value in corners) * ROUGH
    best = anchor = reduce(_larger, corners if still is None else [*corners, still.value])
    order = itertools.count()
    heap: list[tuple[float, int, arb, Box]] = []
    parts: list[Box] = [((fmpq(0), fmpq(1)),) * size]
    for count in range(MOST_PARTS):
        for part in parts:
            best = _larger(best, _push(heap, order, land, part, still))
        floor = to_ball(best).lower()
        # What is reached at a corner or a peak is exact: then nothing may be left above it.
        reached = is_exact(best) and is_exact(anchor) and best == anchor
        share = 0.0 if reached and count < MOST_AT_CONTACT else TOLERANCE.get(flint.ctx.prec, LAST)
        # Where the body is a ball, because a variable around it is one, parts tell no more.
        spare = max(max(abs(float(floor)), least) * share, 2 * float(to_ball(best).rad()))
        LEFT[0] -= 1
        if not heap or heap[0][2] <= floor + spare or LEFT[0] < 0:
            break
        parts = list(_halves(heapq.heappop(heap)[3]))
    return _between(best, [top for _, _, top, _ in heap])


def _push(
    heap: list[Any], order: Iterator[int], land: Landscape, box: Box, still: Peak | None
) -> Value:
    """Puts a part on the heap, unless its extreme value is known; a value that it takes."""
    drifts = land.drifts(box)
    flat = _faces(box, drifts)
    value = land.point([(low + high) / 2 for low, high in flat])
    if all(low == high for low, high in flat):
        return value
    if still is not None and still.settles(flat, [_ball(side) for side in flat]):
        return still.value
    top = land.above(flat, drifts)
    heapq.heappush(heap, (-float(top), next(order), top, flat))
    return value


def _between(best: Value, tops: list[arb]) -> Value:
    """A ball from the best value to the largest bound of the parts that are left.

    Raises: Undecided where nothing bounds the value.
    """
    tops = [top for top in tops if not top <= to_ball(best)]
    if not tops:
        return best
    top = reduce(lambda a, b: a.max(b), tops, to_ball(best).upper())
    if not top.is_finite():
        raise Undecided("no bound of the value on a part of the box")
    return to_ball(best).lower().union(top)


def _larger(one: Value, other: Value) -> Value:
    way = sign(add(one, -other))
    return exact.FUNCTIONS[sympy.Max](one, other) if way is None else other if way < 0 else one


def batched(
    node: Extreme, body: Callable[[Lookup], Any],
    ends: list[tuple[Callable[[Lookup], Any], Callable[[Lookup], Any]]],
) -> Callable[[Lookup], Any]:  # fmt: skip
    """The float rule: grids around the best point of the grid before, for a batch at once."""
    import numpy

    names, turn = [limit[0].name for limit in node.limits], 1.0 if node.largest else -1.0
    inside = len(node.body.atoms(Extreme))
    few = 7 if inside == len(names) == 1 else 3
    side = numpy.linspace(0.0, 1.0, few if inside else GRID[len(names)])

    def run(look: Lookup) -> Any:
        corners = [(numpy.asarray(a(look), float), numpy.asarray(b(look), float)) for a, b in ends]
        lows, highs = [numpy.zeros(()) for _ in names], [numpy.ones(()) for _ in names]
        best = numpy.array(-numpy.inf)
        for _ in range(2 if inside else ROUNDS):
            middles = list(zip(lows, highs, strict=True))
            for place in itertools.product(side, repeat=len(names)):
                at = [low + (high - low) * u for (low, high), u in zip(middles, place, strict=True)]
                values = [a + (b - a) * u for (a, b), u in zip(corners, at, strict=True)]
                scope = Scope(look, dict(zip(names, values, strict=True)))
                found = turn * numpy.asarray(body(scope))
                better = found > best
                best = numpy.where(better, found, best)
                step = [(high - low) / (len(side) - 1) for low, high in middles]
                lows = [numpy.where(better, numpy.maximum(u - s, 0.0), low)
                        for low, u, s in zip(lows, at, step, strict=True)]  # fmt: skip
                highs = [numpy.where(better, numpy.minimum(u + s, 1.0), high)
                         for high, u, s in zip(highs, at, step, strict=True)]  # fmt: skip
        return turn * best

    return run
