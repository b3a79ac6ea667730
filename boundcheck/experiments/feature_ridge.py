"""Ridge regression on random Fourier features, nested: one draw serves every smaller number.

The leading blocks of one Gram matrix serve every s and lambda. Cosines are taken and multiplied in
single precision within blocks of rows and summed in double. Systems are factored in single
precision and their solutions refined in double until the residual is that of a solution in double.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from boundcheck.errors import DataError
from boundcheck.experiments.averaged_sgd import has_numba
from boundcheck.experiments.kernel_ridge import rows_of, times

BLOCK, FLUSH = 1024, 4  # rows of a block: 4 MB of cosines of 1,000 features; blocks to a sum
LARGE = 1 << 16  # cosines of a block from which the compiled loop is worth its start
RESIDUAL, REFINEMENTS = 1e-11, 12  # of a refined solution, relative to the moment; steps at most


def frequencies(rng: Any, kernel: str, dimension: int, features: int, sigma: float) -> Any:
    """(A, b): spectral draws of the kernel, A (d, s) float32, b (s,) uniform on [0, 2 pi]."""
    import numpy

    law = rng.standard_normal if kernel == "rbf" else rng.standard_cauchy
    a = (law(size=(dimension, features)) / sigma).astype(numpy.float32)
    return a, rng.uniform(0, 2 * numpy.pi, size=features).astype(numpy.float32)


def cosines(x: Any, a: Any, b: Any, out: Any = None) -> Any:
    """cos(x A + b), (n, s), in the precision of the arguments.

    Args: out: (at least n, s) in C order, whose first rows take the result.
    Large blocks in single precision take the compiled loop where numba is installed; it and NumPy
    are each within (d + 6) max(|x A + b|, 2 pi) 2^-24 of the cosine, terms of x A of either sign
    aside.
    """
    import numpy

    phase = numpy.empty((len(x), len(b)), x.dtype) if out is None else out[: len(x)]
    if x.dtype == numpy.float32 and phase.size >= LARGE and has_numba():
        from boundcheck.experiments.compiled import cosines_of_turns

        turn = numpy.float32(1 / (2 * numpy.pi))
        cosines_of_turns(numpy.matmul(x, a * turn, out=phase), b * turn)
        return phase
    numpy.matmul(x, a, out=phase)
    phase += b
    return numpy.cos(phase, out=phase)


def gram_and_moment(x: Any, y: Any, a: Any, b: Any) -> tuple[Any, Any]:
    """C^T C (S, S), its lower triangle, and C^T y (S,) for C = cos(x A + b), both float64.

    Products are in the precision of x over at most FLUSH blocks of rows, and then summed in double.
    """
    import numpy
    from scipy.linalg.blas import get_blas_funcs

    product = get_blas_funcs("syrk", dtype=x.dtype)
    gram, moment = numpy.zeros((len(b), len(b))), numpy.zeros(len(b))
    part = numpy.zeros((len(b), len(b)), x.dtype, order="F")
    block = numpy.empty((min(BLOCK, len(x)), len(b)), x.dtype)
    for place, rows in enumerate(rows_of(len(x), BLOCK)):
        values = cosines(x[rows], a, b, block)
        moment += y[rows].astype(x.dtype) @ values
        # The transposed views are in the order of BLAS; its upper triangle is the lower one here.
        product(1.0, values.T, beta=1.0, c=part, overwrite_c=1)
        if place % FLUSH == FLUSH - 1 or rows.stop == len(x):
            gram += part.T
            part[...] = 0
    return gram, moment


def feature_weights(
    gram: Any, moment: Any, rows: int, sizes: Sequence[int], lambdas: Sequence[float], scale: float
) -> Any:
    """Ridge weights on the cosines for every s and lambda, (sizes, lambdas, S), 0 beyond s.

    Args: gram, moment: of the largest number of features S; the first s serve s features, and of
        gram the lower triangle is read. rows: n. scale: factor c of psi = c cos(.) / s^(1/2);
        2^(1/2) makes them unbiased.
    """
    import numpy

    weights = numpy.zeros((len(sizes), len(lambdas), len(moment)))
    for i, s in enumerate(sizes):
        part = numpy.ascontiguousarray(gram[:s, :s])
        single = part.astype(numpy.float32)
        for j, lambda_ in enumerate(lambdas):
            shift = rows * lambda_ * s / scale**2
            found = refined(part, single, moment[:s], shift)
            if found is None:
                found = _factored(part, moment[:s], shift)
            if found is None:
                raise DataError(
                    f"the system of {s} features is singular in floating point at lambda = "
                    f"{lambda_:g}; give a larger lambda, e.g. 0.01"
                )
            weights[i, j, :s] = found
    return weights


def refined(gram: Any, single: Any, moment: Any, shift: float) -> Any | None:
    """(gram + shift I)^-1 moment, (s,), by a factor in single precision and refinement in double.

    Args: gram: (s, s) symmetric, float64, C order, read from its lower triangle. single: the same
        in float32.
    Returns: None where the factor does not exist or refinement does not reach RESIDUAL times the
        moment, which takes a condition near 2^24.
    """
    import numpy
    from scipy.linalg.lapack import spotrf, spotrs

    system = numpy.array(single)
    system[numpy.diag_indices(len(moment))] += numpy.float32(shift)
    # Symmetric: the transposed view is in the order of LAPACK and is factored in place.
    root, failed = spotrf(system.T, lower=0, clean=0, overwrite_a=1)
    if failed:
        return None
    found, rest, target = numpy.zeros(len(moment)), moment, numpy.linalg.norm(moment)
    for _ in range(REFINEMENTS):
        size = numpy.linalg.norm(rest)
        if size <= RESIDUAL * target:
            return found
        step, _ = spotrs(root, (rest / size).astype(numpy.float32), lower=0)
        found = found + size * step.astype(float)
        rest = moment - times(gram, found) - shift * found
    return None


def _factored(gram: Any, moment: Any, shift: float) -> Any | None:
    """The same by a factor in double precision."""
    import numpy
    from scipy.linalg import LinAlgError, cho_factor, cho_solve

    system = numpy.array(gram)
    system[numpy.diag_indices(len(moment))] += shift
    try:
        root = cho_factor(system.T, lower=False, overwrite_a=True, check_finite=False)
    except LinAlgError:
        return None
    return cho_solve(root, moment, check_finite=False)


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
    block = numpy.empty((min(BLOCK, len(x_test)), len(b)), x_test.dtype)
    for rows in rows_of(len(x_test), BLOCK):
        result[:, rows] = (cosines(x_test[rows], a, b, block) @ columns).T
    return result.reshape(len(sizes), len(lambdas), len(x_test))
