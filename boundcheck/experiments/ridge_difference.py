"""Kernel ridge regression against its random Fourier features on real data.

One Cholesky factor per kernel matrix and lambda; features are nested, so the leading blocks of one
Gram matrix serve every smaller s; cosines are taken in single precision and summed in double.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from boundcheck.errors import DataError, InvalidArgument

KERNELS = ("rbf", "laplace")
BLOCK = 1024  # rows per block of a kernel matrix


def bandwidth(x: Any, kernel: str, rng: Any, pairs: int = 4_000_000) -> float:
    """Root mean squared Euclidean distance (rbf) or mean l1 distance (laplace) over all pairs.

    Exact for the rbf kernel (second moments) and for up to `pairs` pairs; sampled beyond that.
    """
    import numpy

    if kernel == "rbf":
        centred = x - x.mean(axis=0)
        return float(numpy.sqrt(2 * (centred**2).sum(axis=1).mean()))
    rows = min(len(x), int(pairs**0.5))
    chosen = x if rows == len(x) else x[rng.choice(len(x), rows, replace=False)]
    total = sum(numpy.abs(chosen - point).sum() for point in chosen)
    return float(total / rows**2)


def kernel_block(left: Any, right: Any, kernel: str, sigma: float) -> Any:
    """k(left_i, right_j): exp(-|.|^2 / (2 sigma^2)) or exp(-|.|_1 / sigma), (n, m) float64."""
    import numpy
    from scipy.spatial.distance import cdist

    if kernel == "rbf":
        return numpy.exp(-cdist(left, right, "sqeuclidean") / (2 * sigma**2))
    return numpy.exp(-cdist(left, right, "cityblock") / sigma)


def kernel_matrix(x: Any, kernel: str, sigma: float) -> Any:
    """The n x n kernel matrix, block by block."""
    import numpy

    size = len(x)
    matrix = numpy.empty((size, size))
    for start in range(0, size, BLOCK):
        rows = slice(start, min(start + BLOCK, size))
        matrix[rows] = kernel_block(x[rows], x, kernel, sigma)
    return matrix


@dataclass(frozen=True)
class RidgeSolution:
    """Kernel ridge regression at one lambda.

    Args: alpha: (K + n lambda I)^-1 y, (n,). norm2: ||K^(1/2) alpha||^2. predictions: at the test
    points, (m,).
    """

    lambda_: float
    alpha: Any
    norm2: float
    predictions: Any


def solve_ridge(
    matrix: Any, y: Any, lambdas: Sequence[float], cross: Any
) -> list[RidgeSolution]:
    """Solutions for every lambda from one kernel matrix (kept) and the cross kernel (m, n).

    Raises: DataError if a regularised matrix is not positive definite.
    """
    import numpy
    from scipy.linalg import LinAlgError, cho_factor, cho_solve

    size, found = len(y), []
    for lambda_ in lambdas:
        shifted = matrix.copy()
        shifted[numpy.diag_indices(size)] += size * lambda_
        try:
            factor = cho_factor(shifted, lower=True, overwrite_a=True, check_finite=False)
        except LinAlgError as error:
            raise DataError(
                f"the kernel matrix is not positive semi-definite at lambda = {lambda_:g}; "
                "use a positive definite kernel or a larger lambda"
            ) from error
        alpha = cho_solve(factor, y, check_finite=False)
        del factor, shifted
        norm2 = float(alpha @ y - size * lambda_ * (alpha @ alpha))
        found.append(RidgeSolution(lambda_, alpha, max(norm2, 0.0), cross @ alpha))
    return found


def frequencies(rng: Any, kernel: str, dimension: int, features: int, sigma: float) -> Any:
    """(A, b): spectral draws of the kernel, A (d, s) float32, b (s,) uniform on [0, 2 pi]."""
    import numpy

    law = rng.standard_normal if kernel == "rbf" else rng.standard_cauchy
    a = (law(size=(dimension, features)) / sigma).astype(numpy.float32)
    return a, rng.uniform(0, 2 * numpy.pi, size=features).astype(numpy.float32)


def cosines(x: Any, a: Any, b: Any) -> Any:
    """cos(x A + b) in single precision, (n, s)."""
    import numpy

    return numpy.cos(x.astype(numpy.float32) @ a + b)


def feature_predictions(
    train: Any, test: Any, y: Any, sizes: Sequence[int], lambdas: Sequence[float], scale: float
) -> Any:
    """Random-feature ridge predictions for every s and lambda: (len(sizes), len(lambdas), m).

    Args: train (n, S), test (m, S): cosines of the largest number of features, nested.
        scale: factor c of psi = c cos(.) / sqrt(s); 2^(1/2) makes the features unbiased.
    """
    import numpy
    from scipy.linalg import cho_factor, cho_solve

    size, result = len(y), numpy.empty((len(sizes), len(lambdas), len(test)))
    gram = numpy.zeros((train.shape[1], train.shape[1]))
    for start in range(0, size, 2 * BLOCK):
        block = train[start : start + 2 * BLOCK]
        gram += block.T @ block  # single precision within a block, double across blocks
    moment = numpy.asarray(train.T.astype(numpy.float64) @ y)
    for i, s in enumerate(sizes):
        for j, lambda_ in enumerate(lambdas):
            system = gram[:s, :s] * (scale**2 / s)
            system[numpy.diag_indices(s)] += size * lambda_
            factor = cho_factor(system, lower=True, overwrite_a=True, check_finite=False)
            weights = cho_solve(factor, moment[:s] * (scale / s**0.5), check_finite=False)
            result[i, j] = test[:, :s] @ (weights * (scale / s**0.5)).astype(numpy.float32)
    return result


@dataclass(frozen=True)
class Difference:
    """Mean squared differences between the predictors.

    Args: sizes, lambdas. msd: (repeats, len(sizes), len(lambdas)). norm2: (len(lambdas),).
        sigma: bandwidth. seconds: wall time.
    """

    sizes: tuple[int, ...]
    lambdas: tuple[float, ...]
    msd: Any
    norm2: Any
    sigma: float
    seconds: float

    def interval(self, level: float = 0.95) -> tuple[Any, Any, Any]:
        """Mean over feature draws with Student's interval at a level: (mean, low, high)."""
        from scipy.stats import t

        repeats = self.msd.shape[0]
        mean = self.msd.mean(axis=0)
        if repeats < 2:
            return mean, mean, mean
        half = t.ppf((1 + level) / 2, repeats - 1) * self.msd.std(axis=0, ddof=1) / repeats**0.5
        return mean, mean - half, mean + half


def compare_predictors(
    x: Any, y: Any, x_test: Any, *, kernel: str, sizes: Sequence[int], lambdas: Sequence[float],
    repeats: int, rng: Any, scale: float = 2.0**0.5, progress: Any = None,
) -> Difference:  # fmt: skip
    """Mean squared difference over test points of random-feature and kernel ridge predictions.

    Args: x (n, d), y (n,), x_test (m, d). sizes increasing. progress: called after each repeat.
    Raises: InvalidArgument for an unknown kernel, sizes or lambdas that are not positive.
    """
    import numpy

    if kernel not in KERNELS:
        raise InvalidArgument(f"--kernel {kernel!r} is none of {', '.join(KERNELS)}; choose one")
    if min(sizes) < 1 or min(lambdas) <= 0 or repeats < 1:
        raise InvalidArgument(
            f"features {min(sizes)}, lambda {min(lambdas)} and repeats {repeats} must be positive"
        )
    start = time.perf_counter()
    sigma = bandwidth(x, kernel, rng)
    solutions = solve_ridge(
        kernel_matrix(x, kernel, sigma), y, lambdas, kernel_block(x_test, x, kernel, sigma)
    )
    msd = numpy.empty((repeats, len(sizes), len(lambdas)))
    exact = numpy.stack([solution.predictions for solution in solutions])
    for repeat in range(repeats):
        a, b = frequencies(rng, kernel, x.shape[1], max(sizes), sigma)
        found = feature_predictions(
            cosines(x, a, b), cosines(x_test, a, b), y, sizes, lambdas, scale
        )
        msd[repeat] = ((found - exact) ** 2).mean(axis=-1)
        if progress:
            progress(repeat + 1)
    norm2 = numpy.array([solution.norm2 for solution in solutions])
    return Difference(
        tuple(sizes), tuple(lambdas), msd, norm2, sigma, time.perf_counter() - start
    )


def seconds_expected(n: int, m: int, features: int, repeats: int, lambdas: int = 1) -> float:
    """Rough time of `compare_predictors`, from a matrix product timed on this machine."""
    import numpy

    probe = numpy.ones((700, 700))
    probe @ probe
    start = time.perf_counter()
    for _ in range(3):
        probe @ probe
    rate = 3 * 2 * 700**3 / (time.perf_counter() - start)
    kernels = 40.0 * n * (n + m)
    solving = lambdas * n**3 / 3
    drawing = repeats * (n * features * (features + 30.0) + m * features * 40.0)
    return float((kernels * 4 + solving * 2 + drawing) / rate * 1.5)
