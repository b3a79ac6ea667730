"""Sobolev and interpolation norms on intervals and grids, and Gaussian spectra.

Trigonometric sums are sum_j a_j cos(w_j x) + b_j sin(w_j x) on [0, h]; values are rationals or
balls.
"""

from __future__ import annotations

from typing import Any

from flint import arb, arb_mat, fmpq

from boundcheck.quantities.losses import largest


def _cosine_integral(w: Any, h: Any) -> arb:
    """int_0^h cos(w x) dx."""
    return arb(h) if w == 0 else (arb(w) * arb(h)).sin() / w


def _sine_integral(w: Any, h: Any) -> arb:
    """int_0^h sin(w x) dx."""
    return arb(0) if w == 0 else (1 - (arb(w) * arb(h)).cos()) / w


def squared_integral(frequencies: Any, cosines: Any, sines: Any, h: Any) -> arb:
    """int_0^h (sum_j a_j cos(w_j x) + b_j sin(w_j x))^2 dx by products to sums."""
    total = arb(0)
    terms = list(zip(frequencies, cosines, sines, strict=True))
    for u, a, b in terms:
        for v, c, d in terms:
            total += (a * c / 2) * (_cosine_integral(u - v, h) + _cosine_integral(u + v, h))
            total += (b * d / 2) * (_cosine_integral(u - v, h) - _cosine_integral(u + v, h))
            total += (b * c) * (_sine_integral(u + v, h) + _sine_integral(u - v, h)) / 2
            total += (a * d) * (_sine_integral(v + u, h) + _sine_integral(v - u, h)) / 2
    return total


def differentiated(frequencies: Any, cosines: Any, sines: Any, order: int) -> tuple[Any, Any]:
    """Coefficients (cosines, sines) of the derivative of a trigonometric sum."""
    for _ in range(order):
        cosines, sines = (
            [w * b for w, b in zip(frequencies, sines, strict=True)],
            [-w * a for w, a in zip(frequencies, cosines, strict=True)],
        )
    return cosines, sines


def grid_points(size: int, gap: Any = 0) -> list[fmpq]:
    """`size` equally spaced points of [0, 1], the second half moved to the right by a gap."""
    step = fmpq(1, max(size - 1, 1))
    return [i * step + (fmpq(gap) if 2 * i >= size else 0) for i in range(size)]


def gaussian_gram(size: int, width: Any, gap: Any = 0) -> arb_mat:
    """exp(-(x - y)^2 / (2 width^2)) on the points of a grid."""
    points = grid_points(size, gap)
    return arb_mat(size, size, [
        (-arb(x - y) ** 2 / (2 * arb(width) ** 2)).exp() for x in points for y in points
    ])  # fmt: skip


def with_frequency(gram: arb_mat, frequency: Any, gap: Any = 0) -> arb_mat:
    """The real 2n x 2n form of k + e^{i w (x - y)} on the same grid: one drawn Fourier feature."""
    size = gram.nrows()
    points = grid_points(size, gap)
    whole = arb_mat(2 * size, 2 * size)
    for i in range(size):
        for j in range(size):
            angle = arb(frequency) * (points[i] - points[j])
            real, imaginary = gram[i, j] + angle.cos(), angle.sin()
            whole[i, j] = whole[size + i, size + j] = real
            whole[i, size + j], whole[size + i, j] = -imaginary, imaginary
    return whole


def interpolation_ratio(gram: arb_mat, points: int, theta: Any) -> arb:
    """The largest |f(x)| / (||f||_H^theta ||f||_2^(1-theta)) over f and x, L2 of uniform weights.

    For each t the largest |f(x)|^2 / (||f||_H^2 + t ||f||_2^2) is the diagonal of
    K - K (K + (points / t) I)^{-1} K; t runs over powers of two. By the inequality of arithmetic
    and geometric means the ratio is the largest such value times t^(1 - theta) and a constant of
    theta (left out, being between 1 and sqrt 2).
    """
    size = gram.nrows()
    found = []
    for exponent in range(0, 24, 2):
        t = 2**exponent
        shifted = arb_mat(size, size, [
            gram[i, j] + (arb(points) / t if i == j else 0)
            for i in range(size) for j in range(size)
        ])  # fmt: skip
        rest = gram - gram * shifted.solve(gram)
        top = largest(rest[i, i] for i in range(points))
        found.append(top.nonnegative_part() * arb(t) ** (1 - arb(theta)))
    return largest(found).sqrt()


def peak_ratio(index: int, theta: Any) -> arb:
    """A lower bound of sup |f| / (||f||_H^theta ||f||_2^(1-theta)) for one peaked f.

    Kernel sum_k tau_k cos(k (x - y)), tau_k proportional to exp(-sqrt |k|) on the integers: every
    moment is finite. rho is uniform on the union of the intervals [1/l, 1/l + 2^(-l^2)], l >= 1.
    f(x) = T_N(a (1 + cos x) - 1) / T_N(2 a - 1), N = index^3, r = 1 / index, a = 1 / cos(r / 2)^2,
    T_N the Chebyshev polynomial: f(0) = 1 is the supremum, and |f| <= 1 / T_N(2 a - 1) where
    r <= x <= 2 pi - r. So ||f||_2^2 is at most the share of rho left of r plus that squared, and
    ||f||_H^2 at most the mean of f^2 over a period over the least of tau_0, ..., tau_N. The
    normaliser of tau is at most 1 + 2 int exp(-sqrt t) dt = 5.
    """
    degree = index**3
    a = 1 / (arb(fmpq(1, 2 * index)).cos() ** 2)
    top = (degree * (2 * a - 1).acosh()).cosh()
    # Left of r lie the intervals l > index, of total length below 2^(1 - (index + 1)^2); the whole
    # support is longer than its first interval, 1/2.
    near = fmpq(4, 2 ** ((index + 1) ** 2))
    squared_l2 = near + 1 / top**2
    squared_norm = 5 * arb(degree).sqrt().exp()
    share = arb(fmpq(theta))
    return 1 / (squared_norm ** (share / 2) * squared_l2 ** ((1 - share) / 2))


def normal_quantile(delta: Any, width: Any) -> arb:
    """The number exceeded by |w| with probability delta, w normal with deviation 1 / width."""
    return arb(delta).erfcinv() * arb(2).sqrt() / arb(width)
