"""That a plan is the cheapest: no other admissible value costs less by more than a stated factor.

Boxes of free values are bounded from below in cost, the cheapest first: on a box each size is
raised as long as some condition fails everywhere on it, in intervals. What is left is cut in two,
until the least bound is near the cost of the plan or the work allowed is done.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import mpmath
import sympy
from flint import fmpq
from mpmath import iv

from boundcheck.explore.enclosure import (
    Box,
    Memo,
    between,
    certainly_fails,
    enclosure,
    ends,
    exactly,
    span,
)
from boundcheck.explore.ranges import Range
from boundcheck.setting import INEQUALITIES

CLOSE = mpmath.mpf(101) / 100  # a bound within this factor of the cost is good enough
FARTHEST = mpmath.mpf(2) ** 4096  # slices of endless ranges grow no further
GALLOPS = 4  # times that a size is raised anew
WORK = 100_000  # comparisons and sides, in nodes of expressions, that one certificate may take
FINE = mpmath.mpf(2) ** -10  # how closely a size is raised, relative to it,
FINEST = mpmath.mpf(2) ** -60  # and where nothing else is free
BITS = 80
LATE = 4  # the width of a size counts for so much less than that of a free value
FAR = mpmath.mpf(2) ** 12  # ends of boxes that reach to infinity or zero are cut so far out
Ends = tuple[Any, Any]


@dataclass(frozen=True)
class Optimum:
    """A certificate that a cost is nearly the least.

    Args: least: no admissible values cost less. factor: cost of the plan over that, at least 1;
    infinite where nothing is known, or that is not positive. boxes: how many were bounded. unread:
    symbols whose definitions are no formulas, so that conditions on them exclude nothing.
    gap: cost of the plan minus `least` where a cost may have either sign; infinite for no bound.
    """

    least: float
    factor: float
    boxes: int
    unread: tuple[str, ...] = ()
    gap: float = float("inf")

    def __str__(self) -> str:
        unread = f"; conditions on {', '.join(self.unread)} were left out" if self.unread else ""
        if self.factor == float("inf") and self.gap < self.factor:
            return (
                f"nothing admissible costs less by more than {self.gap:.4g} "
                f"({self.boxes} boxes of intervals){unread}"
            )
        if self.factor == float("inf"):
            return f"not certified: no bound on the cost in {self.boxes} boxes{unread}"
        if self.factor == 1:
            return f"nothing admissible costs less ({self.boxes} boxes of intervals){unread}"
        return (
            f"nothing admissible is cheaper by more than a factor {_above_one(self.factor)} "
            f"({self.boxes} boxes of intervals){unread}"
        )


class Minimum:
    """The least cost over boxes.

    Args:
        conditions: relations between free values, sizes and numbers. cost: an expression of them.
        free, sizes: name to range. best: cost of the plan; start: its free values.
        unread: symbols that conditions are left out for. work: how much may be done.
    """

    def __init__(
        self, conditions: Sequence[sympy.Basic], cost: sympy.Expr, free: Mapping[str, Range],
        sizes: Mapping[str, Range], best: fmpq, start: Mapping[str, fmpq],
        unread: tuple[str, ...] = (), work: int = WORK,
    ) -> None:  # fmt: skip
        self.conditions, self.cost = tuple(conditions), cost
        self.free, self.sizes, self.unread = free, sizes, unread
        self.start = {name: mpmath.mpf(float(value)) for name, value in start.items()}
        self.about = {n: [c for c in conditions if n in {s.name for s in c.free_symbols}]
                      for n in sizes}  # fmt: skip
        spoken = {s.name: s for c in (*conditions, cost) for s in c.free_symbols}
        self.symbols = {n: spoken.get(n) for n in sizes}
        self.best, self.fine = best, FINE if free else FINEST
        self.work, self.memo = work, Memo()

    def certified(self) -> Optimum:
        """The certificate."""
        before, iv.prec = iv.prec, BITS
        try:
            with mpmath.workprec(BITS):
                return self._certified()
        finally:
            iv.prec = before

    def _certified(self) -> Optimum:
        cost = ends(exactly(self.best))[1]
        whole = {n: ends(span(r)) for n, r in {**self.free, **self.sizes}.items()}
        order, boxes = itertools.count(), 1
        heap: list[tuple[Any, int, dict[str, Ends]]] = []

        def push(box: dict[str, Ends]) -> None:
            bounded = self._bounded(box, cost)
            if bounded is not None and bounded[0] < cost:
                heapq.heappush(heap, (bounded[0], next(order), bounded[1]))

        push(whole)
        while heap and _apart(heap[0][0], cost) and self.work > 0:
            halves = self._cut(heap[0][2])
            if not halves:
                break  # a single point: its bound is what it costs
            heapq.heappop(heap)
            for half in halves:
                boxes += 1
                push(half)
        least = min(heap[0][0], cost) if heap else cost
        factor = float(cost / least) if least > 0 else 1.0 if least == cost else float("inf")
        return Optimum(float(least), factor, boxes, self.unread, float(cost - least))

    def _bounded(self, box: dict[str, Ends], cost: Any) -> tuple[Any, dict[str, Ends]] | None:
        """A lower bound on the cost on a box, and the box with sizes raised; None if none is
        admissible there."""
        box = dict(box)
        for _ in range(min(len(self.sizes), 2)):  # one may raise another
            for name in self.sizes:
                if not self._raised(name, box):
                    return None
                self._limited(name, box, cost)
        whole = self._intervals(box)
        self._count(*self.conditions)
        if any(certainly_fails(condition, whole, self.memo) for condition in self.conditions):
            return None
        return self._cost(box), box

    def _raised(self, name: str, box: dict[str, Ends]) -> bool:
        """Raises one size while a condition on it fails on all of a slice; False at its end."""
        low, high = box[name]
        symbol = self.symbols[name]
        for condition in self.about[name]:  # those that say at once what the size is above
            alone = isinstance(condition, INEQUALITIES) and condition.gts == symbol
            if alone and not condition.lts.has(symbol):
                self._count(condition)
                least = ends(enclosure(condition.lts, self._intervals(box), self.memo))[0]
                low = max(low, min(least, high))
        for _ in range(GALLOPS):
            before = low
            low = self._galloped(name, {**box, name: (low, high)})
            if low >= high or low <= _times(before, 1 + self.fine):
                break
        if low >= high:
            return not self._fails(name, {**box, name: (high, high)})
        low = mpmath.ceil(low) if self.sizes[name].whole else low
        box[name] = (low, high)
        return bool(low <= high)  # else no whole number is left

    def _galloped(self, name: str, box: dict[str, Ends]) -> Any:
        """Where a size may begin: slices that fail grow until one does not, then halve."""
        low, high = box[name]
        if self._fails(name, box):
            return high
        step, growing = mpmath.mpf(2), True
        while step > 1 + self.fine and low < high:
            top = min(_times(low, step), high)
            failing = self._fails(name, {**box, name: (low, top)})
            low, growing = top if failing else low, growing and failing and step < FARTHEST
            step = step * step if growing else mpmath.sqrt(step)
        return low

    def _fails(self, name: str, box: dict[str, Ends]) -> bool:
        intervals, about = self._intervals(box), self.about[name]
        self._count(*about)
        return any(certainly_fails(condition, intervals, self.memo) for condition in about)

    def _limited(self, name: str, box: dict[str, Ends], cost: Any) -> None:
        """Lowers the end of one size to where the cost alone is too much."""
        low, high = box[name]
        step = mpmath.mpf(2)
        top = max(low, mpmath.mpf(1))
        for _ in range(400):
            if top >= high:
                return
            if self._cost({**box, name: (top, high)}) >= cost:
                box[name] = (low, top)
                return
            top, step = top * step, step * mpmath.sqrt(2)

    def _cost(self, box: dict[str, Ends]) -> Any:
        self._count(self.cost)
        return ends(enclosure(self.cost, self._intervals(box), self.memo))[0]

    def _intervals(self, box: dict[str, Ends]) -> Box:
        return {name: between(*pair) for name, pair in box.items()}

    def _count(self, *expressions: sympy.Basic) -> None:
        self.work -= sum(1 + _size(expr) for expr in expressions)

    def _cut(self, box: dict[str, Ends]) -> list[dict[str, Ends]]:
        """The box in two, along the value that is known least; none of a single point.

        A size alone is raised as far as conditions allow, so several are cut, and late.
        """
        widths = {n: _width(*box[n]) for n in self.free}
        if len(self.sizes) > 1 or not self.free:
            widths |= {n: _width(*box[n]) / LATE for n in self.sizes}
        name = max(widths, key=lambda n: widths[n], default="")
        if not widths.get(name):
            return []
        low, high = box[name]
        middle = _middle(low, high, self.start.get(name))
        return [{**box, name: (low, middle)}, {**box, name: (middle, high)}]


def _apart(bound: Any, cost: Any) -> bool:
    """Whether a bound is farther below a cost than is good enough, whatever their signs."""
    return bool(cost - bound > (1 - 1 / CLOSE) * max(abs(cost), abs(bound)))


def _above_one(factor: float) -> str:
    """A factor to three digits of what it is above one."""
    return f"{factor:.4g}" if factor >= 1.001 else f"1 + {factor - 1:.1e}"


@lru_cache(maxsize=1024)
def _size(expr: sympy.Basic) -> int:
    return expr.count_ops() if isinstance(expr, sympy.Basic) else 0


def _times(low: Any, step: Any) -> Any:
    return low * step if low > 0 else (low + step - 1 if low > -mpmath.inf else mpmath.mpf(0))


def _width(low: Any, high: Any) -> Any:
    if low > 0 and high < mpmath.inf:
        return mpmath.log(high / low)
    return mpmath.inf if high > low else mpmath.mpf(0)


def _middle(low: Any, high: Any, start: Any) -> Any:
    """Where to cut: at the plan first, then far out, then at the geometric mean."""
    if low > 0 and high < mpmath.inf:
        return mpmath.sqrt(low * high)
    if start is not None and low < start < high:
        return start
    if low >= 0:
        return high / FAR if high < mpmath.inf else max(low, mpmath.mpf(1)) * FAR
    if high > 0:
        return mpmath.mpf(0)
    return low / FAR if low > -mpmath.inf else min(high, mpmath.mpf(-1)) * FAR
