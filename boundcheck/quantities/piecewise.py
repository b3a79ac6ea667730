"""Adversarial losses of `boundcheck.worlds.losses`: values, slopes and constants, in rationals.

A loss is (knots, slopes, start); margins are rationals. Piecewise linear: one slope per piece.
Piecewise quadratic: the derivative at the knots, linear between them and constant outside.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

from flint import fmpq


def linear_value(loss: Any, v: Any) -> fmpq:
    """phi(v) of a piecewise linear loss.

    >>> hinge = ((fmpq(1),), (fmpq(-1), fmpq(0)), fmpq(1))
    >>> linear_value(hinge, fmpq(-1)), linear_value(hinge, 3)
    (2, 0)
    """
    knots, slopes, start = loss
    return start + _linear_rise(knots, slopes, fmpq(v)) - _linear_rise(knots, slopes, fmpq(0))


def _linear_rise(knots: Any, slopes: Any, v: fmpq) -> fmpq:
    """Integral of the slope from the first knot to v."""
    rise = slopes[0] * min(v - knots[0], fmpq(0))
    for i, knot in enumerate(knots):
        end = knots[i + 1] if i + 1 < len(knots) else None
        length = max(v - knot, fmpq(0))
        if end is not None:
            length = min(length, end - knot)
        rise += slopes[i + 1] * length
    return rise


def linear_lipschitz(loss: Any) -> fmpq:
    """Least Lipschitz constant of a piecewise linear loss: the largest slope of a real piece."""
    knots, slopes, _ = loss
    used = [slopes[0], slopes[-1]]
    used += [s for (a, b), s in zip(pairwise(knots), slopes[1:-1], strict=True) if a < b]
    return max(abs(s) for s in used)


def quadratic_slope(loss: Any, v: Any) -> fmpq:
    """phi'(v) of a piecewise quadratic loss."""
    knots, slopes, _ = loss
    v = fmpq(v)
    if v <= knots[0]:
        return slopes[0]
    for (a, b), (low, high) in zip(pairwise(knots), pairwise(slopes), strict=True):
        if a <= v <= b and a < b:
            return low + (high - low) * (v - a) / (b - a)
    return slopes[-1]


def quadratic_value(loss: Any, v: Any) -> fmpq:
    """phi(v) of a piecewise quadratic loss: trapezoids are exact for a piecewise linear slope."""
    knots, _, start = loss
    v = fmpq(v)
    low, high = min(v, fmpq(0)), max(v, fmpq(0))
    marks = [low, *(knot for knot in knots if low < knot < high), high]
    area = sum(
        ((b - a) * (quadratic_slope(loss, a) + quadratic_slope(loss, b)) / 2
         for a, b in pairwise(marks)), fmpq(0),
    )  # fmt: skip
    return start + area if v >= 0 else start - area


def quadratic_smoothness(loss: Any) -> fmpq:
    """Least Lipschitz constant of the derivative of a piecewise quadratic loss."""
    knots, slopes, _ = loss
    bends = [
        abs(high - low) / (b - a)
        for (a, b), (low, high) in zip(pairwise(knots), pairwise(slopes), strict=True) if a < b
    ]  # fmt: skip
    return max(bends, default=fmpq(0))


def linear_values(loss: Any, v: Any) -> Any:
    """Estimator of `linear_value` at an array of margins, float64."""
    import numpy

    knots, slopes = (numpy.array([_float(x) for x in part]) for part in loss[:2])
    start = _float(loss[2])

    def rise(u: Any) -> Any:
        u = numpy.asarray(u, dtype=float)[..., None]
        first = slopes[0] * numpy.minimum(u[..., 0] - knots[0], 0.0)
        lengths = numpy.append(numpy.diff(knots), math.inf)
        return first + (slopes[1:] * numpy.clip(u - knots, 0.0, lengths)).sum(-1)

    return start + rise(v) - rise(0.0)


def _float(value: Any) -> float:
    ratio = fmpq(value)
    return int(ratio.p) / int(ratio.q)
