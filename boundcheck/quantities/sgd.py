"""Stochastic gradient descent: the averaged iterate, step by step.

iterates is a tuple of T + 1 rationals (one coordinate of beta_1, ..., beta_{T+1}); gamma is the
offset of the time index.
"""

from __future__ import annotations

from typing import Any

from flint import fmpq

from boundcheck.errors import Undefined
from boundcheck.quantities.base import quantity


def mixing_weight(position: int, gamma: Any) -> Any:
    """theta_t = 2 (gamma + t) / ((t + 1)(2 gamma + t))."""
    normaliser = (position + 1) * (2 * gamma + position)
    if normaliser == 0:
        raise Undefined("division by zero")
    return fmpq(2) * (gamma + position) / normaliser


def _float_recursion(iterates: Any, gamma: Any) -> Any:
    mean = iterates[..., 0]
    for t in range(1, iterates.shape[-1]):
        theta = 2 * (gamma + t) / ((t + 1) * (2 * gamma + t))
        mean = mean + theta * (iterates[..., t] - mean)
    return mean


@quantity(estimator=_float_recursion, ranks=(1, 0), units=lambda iterates, gamma: iterates)
def recursive_average(iterates: Any, gamma: Any) -> Any:
    """The last term of mean_1 = beta_1, mean_{t+1} = (1 - theta_t) mean_t + theta_t beta_{t+1}."""
    mean = iterates[0]
    for t in range(1, len(iterates)):
        theta = mixing_weight(t, gamma)
        mean = (1 - theta) * mean + theta * iterates[t]
    return mean
