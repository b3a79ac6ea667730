"""Kernel ridge regression against its random Fourier features on real data.

What is reused: one kernel matrix and one Krylov space serve every lambda (a Cholesky factor in
place, one per lambda, where that space would grow too large); features are nested, so the leading
blocks of one Gram matrix serve every smaller s and every lambda. Cosines are taken and multiplied
in single precision within blocks of rows and summed in double.

Memory: the n x n kernel matrix in double precision (800 MB at n = 10,000) and blocks of rows.
Time at n = 10,000, processor seconds on one core: 1 for the Krylov space (20 to 40 steps for
lambda >= 0.2 / sqrt(n)), 8 for a Cholesky factor, of which each lambda needs its own; an
eigendecomposition takes 20 times as long as a factor. A draw of 1,000 features takes 0.15, most of
it in their Gram matrix.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from boundcheck.errors import DataError, InvalidArgument

KERNELS = ("rbf", "laplace")
BLOCK = 1024  # rows of a block: 4 MB of cosines of 1,000 features
ACCURACY = 1e-10  # error of the exact predictions, relative to the targets' root mean square
STEPS = 200  # of the Krylov space, beyond which Cholesky factors are cheaper
EVERY = 5  # steps between two looks at the residuals


def _rows(size: int) -> Iterator[slice]:
    for start in range(0, size, BLOCK):
        yield slice(start, min(start + BLOCK, size))


# --- the kernel ----------------------------------------------------------------------------------


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

    if kernel == "rbf":
        left, right = left / sigma, right / sigma
        exponent = left @ right.T
        exponent -= (left**2).sum(axis=1)[:, None] / 2
        exponent -= (right**2).sum(axis=1) / 2
        numpy.minimum(exponent, 0.0, out=exponent)  # rounding at equal points
    else:
        from scipy.spatial.distance import cdist

        exponent = cdist(left, right, "cityblock")
        exponent /= -sigma
    return numpy.exp(exponent, out=exponent)


def kernel_matrix(x: Any, kernel: str, sigma: float) -> Any:
    """The n x n kernel matrix, lower triangle block by block, then mirrored."""
    import numpy

    size = len(x)
    matrix = numpy.empty((size, size))
    for rows in _rows(size):
        matrix[rows, : rows.stop] = kernel_block(x[rows], x[: rows.stop], kernel, sigma)
    _mirror(matrix)
    return matrix


def _mirror(matrix: Any) -> None:
    """Copy the strict lower triangle of a C-ordered matrix onto the upper one, in place."""
    import numpy

    for rows in _rows(len(matrix)):
        matrix[: rows.start, rows] = matrix[rows, : rows.start].T
        corner = matrix[rows, rows]
        lower = numpy.tril(corner, -1)
        corner[...] = lower + lower.T + numpy.diag(numpy.diagonal(corner))


# --- kernel ridge regression ---------------------------------------------------------------------


@dataclass(frozen=True)
class RidgeSolution:
    """Kernel ridge regression at one lambda.

    Args: alpha: (K + n lambda I)^-1 y, (n,). norm2: ||K^(1/2) alpha||^2, the squared norm of the
    function in the space of the kernel.
    """

    lambda_: float
    alpha: Any
    norm2: float


def solve_ridge(matrix: Any, y: Any, lambdas: Sequence[float]) -> list[RidgeSolution]:
    """Solutions for every lambda from one kernel matrix, which is used as workspace and kept.

    Args: matrix: (n, n) symmetric, float64, C order. y: (n,). lambdas: positive.
    Raises: DataError if the matrix is found not to be positive semi-definite.
    """
    import numpy

    size = len(y)
    shifts = size * numpy.asarray(lambdas, dtype=float)
    alphas = krylov_solutions(matrix, y, shifts)
    if alphas is None:
        alphas = cholesky_solutions(matrix, y, shifts)
    return [
        RidgeSolution(float(lambda_), alpha, max(float(alpha @ (y - shift * alpha)), 0.0))
        for lambda_, shift, alpha in zip(lambdas, shifts, alphas, strict=True)
    ]


def krylov_solutions(
    matrix: Any, y: Any, shifts: Any, *, accuracy: float = ACCURACY, steps: int = STEPS
) -> Any | None:
    """(matrix + shift I)^-1 y for every shift, (len(shifts), n), from one Krylov space, or None.

    Lanczos with full orthogonalisation. For a kernel with k(x, x) <= 1 a residual r moves the
    function by ||K^(1/2) (K + shift I)^-1 r|| <= ||r|| / (2 shift^(1/2)) in norm, hence every
    prediction by no more; the residuals are computed anew before they are believed.
    Returns: None if `steps` steps do not reach `accuracy` times the root mean square of y.

    >>> import numpy
    >>> krylov_solutions(numpy.diag([1.0, 3.0]), numpy.array([4.0, 10.0]), [1.0, 2.0])
    array([[2.        , 2.5       ],
           [1.33333333, 2.        ]])
    """
    import numpy

    size, length = len(y), float(numpy.linalg.norm(y))
    shifts = numpy.asarray(shifts, dtype=float)
    limits = accuracy * length / size**0.5 * 2 * shifts**0.5
    if length == 0:
        return numpy.zeros((len(shifts), size))
    steps = min(steps, size)
    basis = numpy.empty((steps + 1, size))
    basis[0] = y / length
    projected = numpy.zeros((steps, steps))
    for k in range(steps):
        moved = matrix @ basis[k]
        for _ in range(2):  # once is not enough in floating point, twice is
            shares = basis[: k + 1] @ moved
            moved -= shares @ basis[: k + 1]
            projected[k, k] += shares[k]
        beta = float(numpy.linalg.norm(moved))
        exhausted = beta <= 1e-14 * projected[0, 0] or k + 1 == steps
        if exhausted or (k + 1) % EVERY == 0:
            small = projected[: k + 1, : k + 1]
            eye = numpy.eye(k + 1)
            first = length * eye[0]
            _require_semidefinite(small, size)
            weights = numpy.stack([numpy.linalg.solve(small + t * eye, first) for t in shifts])
            if exhausted or (beta * abs(weights[:, -1]) <= limits / 2).all():
                alphas = weights @ basis[: k + 1]
                residuals = y - alphas @ matrix - shifts[:, None] * alphas
                good = (numpy.linalg.norm(residuals, axis=1) <= limits).all()
                return alphas if good else None
        basis[k + 1] = moved / beta
        projected[k, k + 1] = projected[k + 1, k] = beta
    return None


def _require_semidefinite(projected: Any, size: int) -> None:
    """Eigenvalues of the projection lie between those of the matrix, up to rounding."""
    import numpy

    values = numpy.linalg.eigvalsh((projected + projected.T) / 2)
    if values[0] < -1e-10 * max(abs(values[-1]), 1.0) * size**0.5:
        raise DataError(
            f"the kernel matrix is not positive semi-definite (an eigenvalue is at most "
            f"{values[0]:.3g}); use a positive semi-definite kernel such as rbf or laplace"
        )


def cholesky_solutions(matrix: Any, y: Any, shifts: Any) -> Any:
    """(matrix + shift I)^-1 y for every shift, (len(shifts), n); one factor at a time, in place.

    A factor fills the upper triangle of the C-ordered matrix, the lower one keeps its values.
    Raises: DataError if a shifted matrix is not positive definite.
    """
    import numpy
    from scipy.linalg import LinAlgError, cho_factor, cho_solve

    diagonal, alphas = numpy.diagonal(matrix).copy(), []
    places = numpy.diag_indices(len(y))
    for shift in shifts:
        matrix[places] = diagonal + shift
        try:
            factor = cho_factor(matrix.T, lower=True, overwrite_a=True, check_finite=False)
        except LinAlgError as error:
            raise DataError(
                "the kernel matrix is not positive semi-definite at lambda = "
                f"{shift / len(y):g}; use a positive definite kernel or a larger lambda"
            ) from error
        alphas.append(cho_solve(factor, y, check_finite=False))
        del factor
        matrix[places] = diagonal
        _mirror(matrix)
    return numpy.stack(alphas)


@dataclass(frozen=True)
class ExactRidge:
    """Kernel ridge regression on a data set, for every lambda.

    Args: kernel, sigma: the kernel. lambdas: (L,). norm2: (L,). predictions: at the test points,
    (L, m).
    """

    kernel: str
    sigma: float
    lambdas: tuple[float, ...]
    norm2: Any
    predictions: Any


def fit_exact(
    x: Any, y: Any, x_test: Any, *, kernel: str, lambdas: Sequence[float], rng: Any
) -> ExactRidge:
    """Kernel ridge regression with the bandwidth of `bandwidth`; the kernel matrix is let go.

    Raises: InvalidArgument for an unknown kernel or lambdas that are not positive.
    """
    import numpy

    if kernel not in KERNELS:
        raise InvalidArgument(f"--kernel {kernel!r} is none of {', '.join(KERNELS)}; choose one")
    if min(lambdas) <= 0:
        raise InvalidArgument(f"lambda = {min(lambdas)} is not positive; give --lambda 0.01")
    sigma = bandwidth(x, kernel, rng)
    if not sigma > 0:
        raise DataError(f"the {len(x)} training points coincide; use more rows")
    solutions = solve_ridge(kernel_matrix(x, kernel, sigma), y, lambdas)
    alphas = numpy.stack([solution.alpha for solution in solutions])
    predictions = numpy.empty((len(lambdas), len(x_test)))
    for rows in _rows(len(x_test)):
        predictions[:, rows] = alphas @ kernel_block(x, x_test[rows], kernel, sigma)
    norm2 = numpy.array([solution.norm2 for solution in solutions])
    return ExactRidge(kernel, sigma, tuple(lambdas), norm2, predictions)


# --- random features -----------------------------------------------------------------------------


def frequencies(rng: Any, kernel: str, dimension: int, features: int, sigma: float) -> Any:
    """(A, b): spectral draws of the kernel, A (d, s) float32, b (s,) uniform on [0, 2 pi]."""
    import numpy

    law = rng.standard_normal if kernel == "rbf" else rng.standard_cauchy
    a = (law(size=(dimension, features)) / sigma).astype(numpy.float32)
    return a, rng.uniform(0, 2 * numpy.pi, size=features).astype(numpy.float32)


def cosines(x: Any, a: Any, b: Any) -> Any:
    """cos(x A + b), (n, s), in the precision of the arguments."""
    import numpy

    phase = x @ a
    phase += b
    return numpy.cos(phase, out=phase)


def gram_and_moment(x: Any, y: Any, a: Any, b: Any) -> tuple[Any, Any]:
    """C^T C (S, S) and C^T y (S,) for C = cos(x A + b), both float64 sums over blocks of rows."""
    import numpy

    gram, moment = numpy.zeros((len(b), len(b))), numpy.zeros(len(b))
    for rows in _rows(len(x)):
        block = cosines(x[rows], a, b)
        gram += block.T @ block
        moment += y[rows].astype(block.dtype) @ block
    return gram, moment


def feature_weights(
    gram: Any, moment: Any, rows: int, sizes: Sequence[int], lambdas: Sequence[float], scale: float
) -> Any:
    """Ridge weights on the cosines for every s and lambda, (sizes, lambdas, S), 0 beyond s.

    Args: gram, moment: of the largest number of features S; the first s serve s features.
        rows: n. scale: factor c of psi = c cos(.) / s^(1/2); 2^(1/2) makes them unbiased.
    """
    import numpy
    from scipy.linalg import LinAlgError, cho_factor, cho_solve

    weights = numpy.zeros((len(sizes), len(lambdas), len(moment)))
    for i, s in enumerate(sizes):
        factor = scale**2 / s
        for j, lambda_ in enumerate(lambdas):
            system = gram[:s, :s] * factor
            system[numpy.diag_indices(s)] += rows * lambda_
            # Symmetric: the transposed view is in the order of LAPACK and is factored in place.
            try:
                root = cho_factor(system.T, lower=True, overwrite_a=True, check_finite=False)
            except LinAlgError as error:
                raise DataError(
                    f"the system of {s} features is singular in floating point at lambda = "
                    f"{lambda_:g}; give a larger lambda, e.g. 0.01"
                ) from error
            weights[i, j, :s] = cho_solve(root, moment[:s], check_finite=False) * factor
    return weights


def feature_predictions(
    x: Any, y: Any, x_test: Any, a: Any, b: Any, *, sizes: Sequence[int], lambdas: Sequence[float],
    scale: float,
) -> Any:  # fmt: skip
    """Random-feature ridge predictions for every s and lambda: (len(sizes), len(lambdas), m).

    Features are nested: s of them are the first s columns of A. The precision of the cosines is
    that of x, x_test, A and b; float32 is meant.
    """
    import numpy

    gram, moment = gram_and_moment(x, y, a, b)
    weights = feature_weights(gram, moment, len(y), sizes, lambdas, scale)
    columns = weights.reshape(-1, len(b)).T.astype(a.dtype)
    result = numpy.empty((columns.shape[1], len(x_test)))
    for rows in _rows(len(x_test)):
        result[:, rows] = (cosines(x_test[rows], a, b) @ columns).T
    return result.reshape(len(sizes), len(lambdas), len(x_test))


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
    repeats: int, rng: Any, scale: float = 2.0**0.5, progress: Any = None, jobs: int = 1,
    exact: ExactRidge | None = None, double: bool = False,
) -> Difference:  # fmt: skip
    """Mean squared difference over test points of random-feature and kernel ridge predictions.

    Args: x (n, d), y (n,), x_test (m, d). sizes: numbers of features, nested. progress: called
        after each repeat. jobs: processes over repeats; the result does not depend on them.
        exact: the kernel's side if it is known already. double: cosines in double precision.
    Raises: InvalidArgument for an unknown kernel, sizes or lambdas that are not positive.
    """
    import numpy

    from boundcheck.experiments.processes import spread

    if kernel not in KERNELS:
        raise InvalidArgument(f"--kernel {kernel!r} is none of {', '.join(KERNELS)}; choose one")
    if min(sizes) < 1 or min(lambdas) <= 0 or repeats < 1:
        raise InvalidArgument(
            f"features {min(sizes)}, lambda {min(lambdas)} and repeats {repeats} must be positive"
        )
    start = time.perf_counter()
    if exact is None:
        exact = fit_exact(x, y, x_test, kernel=kernel, lambdas=lambdas, rng=rng)
    kind = numpy.float64 if double else numpy.float32
    data = (x.astype(kind), y, x_test.astype(kind))
    tasks = ((*data, exact, sizes, scale, own) for own in rng.spawn(repeats))
    parts = spread(_one_draw, tasks, jobs)
    msd = numpy.empty((repeats, len(sizes), len(lambdas)))
    for repeat, values in enumerate(parts):
        msd[repeat] = values
        if progress:
            progress(repeat + 1)
    seconds = time.perf_counter() - start
    return Difference(tuple(sizes), tuple(lambdas), msd, exact.norm2, exact.sigma, seconds)


def _one_draw(
    x: Any, y: Any, x_test: Any, exact: ExactRidge, sizes: Sequence[int], scale: float, rng: Any
) -> Any:
    """Mean squared differences for one draw of the features, (len(sizes), len(lambdas))."""
    a, b = frequencies(rng, exact.kernel, x.shape[1], max(sizes), exact.sigma)
    found = feature_predictions(
        x, y, x_test, a.astype(x.dtype), b.astype(x.dtype), sizes=sizes, lambdas=exact.lambdas,
        scale=scale,
    )  # fmt: skip
    found -= exact.predictions
    return (found**2).mean(axis=-1)


def seconds_expected(n: int, m: int, features: int, repeats: int, lambdas: int = 1) -> float:
    """Rough time of `compare_predictors`, from a matrix product timed on this machine."""
    import numpy

    probe = numpy.ones((700, 700))
    probe @ probe
    start = time.perf_counter()
    for _ in range(3):
        probe @ probe
    rate = 3 * 2 * 700**3 / (time.perf_counter() - start)
    kernels = 160.0 * n * (n + m)
    solving = 40 * 30.0 * n**2  # steps of the Krylov space, bound by memory
    drawing = repeats * (n * features * (features + 60.0) + m * features * 60.0)
    return float((kernels + solving + drawing + repeats * lambdas * features**3 / 3) / rate * 1.5)
