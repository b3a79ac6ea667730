"""The planar data law of four separated squares, for kernel classifiers: norms and minimisers.

x is uniform on the union of [-1, -.1] and [.1, 1] squared (four squares); P(Y = 1 | x) is 4/5 on
two squares and 1/5 on the other two, diagonal ("cross") or side by side ("half"). The kernel is
Gaussian, exp(-||x - y||^2 / (2 width^2)). Runs on this law are in `experiments.four_squares`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from flint import arb, arb_mat, fmpq

from boundcheck.expressions.lazy_imports import numpy

LAYOUTS = ("cross", "half")
HIGH, LOW = fmpq(4, 5), fmpq(1, 5)


def positive_cell(layout: str, x: Any) -> Any:
    """Where the likelier label is 1; x is an array (..., 2)."""
    if layout == "cross":
        return x[..., 0] * x[..., 1] < 0
    return x[..., 0] > 0


def quadrature(nodes: int) -> tuple[Any, Any]:
    """Gauss-Legendre product nodes (4 nodes^2, 2) and weights that sum to one."""
    points, weights = numpy.polynomial.legendre.leggauss(nodes)
    right = 0.55 + 0.45 * points
    axis = numpy.concatenate([-right[::-1], right])
    mass = numpy.concatenate([weights[::-1], weights]) / 4
    grid = numpy.stack(numpy.meshgrid(axis, axis, indexing="ij"), axis=-1).reshape(-1, 2)
    return grid, numpy.outer(mass, mass).ravel()


def gaussian_kernel(x: Any, y: Any, width: Any) -> Any:
    """Gaussian kernel matrix of two sets of points."""
    squares = ((x[:, None, :] - y[None, :, :]) ** 2).sum(axis=-1)
    return numpy.exp(-squares / (2 * width**2))


@lru_cache(maxsize=256)
def minimiser_coefficients(layout: str, width: float, lambda_: float, nodes: int) -> Any:
    """Float coefficients of the regularised logistic minimiser of the quadrature law."""
    x, mass = quadrature(nodes)
    eta = numpy.where(positive_cell(layout, x), 0.8, 0.2)
    gram = gaussian_kernel(x, x, width)
    values, vectors = numpy.linalg.eigh(gram)
    kept = values > 1e-13 * values[-1]
    features = vectors[:, kept] * numpy.sqrt(values[kept])
    b = numpy.zeros(kept.sum())
    for _ in range(60):
        chance = 1 / (1 + numpy.exp(-(features @ b)))
        gradient = features.T @ (mass * (chance - eta)) + lambda_ * b
        curvature = mass * chance * (1 - chance)
        hessian = (features.T * curvature) @ features + lambda_ * numpy.eye(len(b))
        step = numpy.linalg.solve(hessian, gradient)
        b -= step
        if numpy.abs(step).max() < 1e-13:
            break
    chance = 1 / (1 + numpy.exp(-(features @ b)))
    return -mass * (chance - eta) / lambda_


def norm_bound(lambda_: fmpq, cells: int = 1000) -> arb:
    """Upper bound of ||g_lambda|| for the law itself, any kernel and layout.

    The derivative of the objective along g_lambda vanishes: lambda ||g||^2 = E m (4/5 - s(m)), m
    the margin of g and s the logistic function; the integrand is positive for 0 < m < log 4 only.
    """
    top, most = arb(4).log(), arb(0)
    for k in range(cells):
        low, high = top * k / cells, top * (k + 1) / cells
        most = most.max(high * (arb(HIGH) - 1 / (1 + (-low).exp())))
    return (most / arb(lambda_)).sqrt()


def float_norm_bound(lambda_: Any, cells: int = 1000) -> Any:
    """The same in floats, for an array of lambdas."""
    top = numpy.log(4.0) * numpy.arange(cells + 1) / cells
    most = (top[1:] * (0.8 - 1 / (1 + numpy.exp(-top[:-1])))).max()
    return numpy.sqrt(most / numpy.asarray(lambda_, float))


def regularisation_distance(layout: str, width: float, lambda_: fmpq, nodes: int) -> arb:
    """sup |g_lambda - g_*| over a grid of the closed squares, enclosed for the quadrature law.

    With coefficients c and r = c + mass (sigma(g) - eta) / lambda the distance to the minimiser is
    at most sum |r| in the supremum, since the kernel is at most one.
    """
    x, mass = quadrature(nodes)
    c = [arb(float(v)) for v in minimiser_coefficients(layout, width, float(lambda_), nodes)]
    size = len(c)
    gram = gaussian_kernel(x, x, width)
    # Float entries of the kernel define the world; what follows is rigorous for it.
    matrix = arb_mat(size, size, [arb(float(v)) for v in gram.ravel()])
    g = (matrix * arb_mat(size, 1, c)).entries()
    positive = positive_cell(layout, x)
    residual = arb(0)
    for k in range(size):
        eta = HIGH if positive[k] else LOW
        chance = 1 / (1 + (-g[k]).exp())
        residual += abs(c[k] + arb(float(mass[k])) * (chance - eta) / arb(lambda_))
    height, worst = arb(4).log(), arb(0)
    axis = numpy.concatenate([numpy.linspace(-1, -0.1, 5), numpy.linspace(0.1, 1, 5)])
    seen = numpy.stack(numpy.meshgrid(axis, axis, indexing="ij"), axis=-1).reshape(-1, 2)
    entries = [arb(float(v)) for v in gaussian_kernel(seen, x, width).ravel()]
    values = (arb_mat(len(seen), size, entries) * arb_mat(size, 1, c)).entries()
    for value, likely in zip(values, positive_cell(layout, seen), strict=True):
        worst = worst.max(abs(value - (height if likely else -height)))
    return worst + arb(0, residual.abs_upper())
