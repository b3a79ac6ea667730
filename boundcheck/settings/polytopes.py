"""Online convex optimisation on polytopes of any dimension: convex hulls of V points in R^d.

Losses are convex quadratics x^T (Q_t + curvature I) x / 2 + b_t^T x, linear ones among them; a
gradient is affine, so its largest norm on a polytope is taken at a vertex. Projections and best
points are found exactly on the face that holds them. Regret is against the best point of the
polytope in hindsight.

>>> from boundcheck.expressions import table
>>> regret = descent_regret(F, Q, b, 0, table(1, t), first)
>>> descent = regret <= diameter() ** 2 / 2 + T * largest_gradient() ** 2 / 2
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import sympy
from flint import arb, fmpq, fmpq_mat

from boundcheck.arithmetic import midpoint, square_root, to_ball
from boundcheck.expressions import greatest, index, norm, primitive, row, world
from boundcheck.expressions.symbols import Number
from boundcheck.settings.matrices import d
from boundcheck.settings.online import REGRET, T, t
from boundcheck.worlds import Gram, Integer, Matrix, Tuples, Weights

V = world("V", Integer(1, searched=4), says="Number of points whose convex hull is taken.")
F = world("F", Matrix(V, d), units={"point": 1}, says="The points in rows; they hold all vertices.")
share = world("share", Weights(V, zeros=True), says="Weights of the points in the first point.")
Q = world("Q", Tuples(T, Gram(d)), units={"slope": 1, "point": -1}, says="Second derivatives.")
b = world("b", Matrix(T, d), units={"slope": 1}, says="Gradients of the losses at 0, in rows.")
v, w = index("v", V), index("w", V)
first = F.T * share


def gradient(of_round: sympy.Expr, v: sympy.Expr, curvature: Number = 0) -> sympy.Expr:
    """The gradient of the loss of a round at point v of those that span the polytope."""
    return Q[of_round] * row(F, v) + row(b, of_round) + curvature * row(F, v)


def largest_gradient(curvature: Number = 0) -> sympy.Expr:
    """The largest norm of a gradient on the polytope, in any round."""
    return greatest(norm(gradient(t, v, curvature)), t, v)


def diameter() -> sympy.Expr:
    """The largest distance of two points of the polytope."""
    return greatest(norm(row(F, v) - row(F, w)), v, w)


Point = list[Any]


def _dot(x: Sequence[Any], y: Sequence[Any]) -> Any:
    return sum((a * b for a, b in zip(x, y, strict=True)), fmpq(0))


def _times(A: fmpq_mat, x: Sequence[Any]) -> Point:
    return [_dot(entries, x) for entries in A.tolist()]


def _lifted(A: fmpq_mat, ridge: Any) -> fmpq_mat:
    """A + ridge I."""
    size = A.nrows()
    return A + fmpq_mat(size, size, [ridge * int(i == j) for i in range(size) for j in range(size)])


def _slope(A: fmpq_mat, b: Sequence[Any], x: Sequence[Any]) -> Point:
    return [a + c for a, c in zip(_times(A, x), b, strict=True)]


def least_point(corners: list[Point], A: fmpq_mat, b: Sequence[Any]) -> Point:
    """A point of a convex hull at which x^T A x / 2 + b^T x is least; A semi-definite, rational.

    Of all least points the one on the fewest corners lies inside a face of independent points
    along which the form is definite: there its slope is the same at all of them, and no corner
    lies below.
    """
    F = fmpq_mat(corners)
    products = (F * A * F.transpose()).tolist()
    slopes = [entry for (entry,) in (F * fmpq_mat(len(b), 1, list(b))).tolist()]
    for number in range(1, min(len(corners), len(b) + 1) + 1):
        for chosen in combinations(range(len(corners)), number):
            rows = [[products[i][j] for j in chosen] + [fmpq(1)] for i in chosen]
            system = fmpq_mat([*rows, [fmpq(1)] * number + [fmpq(0)]])
            right = fmpq_mat(number + 1, 1, [*(-slopes[i] for i in chosen), fmpq(1)])
            try:
                *weights, level = (entry for (entry,) in system.solve(right).tolist())
            except ZeroDivisionError:
                continue
            if min(weights) < 0:
                continue
            along = [_dot(weights, [row[i] for i in chosen]) for row in products]
            if all(a + slope >= -level for a, slope in zip(along, slopes, strict=True)):
                face = fmpq_mat([corners[i] for i in chosen])
                return (fmpq_mat(1, number, weights) * face).entries()
    raise AssertionError("a quadratic that is convex has a least point on a polytope")


def projection(corners: list[Point], x: Point) -> Point:
    """The nearest point of a convex hull; of balls, balls around it.

    Projection brings points no farther apart, so a ball goes into one as large in norm around the
    projection of its centre.
    """
    size = len(x)
    identity = _lifted(fmpq_mat(size, size), fmpq(1))
    if not any(isinstance(entry, arb) for entry in x):
        return least_point(corners, identity, [-entry for entry in x])
    balls = [to_ball(entry) for entry in x]
    centre = [midpoint(ball) for ball in balls]
    reach = square_root(sum((ball.rad() ** 2 for ball in balls), arb(0))).upper()
    found = least_point(corners, identity, [-entry for entry in centre])
    around = (-reach).union(reach)
    return [entry + around for entry in found]


def _value(A: fmpq_mat, b: Sequence[Any], x: Point) -> Any:
    return _dot(_times(A, x), x) / 2 + _dot(b, x)


def _regret(corners: list[Point], forms: Any, slopes: list[Point], played: list[Point]) -> Any:
    paid = sum((_value(A, b, x) for A, b, x in zip(forms, slopes, played, strict=True)), fmpq(0))
    whole = sum(forms[1:], forms[0])
    together = [sum(column, fmpq(0)) for column in zip(*slopes, strict=True)]
    return paid - _value(whole, together, least_point(corners, whole, together))


@primitive(ranks=(2, 3, 2, 0, 1, 1), latex=REGRET)
def descent_regret(F: Any, Q: Any, b: Any, curvature: Any, steps: Any, first: Any) -> Any:
    """Regret of x_{t+1} = projection on the hull of the rows of F of x_t - eta_t gradient_t(x_t).

    Source: Zinkevich, Online convex programming (2003), greedy projection.
    """
    corners, slopes, x = F.tolist(), b.tolist(), list(first)
    forms, played = [_lifted(A, fmpq(curvature)) for A in Q], []
    for A, slope, step in zip(forms, slopes, steps, strict=True):
        played.append(x)
        down = _slope(A, slope, x)
        x = projection(corners, [entry - step * g for entry, g in zip(x, down, strict=True)])
    return _regret(corners, forms, slopes, played)


@primitive(ranks=(2, 3, 2, 0, 0, 1), latex=REGRET)
def newton_regret(F: Any, Q: Any, b: Any, rate: Any, ridge: Any, first: Any) -> Any:
    """Regret of the online Newton step on the hull of the rows of F.

    A_t = ridge I + sum_{s <= t} g_s g_s^T for the gradients g_s at the points played; x_{t+1} is
    the point of the hull nearest to x_t - A_t^{-1} g_t / rate in the norm of A_t.

    Source: Hazan, Agarwal, Kale, Machine Learning 69 (2007) 169-192, Figure 2.
    """
    corners, slopes, x = F.tolist(), b.tolist(), list(first)
    size, played = len(x), []
    A = _lifted(fmpq_mat(size, size), ridge)
    for form, slope in zip(Q, slopes, strict=True):
        played.append(x)
        g = _slope(form, slope, x)
        A += fmpq_mat(size, 1, g) * fmpq_mat(1, size, g)
        # Nearest in the norm of A to x - A^{-1} g / rate: least z^T A z / 2 - (A x - g / rate)^T z.
        right = [entry - step / rate for entry, step in zip(_times(A, x), g, strict=True)]
        x = least_point(corners, A, [-entry for entry in right])
    return _regret(corners, Q, slopes, played)
