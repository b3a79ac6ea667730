"""Smooth convex functions of any dimension and first-order methods, through exact Gram matrices.

A function is known by what a method sees of it: the Gram matrix of x_0 - x* and of the gradients at
x_0, ..., x_N, and the values above the least one. Such numbers belong to an L-smooth, mu-strongly
convex function of some dimension if and only if they meet the interpolation conditions, which is
what the world promises; search makes them from Huber functions and parabolas.

A method is x_k = x_0 - (1/L) sum_{j<k} h[k, j] grad f(x_j). Worlds hold functions divided by L;
`gap` and `gradient_squared` multiply it back.
Source: Taylor, Hendrickx and Glineur, Math. Program. 161 (2017) 307-345, Theorem 4.

>>> run = gradient_descent()
>>> rate = gap(run) <= L * distance_squared(run) / (4 * N + 2)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import signature
from typing import Any

import sympy
from flint import fmpq, fmpq_mat

from boundcheck.errors import InvalidArgument
from boundcheck.expressions import parameter, world
from boundcheck.expressions.symbols import Known, Number
from boundcheck.worlds import Derived, Integer, Real
from boundcheck.worlds.domains import has_shape, is_positive_semidefinite
from boundcheck.worlds.fields import Bound, Field, as_rational
from boundcheck.worlds.sources import Coordinates

N = world("N", Integer(1, searched=4), says="Number of steps.")
L = parameter("L", Real(0, None, open_low=True), units={"curvature": 1}, says="Smoothness.")
gamma = world("gamma", Real(0, 2, open_low=True, open_high=True), says="Step size times L.")
Row = list[fmpq]


@dataclass(frozen=True)
class Seen(Field):
    """What a method sees of a function: rows and columns x_0 - x*, g_0, ..., g_N, then the values.

    The matrix is (N + 2) x (N + 3): inner products, and in the last column zero and the values
    f(x_k) - f(x*).

    Args: method: name of the matrix h, (N + 1) x (N + 1). convexity: mu / L in [0, 1), a number or
    a name. dimensions: of the functions in search, no part of the promise.
    """

    method: str
    convexity: Bound = 0
    dimensions: int = 2

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> fmpq_mat:
        q, h = as_rational(self.convexity, earlier), earlier[self.method]
        size = source.integer(1, self.dimensions)
        parts = [Huber(_kink(source, h.nrows()), q) for _ in range(size)]
        start = [fmpq(1), *(source.rational(fmpq(0), fmpq(1)) for _ in range(size - 1))]
        scale = source.rational(fmpq(0), fmpq(4)) if source.choice((False, True)) else fmpq(1)
        return _seen(h, start, parts) * scale**2

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        h, q = earlier[self.method], as_rational(self.convexity, earlier)
        size = h.nrows() + 1
        if not (has_shape(value, size, size + 1) and value[0, size] == 0 and 0 <= q < 1):
            return False
        gram = fmpq_mat(size, size, [value[i, j] for i in range(size) for j in range(size)])
        pairs = [(i, j) for i in range(size) for j in range(size) if i != j]
        return is_positive_semidefinite(gram) and all(
            interpolation_gap(value, h, q, i, j) >= 0 for i, j in pairs
        )


def _kink(source: Coordinates, points: int) -> fmpq | None:
    """Where a Huber function leaves its parabola, as a share of the start; None of a parabola."""
    kind = source.choice(("share", "share", "free", "parabola"))
    if kind == "parabola":
        return None
    if kind == "free":
        return source.rational(fmpq(0), fmpq(1))
    return fmpq(1, source.integer(1, 2 * points + 1))


@dataclass(frozen=True)
class Huber:
    """q x^2 / 2 + (1 - q) huber(x): curvature 1 up to `kink`, then q."""

    kink: fmpq | None
    q: fmpq

    def slope(self, x: fmpq) -> fmpq:
        if self.kink is None:
            return x
        return self.q * x + (1 - self.q) * min(max(x, -self.kink), self.kink)

    def height(self, x: fmpq) -> fmpq:
        if self.kink is None or abs(x) <= self.kink:
            return x * x / 2
        return self.q * x * x / 2 + (1 - self.q) * self.kink * (abs(x) - self.kink / 2)


def _seen(h: fmpq_mat, start: Row, parts: list[Huber]) -> fmpq_mat:
    """The method on the sum of one function for each coordinate, least at zero."""
    rows, values = [start], [fmpq(0)]
    for k in range(h.nrows()):
        at = [
            x - sum((h[k, j] * rows[j + 1][axis] for j in range(k)), fmpq(0))
            for axis, x in enumerate(start)
        ]
        rows.append([part.slope(x) for part, x in zip(parts, at, strict=True)])
        values.append(sum((part.height(x) for part, x in zip(parts, at, strict=True)), fmpq(0)))
    table = fmpq_mat(len(rows), len(start), [x for row in rows for x in row])
    gram = table * table.transpose()
    return fmpq_mat(len(rows), len(rows) + 1, [
        x for row, value in zip(gram.tolist(), values, strict=True) for x in (*row, value)
    ])  # fmt: skip


def interpolation_gap(seen: fmpq_mat, h: fmpq_mat, q: fmpq, i: int, j: int) -> fmpq:
    """How far the interpolation condition of two points holds, negative if it fails.

    Points 0, ..., N are iterates, N + 1 is x*. For L = 1 and mu = q it is
    f_i - f_j - <g_j, dx> - (|dg|^2 + q |dx|^2 - 2 q <dg, dx>) / (2 (1 - q)).
    """
    (xi, gi, fi), (xj, gj, fj) = _point(seen, h, i), _point(seen, h, j)
    dx = [a - b for a, b in zip(xi, xj, strict=True)]
    dg = [a - b for a, b in zip(gi, gj, strict=True)]
    square = _inner(seen, dg, dg) + q * _inner(seen, dx, dx) - 2 * q * _inner(seen, dg, dx)
    return fi - fj - _inner(seen, gj, dx) - square / (2 * (1 - q))


def _point(seen: fmpq_mat, h: fmpq_mat, k: int) -> tuple[Row, Row, fmpq]:
    """x_k - x* and the gradient as coefficients of x_0 - x*, g_0, ..., g_N; and the value."""
    size = seen.nrows()
    x, g = [fmpq(0)] * size, [fmpq(0)] * size
    if k == h.nrows():
        return x, g, fmpq(0)
    x[0], g[k + 1] = fmpq(1), fmpq(1)
    for j in range(k):
        x[j + 1] = -h[k, j]
    return x, g, seen[k + 1, size]


def _inner(gram: fmpq_mat, u: Row, v: Row) -> fmpq:
    rows, cols = ([i for i, a in enumerate(w) if a] for w in (u, v))
    return sum((u[i] * v[j] * gram[i, j] for i in rows for j in cols), fmpq(0))


def equal_steps(N: int, gamma: fmpq) -> fmpq_mat:
    """h of gradient descent with step gamma / L."""
    size = int(N) + 1
    return fmpq_mat(size, size, [gamma if j < k else 0 for k in range(size) for j in range(size)])


def unit_steps(N: int) -> fmpq_mat:
    """h of gradient descent with step 1 / L."""
    return equal_steps(N, fmpq(1))


def first_order(rule: Callable[..., fmpq_mat], *needs: Known, convexity: Number | str = 0) -> Known:
    """A method on a function of the class.

    Args: rule: h from numbers of the world by name; needs: these numbers, that of the steps first.
    convexity: mu / L, a rational as text or a number of the world.
    Raises: InvalidArgument if the rule reads other names than those of the numbers.
    """
    read, named = list(signature(rule).parameters), [each.name for each in needs]
    if read != named:
        raise InvalidArgument(
            f"the steps of the method read {', '.join(read)}, the numbers given are called "
            f"{', '.join(named)}; use the same names"
        )
    h = world("h", Derived(rule), rank=2, needs=needs, says="Coefficients of the method.")
    return world("seen", Seen(h, convexity), rank=2, says="Inner products and values.")


def gradient_descent(
    step: Known | None = None, convexity: Number | str = 0, number: Known = N
) -> Known:
    """Gradient descent on a function of the class; step 1 / L, or `gamma` / L.

    Args: number: of the steps, called N; search tries up to four unless another one says more.

    >>> run = gradient_descent()
    >>> gap(run), distance_squared(run)
    (L*seen[N + 1, N + 2], seen[0, 0])
    """
    if step is None:
        return first_order(unit_steps, number, convexity=convexity)
    return first_order(equal_steps, number, step, convexity=convexity)


def steps(run: Known) -> Known:
    """The number of steps of a method."""
    method = next(each for each in run.meaning.needs if each.name == "h")
    return method.meaning.needs[0]


def distance_squared(run: Known) -> sympy.Expr:
    """||x_0 - x*||^2."""
    return run[0, 0]


def gap(run: Known, k: Number | None = None) -> sympy.Expr:
    """f(x_k) - f(x*), of the last point if none is named."""
    number = steps(run)
    return L * run[(number if k is None else k) + 1, number + 2]


def gradient_squared(run: Known, k: Number | None = None) -> sympy.Expr:
    """||grad f(x_k)||^2."""
    at = (steps(run) if k is None else k) + 1
    return L**2 * run[at, at]
