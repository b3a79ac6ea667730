"""The planar data law of four separated squares, for kernel classifiers: quadrature, simulation.

x is uniform on the union of [-1, -.1] and [.1, 1] squared (four squares); P(Y = 1 | x) is 4/5 on
two squares and 1/5 on the other two, diagonal ("cross") or side by side ("half"). The kernel is
Gaussian, exp(-||x - y||^2 / (2 width^2)), its Fourier features sqrt(2) cos(omega.x + b).
Source of the features: Rahimi and Recht, NIPS 2007.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy
from flint import arb, arb_mat, fmpq

LAYOUTS = ("cross", "half")
HIGH, LOW = fmpq(4, 5), fmpq(1, 5)


def cell_margin() -> fmpq:
    """min |P(Y = 1 | x) - 1/2| over the squares."""
    return min(abs(value - fmpq(1, 2)) for value in (HIGH, LOW))


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


def interpolation_norm(nodes: int, width: fmpq, height: Any) -> arb:
    """Least RKHS norm of a function of one variable that is -height and height on the two segments.

    Values are prescribed at equally spaced points of [-1, -1/10] and of [1/10, 1]; on a line
    through two squares of different labels this bounds the norm of the Bayes rule from below.
    """
    return _unit_norm(nodes, int(width.p), int(width.q)) * height


@lru_cache(maxsize=1024)
def _unit_norm(nodes: int, numerator: int, denominator: int) -> arb:
    from boundcheck.exact import precision

    width = fmpq(numerator, denominator)
    with precision(300 + 120 * nodes):
        step = fmpq(9, 10) / max(nodes - 1, 1)
        right = [fmpq(1, 10) + step * k for k in range(nodes)]
        points = [*[-x for x in right], *right]
        size = len(points)
        gram = arb_mat(
            size, size,
            [(arb(-((x - y) ** 2)) / (2 * width * width)).exp() for x in points for y in points],
        )  # fmt: skip
        values = arb_mat(size, 1, [arb(-1 if x < 0 else 1) for x in points])
        form = (values.transpose() * gram.solve(values))[0, 0]
        return form.nonnegative_part().sqrt()


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


def draw_samples(rng: Any, layout: str, shape: tuple[int, ...]) -> tuple[Any, Any]:
    """Points (*shape, 2) in single precision and labels of the data law."""
    x = rng.uniform(0.1, 1.0, (*shape, 2)) * rng.choice((-1.0, 1.0), (*shape, 2))
    chance = numpy.where(positive_cell(layout, x), 0.8, 0.2)
    labels = numpy.where(rng.random(shape) < chance, 1.0, -1.0)
    return x.astype(numpy.float32), labels.astype(numpy.float32)


def _excess(layout: str, x: Any, mass: Any, g: Any) -> tuple[Any, Any]:
    """Excess error and excess logistic loss over the Bayes rule; g has one row per run."""
    positive = positive_cell(layout, x)
    wrong = (g > 0) != positive
    eta = numpy.where(positive, 0.8, 0.2)
    loss = (eta * numpy.logaddexp(0, -g) + (1 - eta) * numpy.logaddexp(0, g)) @ mass
    entropy = -(0.8 * numpy.log(0.8) + 0.2 * numpy.log(0.2))
    return 0.6 * (wrong @ mass), loss - entropy


def feature_curves(
    rng: Any, layout: str, width: float, M: int, runs: int, checkpoints: tuple[int, ...],
    gamma: float = 500.0, lambda_: float = 1e-3, nodes: int = 12,
) -> tuple[Any, Any]:  # fmt: skip
    """Excess error and loss of averaged SGD with M Fourier features from g_1 = 0.

    Returns: two arrays (runs, checkpoints). All runs advance together in single precision.
    """
    horizon = checkpoints[-1]
    grid, mass = quadrature(nodes)
    omega = (rng.standard_normal((runs, 2, M)) / width).astype(numpy.float32)
    phase = rng.uniform(0, 2 * numpy.pi, (runs, 1, M)).astype(numpy.float32)
    scale = numpy.float32((2.0 / M) ** 0.5)
    beta = numpy.zeros((runs, M), numpy.float32)
    mean = beta.copy()
    errors, losses = [], []
    block = 200
    for first in range(0, horizon, block):
        count = min(block, horizon - first)
        x, y = draw_samples(rng, layout, (runs, count))
        features = numpy.cos(x @ omega + phase) * scale
        for k in range(count):
            t = first + k + 1
            phi, label = features[:, k], y[:, k]
            value = numpy.einsum("bm,bm->b", beta, phi)
            slope = -label / (1 + numpy.exp(numpy.clip(label * value, -50, 50)))
            step = 2.0 / (lambda_ * (gamma + t))
            beta *= numpy.float32(1 - step * lambda_)
            beta -= (step * slope).astype(numpy.float32)[:, None] * phi
            theta = 2 * (gamma + t) / ((t + 1) * (2 * gamma + t))
            mean += numpy.float32(theta) * (beta - mean)
            if t in checkpoints:
                g = numpy.stack([
                    (numpy.cos(grid.astype(numpy.float32) @ omega[b] + phase[b]) * scale) @ mean[b]
                    for b in range(runs)
                ])  # fmt: skip
                error, loss = _excess(layout, grid, mass, g.astype(float))
                errors.append(error)
                losses.append(loss)
    return numpy.stack(errors, axis=1), numpy.stack(losses, axis=1)


def kernel_curves(
    rng: Any, layout: str, width: float, runs: int, checkpoints: tuple[int, ...],
    gamma: float = 500.0, lambda_: float = 1e-3, nodes: int = 12,
) -> Any:  # fmt: skip
    """Excess error of averaged kernel SGD from g_1 = 0, (runs, checkpoints)."""
    horizon = checkpoints[-1]
    grid, mass = quadrature(nodes)
    found = []
    for _ in range(runs):
        x, y = draw_samples(rng, layout, (horizon,))
        gram = gaussian_kernel(x, x, numpy.float32(width)) if horizon <= 4000 else None
        c = numpy.zeros(horizon, numpy.float32)
        mean, row = c.copy(), []
        for t in range(1, horizon + 1):
            n = t - 1
            if gram is not None:
                k = gram[n, :n]
            else:
                k = numpy.exp(-((x[:n] - x[n]) ** 2).sum(axis=1) / numpy.float32(2 * width**2))
            value = float(c[:n] @ k)
            slope = -y[n] / (1 + numpy.exp(y[n] * value))
            step = 2.0 / (lambda_ * (gamma + t))
            c[:n] *= numpy.float32(1 - step * lambda_)
            c[n] = -step * slope
            theta = 2 * (gamma + t) / ((t + 1) * (2 * gamma + t))
            mean[:t] += numpy.float32(theta) * (c[:t] - mean[:t])
            if t in checkpoints:
                g = gaussian_kernel(grid, x[:t].astype(float), width) @ mean[:t].astype(float)
                row.append(_excess(layout, grid, mass, g[None])[0][0])
        found.append(row)
    return numpy.array(found)


def interval(samples: Any) -> arb:
    """Mean of independent runs as a ball of six standard errors: for display, not for verdicts."""
    samples = numpy.asarray(samples, dtype=float)
    spread = samples.std(ddof=1) / len(samples) ** 0.5 if len(samples) > 1 else 0.0
    return arb(float(samples.mean()), 6 * float(spread))
