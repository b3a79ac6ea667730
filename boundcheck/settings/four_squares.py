"""The planar law of four separated squares under a Gaussian kernel: norms and minimisers.

x is uniform on the squares [-1, -.1] or [.1, 1] in either coordinate; P(Y = 1 | x) is `LIKELIER` on
two of them and 1 - LIKELIER on the others, diagonal or side by side; the loss is logistic. Runs on
this law are in `boundcheck.experiments.four_squares`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import sympy
from flint import arb, fmpq
from sympy import Abs, Min, Rational, exp, log, sqrt

from boundcheck.errors import Undecided
from boundcheck.expressions import define, index, multiplied, primitive
from boundcheck.expressions.symbols import Known
from boundcheck.quantities import four_cells

LIKELIER = Rational(4, 5)
GAP = Rational(1, 5)  # between two squares
HEIGHT = log(LIKELIER / (1 - LIKELIER))  # of the Bayes rule: log 4 or -log 4
margin = define(
    "margin", Min(*[Abs(chance - Rational(1, 2)) for chance in (LIKELIER, 1 - LIKELIER)]),
    latex=r"\min_x|\mathbb{P}(Y=1\mid x)-\tfrac12|", says="Over the squares.",
)  # fmt: skip


def jump_norm(order: Known, width: sympy.Expr, gap: sympy.Expr, jump: sympy.Expr) -> sympy.Expr:
    """Lower bound of the RKHS norm of a function that is constant on an interval and differs by
    `jump` from that constant at distance `gap` from it.

    All derivatives of f - f(0) vanish at the end 0 of the interval, and those of f are at most
    ||f|| (1 3 .. (2 k - 1))^(1/2) / width^k, so by Taylor's formula with k = `order`
        |jump| <= ||f|| (1 3 .. (2 k - 1))^(1/2) (gap / width)^k / k!.
    The bound tends to infinity with k, whatever the width: no such f has a finite norm.
    """
    j = index("j", order)
    return Abs(jump) * sqrt(multiplied((width / gap * (j + 1)) ** 2 / (2 * j + 1), j))


@primitive(ranks=(0,), facts=("nonnegative",), units="none", batch=four_cells.float_norm_bound)
def norm_bound(ridge: Any) -> arb:
    """Upper bound of ||g_lambda||, any kernel of height one and either layout."""
    return four_cells.norm_bound(fmpq(ridge))


def corner_distance(width: sympy.Expr, ridge: sympy.Expr) -> sympy.Expr:
    """Lower bound of sup |g_lambda - g_*|, diagonal squares.

    Reflections turn the law into the one with labels exchanged, so g_lambda is odd in either
    coordinate; at the corner (1/10, 1/10) |g_lambda| <= ||g_lambda|| (1 - exp(-1 / (50 w^2))) / 2,
    the norm of the odd part of the kernel there.
    """
    ceiling = define("norm_bound", norm_bound.of(ridge), latex=r"\max\|g_\lambda\|_H")
    return HEIGHT - ceiling * (1 - exp(-1 / (50 * width**2))) / 2


@primitive(latex=r"\min_{{width,\,layout}}\left\|g_\lambda-g_*\right\|_\infty")
def least_distance(ridge: Any, nodes: Any, *widths: Any) -> arb:
    """The least sup |g_lambda - g_*| over widths and layouts, for the law of the squares.

    Raises: Undecided, with what it is for a quadrature law of 4 nodes^2 points: that is not
    certified for the law itself.
    """
    found = _least_on_nodes(fmpq(ridge), int(nodes), tuple(float(width) for width in widths))
    raise Undecided(
        f"for a law on {2 * int(nodes)} x {2 * int(nodes)} nodes the least distance over "
        f"{len(widths)} widths and both layouts is {found:.3f}; for the law itself it is not "
        "certified"
    )


@cache
def _least_on_nodes(ridge: fmpq, nodes: int, widths: tuple[float, ...]) -> float:
    return min(
        float(four_cells.regularisation_distance(layout, width, ridge, nodes).mid())
        for layout in four_cells.LAYOUTS
        for width in widths
    )
