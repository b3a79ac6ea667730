"""Kernel regression in floats for many repeats at once, the repeats on the first axis.

Squared penalty (kernel ridge regression) and unsquared penalty, one eigendecomposition per kernel
whatever the number of responses and weights; the clipped problem for few atoms. The certified
counterparts are `rkhs.ridge_weights` and `clipped_minimisers`.
"""

from __future__ import annotations

import itertools
from typing import Any

from boundcheck.errors import Undecided

ATOMS = 6  # the clipped problem tries up to 3^ATOMS patterns
BLOCK = 2**15  # entries of a batch at a time, which stay in the cache


def spectrum(kernel: Any) -> tuple[Any, Any]:
    """Eigenvalues and vectors of positive semi-definite kernels (..., n, n); rounding is zero."""
    import numpy

    values, vectors = numpy.linalg.eigh(kernel)
    floor = kernel.shape[-1] * numpy.finfo(float).eps * abs(values).max(
        axis=-1, keepdims=True, initial=0.0
    )
    return numpy.where(values > floor, values, 0.0), vectors


def ridge(kernel: Any, responses: Any, lambdas: Any) -> Any:
    """Coefficients of (1/n) ||K a - y||^2 + lambda a^T K a for all responses and weights.

    Args: kernel (n, n); responses (R, n); lambdas: a number, or an array (L,) of positive weights.
    Returns: (K + n lambda I)^{-1} y, shape (R, n), or (L, R, n).

    >>> import numpy
    >>> ridge(numpy.eye(2), numpy.array([[3.0, 6.0]]), 1.0).round(3)
    array([[1., 2.]])
    """
    import numpy

    values, vectors = spectrum(kernel)
    weights = numpy.asarray(lambdas, dtype=float)[..., None] * len(kernel)
    shrunk = (responses @ vectors) / (values + weights)[..., None, :]
    return shrunk @ vectors.T


def norm_penalty(kernel: Any, responses: Any, lambda_: Any) -> tuple[Any, Any]:
    """Coefficients and norms of (1/n) ||K a - y||^2 + lambda sqrt(a^T K a) for all responses.

    Args: kernel (n, n); responses (R, n); lambda_: a positive number, or one a repeat (R,).
    Returns: coefficients (R, n), norms (R,); both zero where the penalty outweighs the fit.
    """
    import numpy

    size = len(kernel)
    values, vectors = spectrum(kernel)
    turned = responses @ vectors
    half = numpy.broadcast_to(numpy.asarray(lambda_, dtype=float) * size / 2, len(turned))
    radius = norm_root(values[None], turned, half, numpy.zeros(len(turned)))
    shrunk = turned * radius[:, None] / (values * radius[:, None] + half[:, None])
    return shrunk @ vectors.T, radius


def norm_root(curvatures: Any, turned: Any, half: Any, squared: Any) -> Any:
    """The root r > 0 of q(r) = squared / r^2 + sum_i k_i z_i^2 / (k_i r + half)^2 = 1, or 0.

    Newton's method on q^{-1/2} - 1, which is concave and increasing, from a point left of the root:
    every step goes right and none goes beyond it.

    Args: curvatures k and turned z (B, n); half > 0 and squared >= 0 (B,).
    Returns: (B,), zero where squared = 0 and sum k z^2 <= half^2.
    """
    import numpy

    half, squared = half[:, None], squared[:, None]
    pulls = curvatures * turned**2
    positive = numpy.where(curvatures > 0, curvatures, 1.0)
    # Each term alone reaches one here or further left.
    alone = numpy.where(curvatures > 0, (numpy.sqrt(pulls) - half) / positive, 0.0)
    radius = numpy.maximum(alone.max(axis=1, initial=0.0), numpy.sqrt(squared[:, 0]))
    exists = (squared[:, 0] > 0) | (pulls.sum(axis=1) > half[:, 0] ** 2)
    for _ in range(100):
        r = radius[:, None]
        ridge = curvatures * r + half
        safe = numpy.where(squared > 0, r, 1.0)
        q = (squared / safe**2 + (pulls / ridge**2).sum(axis=1, keepdims=True))[:, 0]
        fall = squared / safe**3 + (pulls * curvatures / ridge**3).sum(axis=1, keepdims=True)
        step = q * (numpy.sqrt(q) - 1) / numpy.where(fall[:, 0] > 0, fall[:, 0], numpy.inf)
        radius = numpy.where(exists, radius + numpy.maximum(step, 0), 0.0)
        if not (abs(step) > 4e-16 * radius)[exists].any():
            break
    return radius


def batched_clipped(kernel: Any, counts: Any, sums: Any, lambda_: float) -> tuple[Any, Any]:
    """Norms and values of clipped minimisers for one kernel on few atoms and many samples.

    Args: kernel (N, N); counts, sums: draws and sums of responses, (batch, N).
    Returns: norms (batch,) and values (batch, N).
    Raises: Undecided beyond ATOMS atoms.
    """
    import numpy

    atoms = len(kernel)
    if atoms > ATOMS:
        raise Undecided(f"the clipped problem is tried on at most {ATOMS} atoms in floats")
    means = sums / numpy.maximum(counts, 1)
    half = counts.sum(axis=1) * lambda_ / 2
    best = numpy.zeros(len(counts))
    kept = numpy.zeros((len(counts), atoms))
    norms = numpy.zeros(len(counts))
    states = [
        ("in", "out", "held") if (abs(means[:, j]) > 1).any() else ("in", "out")
        for j in range(atoms)
    ]
    for choice in itertools.product(*states):
        held = [j for j in range(atoms) if choice[j] == "held"]
        inside = [j for j in range(atoms) if choice[j] == "in"]
        weights = _stationary(kernel, counts, means, half, held, inside)
        values = weights @ kernel
        norm = numpy.sqrt(numpy.maximum((weights * values).sum(axis=1), 0))
        heights = numpy.clip(values, -1, 1)
        objective = (counts * heights**2 - 2 * sums * heights).sum(axis=1) + 2 * half * norm
        better = objective < best
        best = numpy.where(better, objective, best)
        norms = numpy.where(better, norm, norms)
        kept = numpy.where(better[:, None], values, kept)
    return norms, kept


def _stationary(
    kernel: Any, counts: Any, means: Any, half: Any, held: list[int], inside: list[int]
) -> Any:
    """Coefficients (batch, N) of the fit over `inside` with the atoms of `held` at +1 or -1."""
    import numpy

    found = numpy.zeros(counts.shape)
    levels = numpy.sign(means[:, held])
    inverse = numpy.linalg.pinv(kernel[numpy.ix_(held, held)])
    across = kernel[numpy.ix_(inside, held)]
    rest = kernel[numpy.ix_(inside, inside)] - across @ inverse @ across.T
    gaps = means[:, inside] - levels @ inverse @ across.T
    squared = numpy.maximum(((levels @ inverse) * levels).sum(axis=1), 0)
    roots = numpy.sqrt(counts[:, inside])
    curvatures, vectors = spectrum(roots[:, :, None] * rest * roots[:, None, :])
    turned = numpy.einsum("bij,bi->bj", vectors, roots * gaps)
    radius = norm_root(curvatures, turned, half, squared)[:, None]
    shrunk = turned * radius / (curvatures * radius + half[:, None])
    found[:, inside] = roots * numpy.einsum("bij,bj->bi", vectors, shrunk)
    found[:, held] = (levels - found[:, inside] @ across) @ inverse
    return found


def batched_orthogonal(counts: Any, sums: Any, scales: Any, lambda_: float) -> tuple[Any, Any]:
    """Norms and values of clipped minimisers for a diagonal kernel, in floats.

    Args: counts, sums: draws and sums of responses, (batch, N); scales: k(x_j, x_j) > 0, (N,).
    Returns: norms (batch,) and values (batch, N).
    """
    import numpy

    rows = max(1, BLOCK // max(len(scales), 1))
    found = [_orthogonal(counts[first : first + rows], sums[first : first + rows], scales, lambda_)
             for first in range(0, len(counts), rows)]  # fmt: skip
    norms, values = zip(*found, strict=True) if found else ([numpy.zeros(0)], [0.0 * counts])
    return numpy.concatenate(norms), numpy.concatenate(values)


def _orthogonal(counts: Any, sums: Any, scales: Any, lambda_: float) -> tuple[Any, Any]:
    """The same for a block, in place: what is bound by memory and not by arithmetic."""
    import numpy

    half = counts.sum(axis=1, keepdims=True) * lambda_ / 2
    low = numpy.zeros(len(counts))
    high = numpy.full(len(counts), numpy.sqrt((1 / scales).sum()))
    scaled, below = numpy.empty(sums.shape), numpy.empty(sums.shape)

    def fitted(radius: Any) -> Any:
        numpy.multiply(radius[:, None], scales, out=scaled)
        numpy.multiply(counts, scaled, out=below)
        numpy.add(below, half, out=below)
        numpy.multiply(sums, scaled, out=scaled)
        numpy.divide(scaled, below, out=scaled)
        return numpy.clip(scaled, -1, 1, out=scaled)

    for _ in range(36):  # to 2^-36 of the range
        middle = (low + high) / 2
        squares = numpy.square(fitted(middle), out=scaled)
        above = numpy.divide(squares, scales, out=squares).sum(axis=1) > middle**2
        low, high = numpy.where(above, middle, low), numpy.where(above, high, middle)
    nonzero = (sums**2 * scales).sum(axis=1) > half[:, 0] ** 2
    norms = numpy.where(nonzero, (low + high) / 2, 0.0)
    return norms, fitted(norms)
