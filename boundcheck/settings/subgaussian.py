"""Subgaussian vectors with finitely many values: the least variance proxy that a law allows.

A random vector x of mean mu is subgaussian with proxy s if E exp(a^T (x - mu)) <= exp(s |a|^2 / 2)
for every a. A law with finitely many values has a least such s, the supremum over a of
2 log E exp(a^T (x - mu)) / |a|^2; its exact form is a ball that holds that supremum.

>>> from boundcheck.expressions import greatest, mean, norm, row
>>> s = variance_proxy(x, p)
>>> variance = mean(norm(row(x, k) - mu) ** 2, k, p) <= n * s
>>> range_ = s <= greatest(norm(row(x, k) - row(x, j)), k, j) ** 2 / 4
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from flint import arb, fmpq

from boundcheck.arithmetic import Value, is_exact, to_float
from boundcheck.expressions import index, primitive, world
from boundcheck.expressions.lazy_imports import numpy
from boundcheck.worlds import Integer, Matrix, Weights

Direction = tuple[fmpq, ...]
Side = tuple[fmpq, fmpq]
N = world("N", Integer(1, searched=4), says="Number of values of the vector.")
n = world("n", Integer(1, searched=2), says="Its dimension.")
p = world("p", Weights(N), says="Their probabilities.")
x = world("x", Matrix(N, n), units={"value": 1}, says="The values in rows.")
j, k = index("j", N), index("k", N)
mu = x.T * p

LENGTHS = numpy.geomspace(0.02, 60.0, 40)  # of a, times the largest |y|
TURNS = 8  # towards the best direction of a length
MOST_PARTS, SPARE = 400, 2.0**-12  # of a line; what its upper end may exceed the lower by
MOST_PATCHES, BETWEEN = 48, 2.0**-6  # of the sphere of directions; the same


def _ratios(points: Any, weights: Any, directions: Any) -> tuple[Any, Any]:
    """2 log E exp(a^T y) / |a|^2 for the lengths along directions, and the arguments a.

    A direction goes to that of the gradient: the logarithm is convex, so its value on the sphere
    never falls. Args: points, weights, directions: (..., N, n), (..., N), (..., M, n), means zero.
    Returns: arrays (..., M, lengths) and (..., M, lengths, n).
    """
    spread = numpy.sqrt((points**2).sum(-1).max(-1)) + 1e-300
    lengths = LENGTHS / spread[..., None]
    u = directions[..., None, :] * numpy.ones((len(LENGTHS), 1))
    for turn in range(TURNS + 1):
        a = lengths[..., None, :, None] * u
        heights = numpy.einsum("...mln,...kn->...mlk", a, points)
        top = heights.max(-1, keepdims=True)
        mass = weights[..., None, None, :] * numpy.exp(heights - top)
        if turn < TURNS:
            u = _unit(numpy.einsum("...mlk,...kn->...mln", mass, points), u)
    values = numpy.log(mass.sum(-1)) + top[..., 0]
    return 2 * values / lengths[..., None, :] ** 2, a


def _unit(vectors: Any, instead: Any = 0.0) -> Any:
    size = numpy.sqrt((vectors**2).sum(-1, keepdims=True))
    return numpy.where(size > 0, vectors / numpy.where(size > 0, size, 1), instead)


def _proxy_floats(points: Any, weights: Any) -> Any:
    points, weights = numpy.asarray(points, float), numpy.asarray(weights, float)
    points = points - (weights[..., None] * points).sum(-2, keepdims=True)
    spread = numpy.einsum("...k,...kn,...km->...nm", weights, points, points)
    variance = numpy.linalg.eigvalsh(spread)[..., -1]
    return numpy.maximum(variance, _ratios(points, weights, _unit(points))[0].max((-1, -2)))


@primitive(batch=_proxy_floats, ranks=(2, 1), facts=("nonnegative",))
def variance_proxy(points: Any, weights: Any) -> Any:
    """The least s with E exp(a^T (x - E x)) <= exp(s |a|^2 / 2) for all a; x a row of a matrix.

    The root of the proxy of u^T x is a norm of u, by Hoelder's inequality. So it is at most its
    largest value at the corners of a patch of the unit sphere, over the distance of their hull
    from 0; patches are halved where this is largest.

    Source: Hsu, Kakade, Zhang, Electron. Commun. Probab. 17 (2012), no. 52, (2.1).
    """
    rows, law = points.tolist(), list(weights)
    if all(row == rows[0] for row in rows):
        return fmpq(0)
    size = len(rows[0])
    heap: list[Any] = []
    low, order, known = arb(0), itertools.count(), dict[Direction, arb]()
    patches = [(axis, ((fmpq(-1), fmpq(1)),) * (size - 1)) for axis in range(size)]
    while patches:
        for axis, box in patches:
            corners = [_facing(axis, corner) for corner in itertools.product(*box)]
            for u in corners:
                if u not in known:
                    known[u] = _along(rows, law, u)
            middle = _facing(axis, tuple((a + b) / 2 for a, b in box))
            low = reduce(arb.max, (known[u].lower() for u in corners), low)
            near = reduce(arb.min, (_cosine(u, middle) for u in corners))
            top = (reduce(arb.max, (known[u] for u in corners)) / near**2).upper()
            heapq.heappush(heap, (-float(top), next(order), top, axis, box))
        settled = heap[0][2] <= low * (1 + BETWEEN) or len(known) > MOST_PATCHES
        patches = [] if settled or size == 1 else _halved(*heapq.heappop(heap)[3:])
    return low.union(reduce(arb.max, (item[2] for item in heap), low))


def _facing(axis: int, others: Direction) -> Direction:
    """The point of a face of the cube [-1, 1]^n, which stands for a direction."""
    return (*others[:axis], fmpq(1), *others[axis:])


def _cosine(u: Direction, v: Direction) -> arb:
    return arb(_dot(u, v)) / (arb(_dot(u, u)) * arb(_dot(v, v))).sqrt()


def _dot(u: Sequence[fmpq], v: Sequence[fmpq]) -> fmpq:
    return sum((a * b for a, b in zip(u, v, strict=True)), fmpq(0))


def _halved(axis: int, box: tuple[Side, ...]) -> list[tuple[int, tuple[Side, ...]]]:
    widths = [b - a for a, b in box]
    at = widths.index(max(widths))
    a, b = box[at]
    sides = (a, (a + b) / 2), ((a + b) / 2, b)
    return [(axis, (*box[:at], side, *box[at + 1 :])) for side in sides]


def _along(rows: list[list[fmpq]], weights: list[fmpq], u: Direction) -> arb:
    """The proxy of u^T x / |u|."""
    return arb(_scalar_proxy([_dot(u, row) for row in rows], weights)) / _dot(u, u)


@dataclass
class _Line:
    """A variable of mean zero with finitely many values, in an interval of length `width`.

    h(r) = 2 log E exp(r y) / r^2 is 2 int_0^1 (1 - s) Var_{s r}(y) ds for tilted laws. A third
    central moment is at most width^3 / (6 sqrt 3), so h changes by at most width^3 / (18 sqrt 3)
    per unit of r; as |y| <= width, h(r) <= 2 width / |r|.
    """

    values: list[fmpq]
    weights: list[fmpq]

    def ratio(self, r: fmpq) -> arb:
        """h(r) for r other than zero."""
        pairs = zip(self.weights, self.values, strict=True)
        mass = sum((weight * arb(r * y).exp() for weight, y in pairs), arb(0))
        return 2 * mass.log() / r**2

    def seen(self) -> arb:
        """A value that the supremum is not below: the variance, or one that floats find large."""
        points = numpy.array([[to_float(y)] for y in self.values])
        weights = numpy.array([to_float(weight) for weight in self.weights])
        found, places = _ratios(points, weights, numpy.array([[1.0], [-1.0]]))
        best = float(places.reshape(-1)[int(found.argmax())])
        variance = sum((w * y * y for w, y in zip(self.weights, self.values, strict=True)), fmpq(0))
        return self.ratio(fmpq(*best.as_integer_ratio())).max(arb(variance))

    def enclosed(self) -> arb:
        """A ball that holds the supremum of h, by branch and bound over r."""
        width = max(self.values) - min(self.values)
        rate = arb(width) ** 3 / (18 * arb(3).sqrt())
        low = self.seen().lower()
        far = fmpq(*float((2 * width / low).upper()).as_integer_ratio()) * 2
        heap: list[Any] = []
        parts = [(-far, fmpq(0)), (fmpq(0), far)]
        for _ in range(MOST_PARTS):
            for a, b in parts:
                value = self.ratio((a + b) / 2)
                low = low.max(value.lower())
                top = value + rate * (b - a) / 2
                nearest = max(a, -b)
                top = (top.min(2 * arb(width) / nearest) if nearest > 0 else top).upper()
                heapq.heappush(heap, (-float(top), (a, b), top))
            if heap[0][2] <= low * (1 + SPARE):
                break
            a, b = heapq.heappop(heap)[1]
            parts = [(a, (a + b) / 2), ((a + b) / 2, b)]
        return low.union(reduce(arb.max, (item[2] for item in heap), low))


def _scalar_proxy(values: Sequence[fmpq], weights: Sequence[fmpq]) -> Value:
    mean = sum((w * y for w, y in zip(weights, values, strict=True)), fmpq(0))
    kept = [(y - mean, w) for y, w in zip(values, weights, strict=True) if w]
    if len({y for y, _ in kept}) == 1:
        return fmpq(0)
    return _Line([y for y, _ in kept], [w for _, w in kept]).enclosed()


def _largest_floats(values: Any, chances: Any) -> Any:
    values, chances = numpy.asarray(values, float), numpy.asarray(chances, float)
    return _proxy_floats(values[..., None], chances).max(-1)


@primitive(batch=_largest_floats, ranks=(2, 2), facts=("nonnegative",))
def largest_proxy(values: Any, chances: Any) -> Any:
    """The variance proxy of a vector of independent coordinates: the largest of theirs.

    Args: values: one row a coordinate; chances: their laws.
    """
    found = [_scalar_proxy(row, law) for row, law in zip(values.tolist(), chances, strict=True)]
    return reduce(_larger, found)


def _larger(one: Value, other: Value) -> Value:
    return max(one, other) if is_exact(one) and is_exact(other) else arb(one).max(arb(other))
