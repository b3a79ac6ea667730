"""Random sign features on the circle: their kernel and the law of the signs of points."""

from __future__ import annotations

from typing import Any

from flint import fmpq, fmpq_mat


def circle_kernel(angles: Any, others: Any = None) -> fmpq_mat:
    """E_v sgn(x^T v) sgn(x'^T v) on the circle, v uniform, for angles in turns: 1 - 4 distance.

    The two signs differ on a share 2 theta / (2 pi) of the directions, theta the angle between
    the points, and theta / (2 pi) is their distance in turns.

    >>> circle_kernel((fmpq(0), fmpq(1, 3)))[0, 1]
    -1/3
    """
    others = angles if others is None else others
    table = [1 - 4 * turn_distance(a, b) for a in angles for b in others]
    return fmpq_mat(len(angles), len(others), table)


def turn_distance(a: Any, b: Any) -> fmpq:
    """Distance in turns on the circle, in [0, 1/2]."""
    gap = fmpq(a) - fmpq(b)
    gap -= gap.floor()
    return min(gap, 1 - gap)


def turn_sign(a: Any, b: Any) -> int:
    """sgn(x^T v) for angles in turns; zero where they are at a right angle."""
    distance = turn_distance(a, b)
    return (distance < fmpq(1, 4)) - (distance > fmpq(1, 4))


def circle_patterns(angles: Any) -> list[tuple[fmpq, tuple[int, ...]]]:
    """Law of the sign vector (sgn(x_i^T v))_i on the circle: one entry per arc of directions v."""
    turns = {fmpq(a) + fmpq(side, 4) for a in angles for side in (1, -1)}
    ends = sorted(turn - turn.floor() for turn in turns)
    arcs = []
    for start, end in zip(ends, [*ends[1:], ends[0] + 1], strict=True):
        middle = (start + end) / 2
        arcs.append((end - start, tuple(turn_sign(a, middle) for a in angles)))
    return arcs
