"""Stochastic gradient descent: averaging weights, averaged iterates, counts of operations.

iterates is a tuple of T + 1 rationals (one coordinate of beta_1, ..., beta_{T+1}); gamma is the
offset of the time index.
"""

from __future__ import annotations

from typing import Any

from flint import fmpq

from boundcheck.errors import Undefined
from boundcheck.quantities.base import quantity


def averaging_weight(position: int, horizon: int, gamma: Any) -> Any:
    """alpha_t = 2 (gamma + t - 1) / ((2 gamma + T)(T + 1)) for t = 1, ..., T + 1.

    Source: Nitanda and Suzuki, AISTATS 2019; Lacoste-Julien, Schmidt, Bach, arXiv:1212.2002.
    """
    normaliser = (2 * gamma + horizon) * (horizon + 1)
    if normaliser == 0:
        raise Undefined("division by zero")
    return 2 * (gamma + position - 1) / normaliser


def averaging_weights(horizon: int, gamma: Any) -> tuple[Any, ...]:
    """All T + 1 averaging weights.

    >>> averaging_weights(1, fmpq(1))
    (1/3, 2/3)
    """
    return tuple(averaging_weight(t, horizon, gamma) for t in range(1, horizon + 2))


@quantity(estimator=lambda iterates, gamma: _float_average(iterates, gamma))
def weighted_average(iterates: Any, gamma: Any) -> Any:
    """sum_{t=1}^{T+1} alpha_t beta_t."""
    weights = averaging_weights(len(iterates) - 1, gamma)
    return sum((w * b for w, b in zip(weights, iterates, strict=True)), fmpq(0))


def _float_average(iterates: Any, gamma: Any) -> Any:
    import numpy

    count = iterates.shape[-1]
    raw = gamma + numpy.arange(count)
    return (iterates * (raw / raw.sum())).sum(axis=-1)


def mixing_weight(position: int, gamma: Any) -> Any:
    """theta_t = 2 (gamma + t) / ((t + 1)(2 gamma + t))."""
    normaliser = (position + 1) * (2 * gamma + position)
    if normaliser == 0:
        raise Undefined("division by zero")
    return 2 * (gamma + position) / normaliser


def recursive_average(iterates: Any, gamma: Any) -> Any:
    """The last term of mean_1 = beta_1, mean_{t+1} = (1 - theta_t) mean_t + theta_t beta_{t+1}."""
    mean = iterates[0]
    for t in range(1, len(iterates)):
        theta = mixing_weight(t, gamma)
        mean = (1 - theta) * mean + theta * iterates[t]
    return mean


def feature_evaluations(M: Any) -> Any:
    """Features evaluated in one step of SGD on M random features."""
    return M


def kernel_evaluations(t: Any) -> Any:
    """Kernel values k(x_t, x_s), s < t, and k(x_t, x_t): one step of kernel SGD at time t."""
    return t


def feature_total(M: Any, n: Any) -> Any:
    """Features evaluated by one pass over n samples."""
    return n * feature_evaluations(M)


def kernel_total(n: Any) -> Any:
    """Kernel values computed by one pass over n samples: 1 + 2 + ... + n."""
    return fmpq(n) * (n + 1) / 2
