"""Climbing in floats along the gradient of the score, which a batch of neighbours gives.

Breeding finds the hill; in dozens of coordinates it never reaches the top. Differences of a whole
batch of worlds are one look, so a step costs two worlds for each coordinate.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from boundcheck.worlds.columns import Floats

STEP = 1e-6  # of a coordinate, to both sides
MOST = 40  # steps of one climb
CLOSE = 1 / 8  # of the range of a coordinate: a hill is climbed before another one is tried
LOOK = 64  # worlds that cost as much as what a look of any size costs besides
FARTHEST = 1e9  # what a world without a score counts, to be minimised


def swept(
    scores: Callable[[Floats], Floats | None], start: Floats, value: float, free: list[int],
    rng: Any, left: float,
) -> tuple[Floats, float]:
    """The best row met by sweeping one coordinate after the other over its whole range.

    Scores jump where an event does, so steps along slopes stop there; a sweep looks at a coordinate
    far and near at once, at steps of every power of two. It ends when a round of all does not help.

    Args: scores, start, free, left: as of `climbed`. value: score of the start. rng: of the order.
    Returns: the row and its score.
    """
    near = 0.5 ** numpy.arange(1, 21)
    while True:
        before = value
        for coordinate in (free[int(i)] for i in rng.permutation(len(free))):
            places = numpy.concatenate((
                numpy.clip(start[coordinate] + numpy.concatenate((near, -near)), 0, 1),
                rng.random(LOOK - 2 * len(near) - 3), (0.0, 0.5, 1.0),
            ))  # fmt: skip
            rows = numpy.repeat(start[None], LOOK, axis=0)
            rows[:, coordinate] = places
            found = scores(rows)
            left -= LOOK
            if found is None or left < 0:
                return start, value
            best = _nearest_better(found, abs(places - start[coordinate]), value)
            if best is not None:
                start, value = rows[best], float(found[best])
        if value <= before:
            return start, value


def _nearest_better(found: Floats, away: Floats, value: float) -> int | None:
    """The best of the rows that are better, among those nearby if there are any."""
    for within in (CLOSE, 1.0):
        chosen = numpy.where(away <= within, found, -numpy.inf)
        best = int(numpy.argmax(chosen))
        if chosen[best] > value:
            return best
    return None


def climbed(
    scores: Callable[[Floats], Floats | None], start: Floats, free: list[int], left: float
) -> Floats:
    """Where a climb by quasi-Newton steps ends; the start where too few looks are left.

    Args:
        scores: of rows of coordinates, shape (rows, coordinates); None where they have none.
        start: coordinates in [0, 1] of a world with a positive score. free: those that may move.
        left: rows that may be looked at.
    Source: Byrd, Lu, Nocedal and Zhu, SIAM Journal on Scientific Computing 16 (1995) 1190-1208.
    """
    around = numpy.zeros((2 * len(free) + 1, len(start)))
    looks = int(left / max(len(around), LOOK))
    if looks < 2:
        return start
    from scipy.optimize import minimize

    for place, coordinate in enumerate(free):
        around[1 + 2 * place, coordinate], around[2 + 2 * place, coordinate] = STEP, -STEP

    def descent(point: Floats) -> tuple[float, Floats]:
        row = start.copy()
        row[free] = numpy.clip(point, STEP, 1 - STEP)
        found = scores(row + around)
        if found is None or not found[0] > 0:
            return FARTHEST, numpy.zeros(len(free))
        with numpy.errstate(all="ignore"):
            logs = numpy.log(found)
            slope = (logs[1::2] - logs[2::2]) / (2 * STEP)
        slope[~numpy.isfinite(slope)] = 0.0
        return -float(logs[0]), -slope

    found = minimize(
        descent, start[free], jac=True, method="L-BFGS-B", bounds=[(0.0, 1.0)] * len(free),
        options={"maxiter": min(MOST, looks), "maxfun": looks},
    )  # fmt: skip
    top = start.copy()
    top[free] = numpy.clip(found.x, 0, 1)
    return top
