"""Fourier features on the line: waves, spectra, kernels on grids, interpolation of sup norms.

A spectrum has frequencies w_k with weights tau_k; complex values are those of `complex_features`.
A grid has equally spaced points in [0, 1], of which the second half may be moved right by a gap.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy
from flint import arb, fmpq
from sympy import Eq, Max, Piecewise, cos, exp, sin, sqrt

from boundcheck.arithmetic import whole
from boundcheck.expressions import (
    entry,
    greatest,
    identity,
    index,
    indicator,
    named,
    primitive,
    solution,
    table,
    total,
    world,
)
from boundcheck.expressions.lazy_imports import numpy
from boundcheck.expressions.symbols import Known
from boundcheck.settings.complex_features import Complex
from boundcheck.worlds import Integer, Real, Vector, Weights

Function = Callable[[sympy.Expr], sympy.Expr]
K = world("K", Integer(1, searched=3), says="Number of frequencies.")
tau = world("tau", Weights(K), says="Their weights.")
w = world("frequencies", Vector(K, searched=(0, 12)), latex=r"\omega", says="The frequencies.")
k, l = index("k", K), index("l", K)
h = world("h", Real(0, None, open_low=True, searched=("1/20", 3)), says="Length of [0, h].")

points = world("points", Integer(4, searched=12), says="Number of points of a grid.")
gap = world("gap", Real(0, None, searched=(0, 3)), says="Width of the hole in the grid.")
i, j = index("i", points), index("j", points)


def power_of_i(half: sympy.Expr, odd: sympy.Expr) -> Complex:
    """i^(2 half + odd) for odd 0 or 1."""
    sign = (-1) ** half
    return Complex(sign * (1 - odd), sign * odd)


def wave(angle: sympy.Expr) -> Complex:
    """e^{i angle}."""
    return Complex(cos(angle), sin(angle))


def wave_integral(frequency: sympy.Expr) -> Complex:
    """int_0^h e^{i w x} dx."""
    still, angle = Eq(frequency, 0), frequency * h
    real = Piecewise((h, still), (sin(angle) / frequency, True))
    return Complex(real, Piecewise((0, still), ((1 - cos(angle)) / frequency, True)))


def squared_integral(g: Callable[[Known], Complex], order: sympy.Expr) -> sympy.Expr:
    """int_0^h of the squared derivative of sum_k 2 Re g_k e^{i w_k x}.

    Re z Re z' = (Re z z' + Re z conj z') / 2, and two derivatives of an order turn by (-1)^order.
    """
    both = g(k) * g(l) * wave_integral(w[k] + w[l])
    apart = g(k) * g(l).conj * wave_integral(w[k] - w[l])
    return 2 * total((w[k] * w[l]) ** order * ((-1) ** order * both.re + apart.re), k, l)


def moment(weight: Function, order: sympy.Expr) -> sympy.Expr:
    """sum_k weight_k w_k^(2 order)."""
    return total(weight(k) * w[k] ** (2 * order), k)


def place(at: sympy.Expr) -> sympy.Expr:
    """The point of the grid at a place."""
    return at / (points - 1) + gap * indicator(2 * at >= points)


def on_grid(kernel: Function) -> sympy.Expr:
    """The matrix of a shift-invariant kernel on the grid."""
    return table(kernel(place(i) - place(j)), i, j)


def gaussian(width: sympy.Expr) -> Function:
    """exp(-x^2 / (2 width^2))."""
    return lambda x: exp(-(x**2) / (2 * width**2))


def mixture(x: sympy.Expr) -> sympy.Expr:
    """sum_k tau_k cos(w_k x): the kernel of a symmetric spectrum."""
    return total(tau[k] * cos(w[k] * x), k)


def with_feature(gram: sympy.Expr, frequency: sympy.Expr) -> sympy.Expr:
    """Real form of k + e^{i w (x - y)} on the grid: one drawn Fourier feature."""
    real = on_grid(lambda x: cos(frequency * x))
    return Complex(gram + real, on_grid(lambda x: sin(frequency * x))).realified


EXPONENT = index("exponent", 12)


def interpolation_ratio(
    gram: sympy.Expr, theta: sympy.Expr, size: sympy.Expr = points
) -> sympy.Expr:
    """The largest |f(x)| / (||f||_H^theta ||f||_2^(1-theta)) over f and x, L2 of uniform weights.

    For each t the largest |f(x)|^2 / (||f||_H^2 + t ||f||_2^2) is the diagonal of
    K - K (K + (points / t) I)^{-1} K; t runs over powers of four. By the inequality of arithmetic
    and geometric means the ratio is the largest such value times t^(1 - theta) and a constant of
    theta (left out, being between 1 and sqrt 2). Args: size: of the matrix.
    """
    t = 4**EXPONENT
    shifted = gram + points / t * identity(size)
    rest = named("rest", gram - gram * solution(shifted, gram))
    return sqrt(greatest(Max(0, greatest(entry(rest, i, i), i)) * t ** (1 - theta), EXPONENT))


def peak_ratio(m: sympy.Expr, theta: sympy.Expr) -> sympy.Expr:
    """A lower bound of sup |f| / (||f||_H^theta ||f||_2^(1-theta)) for one peaked f.

    Kernel sum_k tau_k cos(k (x - y)), tau_k proportional to exp(-sqrt |k|) on the integers: every
    moment is finite. rho is uniform on the union of the intervals [1/l, 1/l + 2^(-l^2)], l >= 1.
    f(x) = T_N(a (1 + cos x) - 1) / T_N(2 a - 1), N = m^3, r = 1 / m, a = 1 / cos(r / 2)^2, T_N the
    Chebyshev polynomial: f(0) = 1 is the supremum, and |f| <= 1 / T_N(2 a - 1) where
    r <= x <= 2 pi - r. So ||f||_2^2 is at most the share of rho left of r, of intervals l > m
    below 2^(1 - (m + 1)^2) of the first, 1/2, plus that squared. With z = 2 a - 1, which is
    1 + 2 tan(r / 2)^2 >= 1 + r^2 / 2, T_N(z) >= (z + sqrt(z^2 - 1))^N / 2 >= (1 + r)^N / 2. And
    ||f||_H^2 is at most the mean of f^2 over a period over the least of tau_0, ..., tau_N. The
    normaliser of tau is at most 1 + 2 int exp(-sqrt t) dt = 5.
    """
    degree = m**3
    growth = (1 + 1 / m) ** degree
    squared_l2 = 4 / 2 ** ((m + 1) ** 2) + 4 / growth**2
    squared_norm = 5 * exp(sqrt(degree))
    return squared_norm ** (-theta / 2) * squared_l2 ** ((theta - 1) / 2)


def _batched_quantile(delta: Any) -> Any:
    from scipy.special import erfcinv

    return erfcinv(delta) * 2**0.5


@primitive(ranks=(0,), units="none", batch=_batched_quantile, latex=r"z_{{{0}}}",
           facts=("nonnegative",))  # fmt: skip
def normal_quantile(delta: Any) -> Any:
    """The number that |Z| exceeds with probability delta, Z standard normal."""
    return arb(delta).erfcinv() * arb(2).sqrt()


def _batched_turn(s: Any, x: Any) -> Any:
    angle = 2 * numpy.arctan(s) * x
    return numpy.stack([numpy.cos(angle), numpy.sin(angle)], -1)


@primitive(ranks=(0, 0), rank=1, units="none", batch=_batched_turn, shape=lambda s, x: (2,),
           latex=r"e^{{i{1}\omega({0})}}")  # fmt: skip
def circle_point(s: Any, x: Any) -> Any:
    """(cos w x, sin w x) for the angle w with tan(w / 2) = s and an integer x: rational."""
    turn, scale = whole(x), 1 + s * s
    c, d = (1 - s * s) / scale, (2 * s if turn > 0 else -2 * s) / scale
    point = (fmpq(1), fmpq(0))
    for _ in range(abs(turn)):
        point = (point[0] * c - point[1] * d, point[0] * d + point[1] * c)
    return point


@primitive(ranks=(0,), units="none", batch=lambda turns: numpy.cos(2 * numpy.pi * turns),
           latex=r"\cos 2\pi {0}")  # fmt: skip
def cosine_of_turns(turns: Any) -> Any:
    """cos(2 pi q) for rational q; rational for denominators 1, 2, 3, 4 and 6.

    Source: Niven, Irrational Numbers (1956), Corollary 3.12: no others are.
    """
    part = fmpq(turns) - fmpq(turns).floor()
    known = {1: {0: 1}, 2: {1: -1}, 3: {1: -HALF, 2: -HALF}, 4: {1: 0, 3: 0}, 6: {1: HALF, 5: HALF}}
    found = known.get(int(part.q), {}).get(int(part.p))  # type: ignore[attr-defined]
    return arb.cos_pi_fmpq(2 * part) if found is None else fmpq(found)


HALF = fmpq(1, 2)
