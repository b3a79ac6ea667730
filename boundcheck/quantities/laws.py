"""Finite laws on the line: moments, tails, sums of independent variables.

A law is two tuples of one length, values x and weights p. Independent variables are a matrix of
values (n x K, one row per variable) with one tuple of weights per row. Estimators take arrays of
many laws with the same number of atoms, a law per row.
"""

from __future__ import annotations

from typing import Any

from flint import fmpq

from boundcheck.quantities.base import quantity

Law = tuple[tuple[fmpq, ...], tuple[fmpq, ...]]


def _least(x: Any, p: Any) -> Any:
    import numpy

    return numpy.where(p > 0, x, numpy.inf).min(-1)


@quantity(
    estimator=lambda x, p: _least(x, p), units="same", ranks=(1, 1), rational=True,
    latex=r"\min {0:b}",
)  # fmt: skip
def least_value(x: Any, p: Any) -> fmpq:
    """Smallest value of positive probability."""
    return min(u for u, w in zip(x, p, strict=True) if w)


@quantity(
    estimator=lambda x, p: -_least(-x, p), units="same", ranks=(1, 1), rational=True,
    latex=r"\max {0:b}",
)  # fmt: skip
def greatest_value(x: Any, p: Any) -> fmpq:
    """Largest value of positive probability."""
    return max(u for u, w in zip(x, p, strict=True) if w)


def _median(x: Any, p: Any) -> Any:
    import numpy

    x, p = numpy.broadcast_arrays(x, p)
    order = numpy.argsort(x, axis=-1)
    mass = numpy.cumsum(numpy.take_along_axis(p, order, -1), axis=-1)
    first = (2 * mass >= 1 - 1e-12).argmax(-1)
    return numpy.take_along_axis(numpy.take_along_axis(x, order, -1), first[..., None], -1)[..., 0]


@quantity(
    estimator=_median, units="same", ranks=(1, 1), rational=True,
    latex=r"\operatorname{{med}} {0:b}",
)  # fmt: skip
def median(x: Any, p: Any) -> fmpq:
    """The smallest m with P(X <= m) >= 1/2."""
    below = fmpq(0)
    for u, w in sorted(zip(x, p, strict=True)):
        below += w
        if 2 * below >= 1:
            return u
    raise AssertionError("the weights do not sum to one")
