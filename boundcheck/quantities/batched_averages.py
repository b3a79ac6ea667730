"""Averaged SGD in floats: runs at once, means over all sample paths, expected excess.

A batch axis comes first on what varies. The exact counterpart is `averaged_sgd`.
"""

from __future__ import annotations

import itertools
from typing import Any

from boundcheck.expressions.lazy_imports import numpy
from boundcheck.quantities.batched_losses import loss_slope

PATHS = 300  # sample paths beyond which expectations are enclosed instead of enumerated
LONGEST = 2000  # steps of a path that is followed


def are_listed(choices: int, horizon: int) -> bool:
    """Whether the sample paths of a horizon are few and short; no astronomical power is made.

    >>> are_listed(4, 4), are_listed(4, 5), are_listed(4, 10**11), are_listed(1, 2000)
    (True, False, False, True)
    """
    length = LONGEST if choices == 1 else PATHS.bit_length()
    return horizon <= length and choices**horizon <= PATHS


def simulate_averages(
    kernels: Any, start: Any, points: Any, labels: Any, lambda_: Any, gamma: Any, loss: Any,
    height: float, stretch: float,
) -> Any:  # fmt: skip
    """Averaged coefficients of B runs at once.

    Args: kernels: (B, n, n) or (n, n); start: (B, n) coefficients; points, labels: (B, T) samples;
    the numbers one each or one for each run.
    """
    batch, horizon = points.shape
    lambda_, gamma = (numpy.asarray(value, float) for value in (lambda_, gamma))
    kernels = numpy.broadcast_to(kernels, (batch, *kernels.shape[-2:]))
    a, mean, runs = start.copy(), start.copy(), numpy.arange(batch)
    for t in range(1, horizon + 1):
        where, label = points[:, t - 1], labels[:, t - 1]
        step = 2.0 / (lambda_ * (gamma + t))
        value = numpy.einsum("bj,bj->b", a, kernels[runs, where])
        slope = label * loss_slope(loss, height, stretch, label * value)
        a *= (1 - step * lambda_)[..., None]
        a[runs, where] -= step * slope
        mean += (2 * (gamma + t) / ((t + 1) * (2 * gamma + t)))[..., None] * (a - mean)
    return mean


def sampled_average(
    gram: Any, drawn: Any, start: Any, lambda_: Any, gamma: Any, loss: Any, height: Any,
    stretch: Any,
) -> Any:  # fmt: skip
    """Averaged coefficients after samples (B, T) or (T,), of one world or one each."""
    drawn = numpy.asarray(drawn)
    paths = numpy.atleast_2d(drawn)
    batch = max(len(paths), *(len(a) for a, rank in ((gram, 2), (start, 1)) if a.ndim > rank), 1)
    paths = numpy.broadcast_to(paths, (batch, paths.shape[-1])).astype(int)
    starts = numpy.array(numpy.broadcast_to(start, (batch, start.shape[-1])), dtype=float)
    found = simulate_averages(
        gram, starts, paths // 2, 1 - 2 * (paths % 2), lambda_, gamma, loss, height, stretch
    )
    return found[0] if drawn.ndim == 1 and gram.ndim == 2 and start.ndim == 1 else found


def mean_average(
    gram: Any, rho: Any, eta: Any, start: Any, lambda_: Any, gamma: Any, T: Any, loss: Any,
    height: Any, stretch: Any,
) -> Any:  # fmt: skip
    """Expected coefficients in every world of a batch; NaN where paths are too many to list."""
    ranks = (2, 1, 1, 1, 0, 0, 0, 0, 0, 0)
    given = (gram, rho, eta, start, lambda_, gamma, T, loss, height, stretch)
    arrays = [numpy.asarray(value) for value in given]
    split = [(array, array.ndim - rank) for array, rank in zip(arrays, ranks, strict=True)]
    batch = numpy.broadcast_shapes(*[array.shape[:cut] for array, cut in split])
    wide = [
        numpy.broadcast_to(array, (*(batch or (1,)), *array.shape[cut:])) for array, cut in split
    ]
    found = numpy.full(wide[3].shape, numpy.nan)
    still = (wide[3] == 0).all(-1) & (wide[2] == 0.5).all(-1)
    found[still] = 0.0
    for horizon in numpy.unique(wide[6]):
        rows = (wide[6] == horizon) & ~still
        if rows.any() and are_listed(2 * wide[1].shape[-1], int(horizon)):
            found[rows] = _over_paths(int(horizon), *[array[rows] for array in wide])
    return found if batch else found[0]


def _over_paths(
    horizon: int, gram: Any, rho: Any, eta: Any, start: Any, lambda_: Any, gamma: Any, _: Any,
    loss: Any, height: Any, stretch: Any,
) -> Any:  # fmt: skip
    law = (rho[..., None] * numpy.stack([eta, 1 - eta], -1)).reshape(len(rho), -1)
    total: Any = 0.0
    for path in itertools.product(range(law.shape[-1]), repeat=horizon):
        places = numpy.tile(path, (len(rho), 1))
        a = simulate_averages(
            gram, start.astype(float), places // 2, 1 - 2 * (places % 2), lambda_, gamma, loss,
            height, stretch,
        )
        total = total + law[:, list(path)].prod(-1)[:, None] * a
    return total


def expected_excess(
    kernels: Any, rho: Any, eta: Any, start: Any, lambda_: float, gamma: float, T: int, loss: str,
    height: float, stretch: float,
) -> Any:  # fmt: skip
    """Estimator of `expected_excess` for a stack of kernels (B, n, n): all paths, NaN for many."""
    size, batch = len(rho), len(kernels)
    atoms = [(i, y) for i in range(size) for y in (1, -1)]
    chances = {(i, y): rho[i] * (eta[i] if y == 1 else 1 - eta[i]) for i, y in atoms}
    best = numpy.where(2 * eta > 1, 1, -1)
    listed = are_listed(2 * size, int(T))
    total = numpy.full(batch, 0.0 if listed else numpy.nan)
    for path in itertools.product(atoms, repeat=int(T)) if listed else ():
        probability = numpy.prod([chances[sample] for sample in path])
        if not probability:
            continue
        points = numpy.tile([i for i, _ in path], (batch, 1))
        labels = numpy.tile([y for _, y in path], (batch, 1))
        a = simulate_averages(kernels, start, points, labels, lambda_, gamma, loss, height, stretch)
        wrong = numpy.where(numpy.einsum("bij,bj->bi", kernels, a) > 0, 1, -1) != best
        total += probability * (wrong * (rho * abs(2 * eta - 1))).sum(axis=1)
    return total
