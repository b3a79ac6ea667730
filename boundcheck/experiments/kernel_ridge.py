"""Kernel ridge regression on data for several lambdas at once.

One kernel matrix and one Krylov space serve every lambda (a Cholesky factor in place, one per
lambda, where that space would grow too large). Products read the lower triangle alone, so the other
one is filled only for a factor.

Memory: the n x n kernel matrix in double precision (800 MB at n = 10,000) and blocks of rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from boundcheck.errors import DataError, InvalidArgument

KERNELS = ("rbf", "laplace")
BLOCK, TILE = 256, 512  # rows of a block, and columns of a tile in it: 1 MB
ACCURACY = 1e-10  # error of the exact predictions, relative to the targets' root mean square
STEPS = 200  # of the Krylov space, beyond which Cholesky factors are cheaper
EVERY = 5  # steps between two looks at the residuals


def rows_of(size: int, block: int) -> Iterator[slice]:
    """Blocks of rows, in order.

    >>> list(rows_of(5, 3))
    [slice(0, 3, None), slice(3, 5, None)]
    """
    for start in range(0, size, block):
        yield slice(start, min(start + block, size))


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


def kernel_block(left: Any, right: Any, kernel: str, sigma: float, out: Any = None) -> Any:
    """k(left_i, right_j): exp(-|.|^2 / (2 sigma^2)) or exp(-|.|_1 / sigma), (n, m) float64.

    Args: out: (n, m), which takes the result. Tiles of TILE columns stay in a core's cache.
    """
    import numpy

    found = numpy.empty((len(left), len(right))) if out is None else out
    exponents = _halved_squares if kernel == "rbf" else _city_blocks
    for columns in rows_of(len(right), TILE):
        tile = exponents(left, right[columns], sigma)
        numpy.exp(tile, out=found[:, columns])
    return found


def _halved_squares(left: Any, right: Any, sigma: float) -> Any:
    """-|l - r|^2 / (2 sigma^2) as one product: l.r / sigma^2 minus halved squares."""
    import numpy

    left, right = left / sigma, right / sigma
    ones = numpy.ones((max(len(left), len(right)), 1))
    squares = [(side**2).sum(axis=1, keepdims=True) / -2 for side in (left, right)]
    tile = numpy.hstack([left, squares[0], ones[: len(left)]]) @ numpy.hstack(
        [right, ones[: len(right)], squares[1]]
    ).T
    return numpy.minimum(tile, 0.0, out=tile)  # rounding at equal points


def _city_blocks(left: Any, right: Any, sigma: float) -> Any:
    """-|l - r|_1 / sigma."""
    from scipy.spatial.distance import cdist

    tile = cdist(left, right, "cityblock")
    tile /= -sigma
    return tile


def kernel_triangle(x: Any, kernel: str, sigma: float) -> Any:
    """The n x n kernel matrix, its lower triangle set block by block; above it may be anything."""
    import numpy

    size = len(x)
    matrix = numpy.empty((size, size))
    for rows in rows_of(size, BLOCK):
        kernel_block(x[rows], x[: rows.stop], kernel, sigma, matrix[rows, : rows.stop])
    return matrix


def times(matrix: Any, vector: Any) -> Any:
    """A symmetric C-ordered matrix, of which the lower triangle is read, times a vector (n,).

    >>> import numpy
    >>> times(numpy.array([[2.0, numpy.nan], [1.0, 3.0]]), numpy.array([1.0, 10.0]))
    array([12., 31.])
    """
    from scipy.linalg.blas import dsymv

    return dsymv(1.0, matrix.T, vector, lower=0)  # the transposed view is in the order of BLAS


def _mirror(matrix: Any) -> None:
    """Copy the strict lower triangle of a C-ordered matrix onto the upper one, in place."""
    import numpy

    for rows in rows_of(len(matrix), BLOCK):
        matrix[: rows.start, rows] = matrix[rows, : rows.start].T
        corner = matrix[rows, rows]
        lower = numpy.tril(corner, -1)
        corner[...] = lower + lower.T + numpy.diag(numpy.diagonal(corner))


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

    Args: matrix: (n, n) symmetric, float64, C order, read from its lower triangle. y: (n,).
        lambdas: positive.
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
        moved = times(matrix, basis[k])
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
                residuals = y - numpy.stack([times(matrix, alpha) for alpha in alphas])
                residuals -= shifts[:, None] * alphas
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

    A factor fills the upper triangle of the C-ordered matrix, the lower one keeps its values; in
    the end the upper one is its mirror image.
    Raises: DataError if a shifted matrix is not positive definite.
    """
    import numpy
    from scipy.linalg import LinAlgError, cho_factor, cho_solve

    _mirror(matrix)
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
    solutions = solve_ridge(kernel_triangle(x, kernel, sigma), y, lambdas)
    alphas = numpy.stack([solution.alpha for solution in solutions])
    predictions = numpy.empty((len(lambdas), len(x_test)))
    for rows in rows_of(len(x_test), BLOCK):
        predictions[:, rows] = alphas @ kernel_block(x_test[rows], x, kernel, sigma).T
    norm2 = numpy.array([solution.norm2 for solution in solutions])
    return ExactRidge(kernel, sigma, tuple(lambdas), norm2, predictions)
