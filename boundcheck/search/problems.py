"""False inequalities of the literature in the language of expressions, for the search benchmark.

Each is a claim that fails somewhere, and the largest ratio of left over right that is known there
in worlds of the stated size. Ratios above 1 refute.
"""

from __future__ import annotations

import math
from typing import Any

from flint import arb, fmpq
from sympy import Abs, Expr, Max, Rational, Symbol, exp, sqrt

from boundcheck.claim import Claim, Holds, Place
from boundcheck.expressions import (
    average,
    greatest,
    index,
    inner,
    largest_eigenvalue,
    norm,
    operator_norm,
    outcome,
    probability,
    smallest_eigenvalue,
    table,
    total,
    world,
)
from boundcheck.settings.concentration import i, n, signs, t
from boundcheck.settings.matrices import several
from boundcheck.worlds import Integer, Matrix, Real, Signs, Symmetric, Vector

HILBERT, SHAPIRO = 48, 14  # sizes


def false_claims(place: Place) -> list[tuple[str, Claim, float]]:
    """(name, claim, largest ratio known) of every one."""
    made = (
        ("matrix Chernoff without dimension", _chernoff(), math.exp(1 / 2)),
        (f"Hilbert, constant 2, {HILBERT} terms", _hilbert(), 2.069501 / 2),
        ("contraction with absolute values, factor 1", _contraction(), 4 / 3),
        (f"Shapiro, n = {SHAPIRO}", _shapiro(), 1.0),
        ("Tomaszewski, 0.51", _tomaszewski(), 1.02),
        ("Grothendieck, constant 1, 2 x 2", _grothendieck(), math.sqrt(2)),
        ("Davis-Kahan, constant 1", _davis_kahan(), 2.0),
    )
    found = [(name, Claim(place, Holds(statement), given=given), best)
             for name, (statement, given), best in made]  # fmt: skip
    return [*found, ("Berry-Esseen, 0.40, n <= 10", _berry_esseen(place), 0.40650754 / 0.40)]


Statement = tuple[Any, list[Any]]


def _chernoff() -> Statement:
    """P(lambda_max(sum xi_i A_i) >= t) <= exp(-t^2 / (2 v)), the dimension forgotten."""
    matrices = several("A", n)
    v = operator_norm(total(matrices[i] ** 2, i))
    tail = probability(largest_eigenvalue(total(signs[i] * matrices[i], i)) >= t, signs)
    return tail <= exp(-(t**2) / (2 * v)), [v > 0]


def _hilbert() -> Statement:
    """sum a_i b_j / (i + j + 1) <= 2 ||a|| ||b||; the constant is pi."""
    a, b = (world(name, Vector(HILBERT, 0)) for name in "ab")
    row, col = index("row", HILBERT), index("col", HILBERT)
    form = total(a[row] * total(b[col] / (row + col + 1), col), row)
    return form <= 2 * norm(a) * norm(b), []


def _contraction() -> Statement:
    """E sup |sum xi_i |x_i|| <= E sup |sum xi_i x_i| over the rows x of a matrix."""
    rows, cols = 4, 3
    T = world("T", Matrix(rows, cols))
    xi = outcome("xi", Signs("xi", world("m", Integer(cols, cols))))
    k, j = index("k", rows), index("j", cols)

    def width(entry: Expr) -> Expr:
        return average(greatest(Abs(total(xi[j] * entry, j)), k), xi)

    return width(Abs(T[k, j])) <= width(T[k, j]), []


def _shapiro() -> Statement:
    """n / 2 <= sum x_i / (x_{i+1} + x_{i+2}), which fails first at n = 14."""
    x = world("x", Vector(SHAPIRO, 0, searched=("1/1000", 1), open_low=True))
    terms = [x[k] / (x[(k + 1) % SHAPIRO] + x[(k + 2) % SHAPIRO]) for k in range(SHAPIRO)]
    return sum(terms[1:], terms[0]) >= Rational(SHAPIRO, 2), []


def _tomaszewski() -> Statement:
    """P(|sum a_i xi_i| <= ||a||) >= 0.51; 1/2 is right."""
    a = world("a", Vector(n))
    return probability(Abs(inner(a, signs)) <= norm(a), signs) >= Rational(51, 100), []


def _grothendieck() -> Statement:
    """sum A_ij <u_i, v_j> <= max over signs of sum A_ij s_i t_j, times the largest norms."""
    A, U, V = (world(name, Matrix(2, 2)) for name in ("A", "U", "V"))
    form = sum(A[p, q] * (U[p, 0] * V[q, 0] + U[p, 1] * V[q, 1]) for p in (0, 1) for q in (0, 1))
    best = Max(*(
        Abs(A[0, 0] + s * A[1, 0]) + Abs(A[0, 1] + s * A[1, 1]) for s in (1, -1)
    ))  # fmt: skip
    longest = [sqrt(Max(*(M[p, 0] ** 2 + M[p, 1] ** 2 for p in (0, 1)))) for M in (U, V)]
    return form <= best * longest[0] * longest[1], []


def _davis_kahan() -> Statement:
    """sin of the angle between leading eigenvectors, times the gap of A, <= ||A - B||; 2 x 2."""
    A, B = (world(name, Symmetric(2)) for name in "AB")
    p, q = index("p", 2), index("q", 2)
    gaps = [largest_eigenvalue(M) - smallest_eigenvalue(M) for M in (A, B)]
    parts = [
        (M[p, q] - smallest_eigenvalue(M) * (1 - Abs(p - q))) / gap
        for M, gap in zip((A, B), gaps, strict=True)
    ]  # fmt: skip
    sine = operator_norm(table(parts[0] - parts[1], p, q))
    return sine * gaps[0] <= operator_norm(A - B), [gap > 0 for gap in gaps]


def kolmogorov_distance(p: Any, m: Any) -> arb:
    """sup |F_m - Phi| of m centred Bernoulli variables, in units of their third moment's bound.

    The distance times sigma^3 sqrt(m) / rho, which Berry and Esseen bound by a constant.
    """
    chance, q = fmpq(p), 1 - fmpq(p)
    spread = arb(chance * q).sqrt()
    below, worst = fmpq(0), arb(0)
    for k in range(m + 1):
        place = (k - m * chance) / (spread * arb(m).sqrt())
        normal = (1 + (place / arb(2).sqrt()).erf()) / 2
        above = below + math.comb(m, k) * chance**k * q ** (m - k)
        worst = worst.max(abs(normal - below)).max(abs(normal - above))
        below = above
    return worst * spread * arb(m).sqrt() / (chance**2 + q**2)


def _berry_esseen(place: Place) -> Claim:
    """The distance to the normal law <= 0.40 rho / (sigma^3 sqrt m); .4097 is needed."""
    distance, chance, m = (Symbol(name, real=True) for name in ("distance", "p", "m"))
    return Claim(
        place, Holds(distance <= Rational(2, 5)),
        parameters={chance: Real(0, 1, open_low=True, open_high=True), m: Integer(1, 10)},
        measure={distance: kolmogorov_distance},
    )  # fmt: skip
