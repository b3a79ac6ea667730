"""Regularised population minimisers on finite worlds, to certified accuracy.

gram is the kernel matrix on the n points, rho their weights, eta the probabilities of label 1,
lambda_ > 0 the regularisation; the objective is E phi(Y g(X)) + lambda/2 ||g||^2 over the RKHS of
gram. Losses are those of `losses`. phi is the feature matrix (n x K).
"""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import flint
from flint import arb, arb_mat, fmpq, fmpq_mat

from boundcheck.arithmetic import key_of
from boundcheck.errors import Undecided, Undefined
from boundcheck.exact import is_exact, sign, square_root, to_ball, to_float
from boundcheck.quantities import batched_losses as floats, losses
from boundcheck.quantities.base import facts, quantity
from boundcheck.quantities.batched_losses import conditional_curvature
from boundcheck.quantities.batched_minimisers import (
    batched_coefficients,
    kinked_slopes,
    newton,
    proximal_descent,
)
from boundcheck.quantities.operators import column, diagonal, dot, entries
from boundcheck.quantities.rkhs import float_least_norm, submatrix


class Fit(NamedTuple):
    """An element sum_j a_j k(., x_j) within a certified RKHS distance of the minimiser.

    Args:
        coefficients: a, n scalars; values: certified values on the points (balls or rationals);
        norm: certified RKHS norm; error: the RKHS distance bound, 0 if exact.
    """

    coefficients: tuple[Any, ...]
    values: tuple[Any, ...]
    norm: Any
    error: Any


def feature_kernel(phi: fmpq_mat, weights: Any) -> fmpq_mat:
    """sum_k w_k phi(x, k) phi(y, k): the kernel of features with weights."""
    return phi * diagonal(tuple(weights)) * phi.transpose()


SMALLEST = 1e-100
START = 2.0**-24  # relative step of the floats from which balls go on: they gain as much each time
_KEPT: dict[tuple[Any, ...], Fit] = {}


@quantity(
    estimator=batched_coefficients, rank=None, latex=r"g_{{{3}}}\left[{0}\right]",
    text=lambda shown: f"minimiser({shown[0]}, {shown[3]})",
)  # fmt: skip
def regularised_minimiser(
    gram: fmpq_mat, rho: Any, eta: Any, lambda_: Any, loss: str, height: Any, stretch: Any
) -> Fit:
    """The minimiser over the RKHS of gram; exact for losses with kinks, else to a certified ball.

    The representer theorem gives g = sum_j a_j k(., x_j) with lambda a_j = -rho_j d_j, d_j a
    subgradient of the conditional risk at g(x_j).
    Raises: Undefined unless lambda_ > 0; Undecided where it is no rational that floats reach, from
    which the iterations start.
    """
    if sign(lambda_) in (0, -1):
        raise Undefined("no regularisation")
    if not is_exact(lambda_) or not SMALLEST < to_float(lambda_) < 1 / SMALLEST:
        raise Undecided("a regularisation beyond the range of floats")
    key = key_of(gram, rho, eta, lambda_, loss, height, stretch, flint.ctx.prec)
    if key not in _KEPT:
        if len(_KEPT) > 4000:
            _KEPT.clear()
        solve = _smooth if loss in losses.SMOOTHNESS else _piecewise_linear
        _KEPT[key] = solve(gram, rho, eta, fmpq(lambda_), loss, fmpq(height), fmpq(stretch))
    return _KEPT[key]


def _smooth(
    gram: fmpq_mat, rho: Any, eta: Any, lam: fmpq, loss: str, height: fmpq, stretch: fmpq
) -> Fit:
    """Newton's method, then an a-posteriori bound by strong convexity.

    With r = a + D d(K a) / lambda the gradient at g = K a is lambda sum_j r_j k(., x_j), so
    ||g - minimiser|| <= ||gradient|| / lambda = sqrt(r^T K r).
    """
    start, inverse = _float_newton(gram, rho, eta, lam, loss, height, stretch)
    size = gram.nrows()
    kernel = arb_mat(gram)

    def residual(a: list[Any]) -> list[arb]:
        values = entries(kernel * arb_mat(size, 1, a))
        return [
            a[j] + losses.conditional_slope(loss, height, stretch, eta[j], values[j])
            * rho[j] / lam
            for j in range(size)
        ]  # fmt: skip

    def bound(r: list[arb]) -> arb:
        return dot(r, entries(kernel * arb_mat(size, 1, r))).abs_upper().sqrt().abs_upper()

    a = [arb(float(v)) for v in start]
    r = residual(a)
    best, error = a, bound(r)
    correction = arb_mat(size, size, [arb(float(v)) for v in inverse.ravel()])
    for _ in range(60):
        step = entries(correction * arb_mat(size, 1, r))
        a = [(x - s).mid() for x, s in zip(a, step, strict=True)]
        r = residual(a)
        new = bound(r)
        if not new < error:
            break
        best, error = a, new
    return _fit(kernel, tuple(best), error)


def _fit(kernel: Any, coefficients: tuple[Any, ...], error: Any) -> Fit:
    values = entries(kernel * column(coefficients))
    norm = square_root(dot(coefficients, values))
    if not is_exact(error):
        values = tuple(
            value + arb(0, (error * kernel[j, j].nonnegative_part().sqrt()).abs_upper())
            for j, value in enumerate(values)
        )
        norm = (norm + arb(0, error)).nonnegative_part()
    return Fit(coefficients, values, norm, error)


def _in_floats(gram: fmpq_mat, rho: Any, eta: Any, lam: fmpq) -> tuple[Any, Any, Any]:
    """Kernel matrix, weights over lambda and label probabilities as arrays."""
    import numpy

    size = gram.nrows()
    kernel = numpy.array([to_float(v) for v in gram.entries()]).reshape(size, size)
    weights = numpy.array([to_float(v) for v in rho]) / to_float(lam)
    return kernel, weights, numpy.array([to_float(v) for v in eta])


def _float_newton(
    gram: fmpq_mat, rho: Any, eta: Any, lam: fmpq, loss: str, height: fmpq, stretch: fmpq
) -> tuple[Any, Any]:
    """Damped Newton in floats: coefficients and the inverse Jacobian of the residual.

    Raises: Undecided where floats do not reach.
    """
    import numpy

    kernel, weights, labels = _in_floats(gram, rho, eta, lam)
    a = newton(
        kernel[None], weights, labels, loss, to_float(height), to_float(stretch), spacing=START
    )[0]
    curvature = conditional_curvature(loss, to_float(height), to_float(stretch), labels, kernel @ a)
    jacobian = numpy.eye(len(kernel)) + (weights * curvature)[:, None] * kernel
    if not numpy.isfinite(jacobian).all():
        raise Undecided("no minimiser in floats to start from")
    return a, numpy.linalg.pinv(jacobian)


def _piecewise_linear(
    gram: fmpq_mat, rho: Any, eta: Any, lam: fmpq, loss: str, height: fmpq, stretch: fmpq
) -> Fit:
    """Active sets, exactly: every point has one of three slopes or sits on one of two kinks.

    Some solution has a regular kernel block on its kinks (a vertex of the solution polytope), so
    trying all patterns finds the minimiser; that of floats comes first.
    """
    size = gram.nrows()
    likely = _float_pattern(gram, rho, eta, lam, loss, height, stretch)
    slopes = [kinked_slopes(loss, height, stretch, fmpq(e)) for e in eta]
    for pattern in itertools.chain([likely], itertools.product((1, 3, 4, 0, 2), repeat=size)):
        fixed = [j for j in range(size) if pattern[j] < 3]
        kinks = [j for j in range(size) if pattern[j] >= 3]
        a = [fmpq(0)] * size
        for j in fixed:
            a[j] = -rho[j] * slopes[j][pattern[j]] / lam
        if kinks:
            block = submatrix(gram, kinks, kinks)
            if block.det() == 0:
                continue
            wanted = [
                (stretch if pattern[j] == 4 else -stretch)
                - sum((gram[j, i] * a[i] for i in fixed), fmpq(0))
                for j in kinks
            ]
            for j, value in zip(kinks, entries(block.inv() * column(wanted)), strict=True):
                a[j] = value
        values = entries(gram * column(a))
        if all(
            _is_subgradient(-lam * a[j], rho[j], slopes[j], values[j], stretch)
            for j in range(size)
        ):
            return _fit(gram, tuple(a), 0)
    raise AssertionError("no active set solves a convex problem")


def _float_pattern(
    gram: fmpq_mat, rho: Any, eta: Any, lam: fmpq, loss: str, height: fmpq, stretch: fmpq
) -> tuple[int, ...]:
    """The slope (0, 1, 2) or the kink (3, 4) of every point at the minimiser in floats."""
    import numpy

    kernel, weights, labels = _in_floats(gram, rho, eta, lam)
    kink = to_float(stretch)
    values = kernel @ proximal_descent(
        kernel[None], weights, labels, loss, to_float(height), kink
    )[0]  # fmt: skip
    near = 1e-9 * (kink + abs(values).max())
    low, high = abs(values + kink) <= near, abs(values - kink) <= near
    slope = (values > -kink) * 1 + (values > kink)
    return tuple(int(at) for at in numpy.where(low, 3, numpy.where(high, 4, slope)))


def _is_subgradient(scaled: fmpq, weight: fmpq, slopes: Any, value: fmpq, kink: fmpq) -> bool:
    """Whether scaled / weight lies in the subdifferential at a value."""
    left, middle, right = (weight * slope for slope in slopes)
    if value < -kink:
        return scaled == left
    if value == -kink:
        return left <= scaled <= middle
    if value < kink:
        return scaled == middle
    if value == kink:
        return middle <= scaled <= right
    return scaled == right


def _applied(gram: Any, a: Any) -> Any:
    return (gram @ a[..., None])[..., 0]


def _length(gram: Any, a: Any) -> Any:
    return (a * _applied(gram, a)).sum(-1).clip(0) ** 0.5


@quantity(
    estimator=_applied, rank=1, ranks=(2, None), latex="{1}", text=lambda s: f"values({s[1]})"
)
def fitted_values(gram: Any, fit: Fit) -> tuple[Any, ...]:
    """Values of a minimiser on the points."""
    return fit.values


@quantity(estimator=_length, ranks=(2, None), latex=r"\left\|{1}\right\|")
@facts("nonnegative")
def fitted_norm(gram: Any, fit: Fit) -> Any:
    """RKHS norm of a minimiser."""
    return fit.norm


@quantity(estimator=lambda fit: fit, rank=1, latex="{0}")
def coefficients_of(fit: Fit) -> tuple[Any, ...]:
    """Coefficients of an element within the certified distance of the minimiser."""
    return fit.coefficients


def regular_points(gram: fmpq_mat) -> list[int]:
    """Indices of a largest set of points with a regular kernel block (pivots of the echelon)."""
    reduced, rank = gram.rref()
    found = []
    for i in range(rank):
        found.append(next(j for j in range(gram.ncols()) if reduced[i, j] != 0))
    return found


@quantity(
    estimator=lambda gram, values: float_least_norm(gram, values) ** 0.5, ranks=(2, 1),
    units=lambda gram, values: values - gram / 2, latex=r"\left\|{1}\right\|_{{{0}}}",
)  # fmt: skip
@facts("nonnegative")
def norm_of_values(gram: fmpq_mat, values: Any) -> Any:
    """RKHS norm of the function with these values, which must be in the span of the kernel.

    For positive semi-definite K and pivots S it is sqrt(f_S^T K_SS^{-1} f_S); values may be balls.
    """
    kept = regular_points(gram)
    if not kept:
        return fmpq(0)
    picked = [values[j] for j in kept]
    solved: Any = submatrix(gram, kept, kept).inv()
    if not all(is_exact(value) for value in picked):
        solved, picked = arb_mat(solved), [to_ball(value) for value in picked]
    return square_root(dot(picked, entries(solved * column(picked))))


@quantity(
    estimator=lambda gram, fit, coefficients: _length(gram, fit - coefficients),
    ranks=(2, None, 1),
    latex=r"\left\|{1} - {2}\right\|",
)
@facts("nonnegative")
def distance(gram: Any, fit: Fit, coefficients: Any) -> Any:
    """RKHS distance of a minimiser from sum_j b_j k(., x_j)."""
    gaps = [a - b for a, b in zip(fit.coefficients, coefficients, strict=True)]
    if not all(is_exact(gap) for gap in gaps):
        gram, gaps = arb_mat(gram), [to_ball(gap) for gap in gaps]
    length = square_root(dot(gaps, entries(gram * column(gaps))))
    if is_exact(fit.error):
        return length
    return (to_ball(length) + arb(0, fit.error)).nonnegative_part()


def bayes_values(eta: Any, loss: str, height: Any, stretch: Any) -> tuple[Any, ...]:
    """g_* = h(eta) on the points: the minimiser of the expected loss over all functions."""
    return tuple(losses.link(loss, height, stretch, probability) for probability in eta)


@quantity(
    estimator=lambda gram, eta, loss, height, stretch: float_least_norm(
        gram, floats.link(loss, height, stretch, eta)
    ) ** 0.5,
    ranks=(2, 1, None, 0, 0),
    latex=r"\left\|g_*\right\|",
    text=lambda shown: f"bayes_norm({shown[0]})",
)
@facts("nonnegative")
def bayes_norm(gram: fmpq_mat, eta: Any, loss: str, height: Any, stretch: Any) -> Any:
    """||g_*||_H of the kernel matrix.

    Raises: Undefined where a singular kernel matrix does not reach the values of g_*, Undecided
    where balls do not tell.
    """
    values = bayes_values(eta, loss, height, stretch)
    if gram.det() != 0:
        return norm_of_values(gram, values)
    if not all(is_exact(value) for value in values):
        raise Undecided("whether the RKHS of a singular kernel matrix holds the Bayes rule")
    if not reaches(gram, values):
        raise Undefined("the Bayes rule lies outside the RKHS of a singular kernel matrix")
    return norm_of_values(gram, values)


def reaches(gram: fmpq_mat, values: Any) -> bool:
    """Whether rational values on the points are those of an element of the RKHS."""
    kept = regular_points(gram)
    if not kept:
        return not any(values)
    picked = column([values[j] for j in kept])
    coefficients = submatrix(gram, kept, kept).inv() * picked
    whole = submatrix(gram, range(gram.nrows()), kept) * coefficients
    return entries(whole) == tuple(fmpq(value) for value in values)
