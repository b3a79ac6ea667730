"""Points of a box at which a body stands still exactly: contact of a supremum is decided there.

Branch and bound alone leaves a ball around an extreme value, and no ball decides an equality. Where
the slopes of the body vanish exactly at a rational point and the body is concave on a part of the
box that holds it, the value at the point is the largest one on the part, and no ball.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy
from flint import arb, fmpq

from boundcheck.arithmetic import Value, is_exact, midpoint, to_ball, to_float
from boundcheck.errors import Undecided, Undefined

Place = list[fmpq]
Slopes = Callable[[list[Value]], list[Value]]
Curvature = Callable[[list[Value]], list[list[Value]]]
SIDE = {1: 9, 2: 5, 3: 3}  # points of a first grid along a side
STEPS = 12  # of Newton's method in floats
LARGEST_DENOMINATOR = 10**7  # half the digits of a float


@dataclass
class Peak:
    """A place of the unit cube at which all slopes vanish, and the value there."""

    place: Place
    value: Value
    curvature: Curvature

    def settles(self, box: tuple[tuple[fmpq, fmpq], ...], balls: list[Value]) -> bool:
        """Whether no point of a box has a larger value: the body is concave on it.

        Concave by Gershgorin's discs, in the directions in which the box is not flat.
        """
        if not all(low <= at <= high for at, (low, high) in zip(self.place, box, strict=True)):
            return False
        free = [i for i, (low, high) in enumerate(box) if low < high]
        try:
            bent = self.curvature(balls)
        except (Undecided, Undefined):
            return False
        rows = ([to_ball(bent[i][j]) for j in free] for i in free)
        return all(
            (row[at] + sum((abs(entry) for j, entry in enumerate(row) if j != at), arb(0))) <= 0
            for at, row in enumerate(rows)
        )


def peak(
    size: int, point: Callable[[list[Value]], Value], slopes: Slopes, curvature: Curvature
) -> Peak | None:
    """The highest place that Newton's method reaches and that is exactly one, or None.

    Args: point, slopes, curvature: the body and its derivatives at a place of the unit cube.
    """
    try:
        return _peak(size, point, slopes, curvature)
    except (Undecided, Undefined, OverflowError, numpy.linalg.LinAlgError):
        return None


def _peak(
    size: int, point: Callable[[list[Value]], Value], slopes: Slopes, curvature: Curvature
) -> Peak | None:
    grid = [fmpq(i, SIDE[size] - 1) for i in range(SIDE[size])]
    start = max(itertools.product(grid, repeat=size), key=lambda at: to_float(point(list(at))))
    place = numpy.array([to_float(entry) for entry in start])
    for _ in range(STEPS):
        place = numpy.clip(place + _newton(_rational(place, 2**30), slopes, curvature), 0.0, 1.0)
        if not numpy.isfinite(place).all():  # slopes beyond floats
            return None
    near = _rational(place, LARGEST_DENOMINATOR)
    for found in (near, _exact_step(near, slopes, curvature)):
        if found is None or not all(0 <= entry <= 1 for entry in found):
            continue
        if all(slope == 0 for slope in slopes(found)):  # of a ball: it is the point 0
            value = _number(point(found))
            return None if value is None else Peak(found, value, curvature)
    return None


def _number(value: Value) -> Value | None:
    """An exact value, that of a ball without radius too."""
    if not isinstance(value, arb):
        return value
    return midpoint(value) if value.is_exact() else None


def _rational(place: numpy.ndarray, most: int) -> Place:
    near = [Fraction(float(entry)).limit_denominator(most) for entry in place]
    return [fmpq(entry.numerator, entry.denominator) for entry in near]


def _newton(place: Place, slopes: Slopes, curvature: Curvature) -> numpy.ndarray:
    down = numpy.array([to_float(slope) for slope in slopes(place)])
    bent = numpy.array([[to_float(entry) for entry in row] for row in curvature(place)])
    return numpy.asarray(-numpy.linalg.lstsq(bent, down, rcond=None)[0])


def _exact_step(place: Place, slopes: Slopes, curvature: Curvature) -> Place | None:
    """A step of Newton's method in rationals: for a quadratic body it ends where slopes vanish."""
    from flint import fmpq_mat

    down, bent = slopes(place), curvature(place)
    size = len(place)
    if not all(map(is_exact, [*down, *itertools.chain(*bent)])):
        return None
    matrix = fmpq_mat(size, size, list(itertools.chain(*bent)))
    if matrix.det() == 0:
        return None
    step = matrix.solve(fmpq_mat(size, 1, down))
    return [entry - step[i, 0] for i, entry in enumerate(place)]
