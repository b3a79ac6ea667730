"""Climbing in floats along the gradient of the score, which a batch of neighbours gives.

Breeding finds the hill; in dozens of coordinates it never reaches the top. Differences of a whole
batch of worlds are one look, so a step costs two worlds for each coordinate.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy

from boundcheck.worlds.columns import Floats

STEP = 1e-6  # of a coordinate, to both sides
MOST = 40  # steps of one climb
LOOK = 64  # worlds that cost as much as what a look of any size costs besides
FARTHEST = 1e9  # what a world without a score counts, to be minimised


def climbed(
    scores: Callable[[Floats], Floats | None], start: Floats, free: list[int], left: float
) -> Floats:
    """The best row seen on a climb by quasi-Newton steps, rounded as worlds are decoded.

    Args:
        scores: of rows of coordinates, shape (rows, coordinates); None where they have none.
        start: coordinates in [0, 1] of a world with a positive score. free: those that may move.
        left: rows that may be looked at.
    Source: Byrd, Lu, Nocedal and Zhu, SIAM Journal on Scientific Computing 16 (1995) 1190-1208.
    """
    from scipy.optimize import minimize

    around = numpy.zeros((2 * len(free) + 1, len(start)))
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

    looks = int(left / max(len(around), LOOK))
    if looks < 2:
        return start
    found = minimize(
        descent, start[free], jac=True, method="L-BFGS-B", bounds=[(0.0, 1.0)] * len(free),
        options={"maxiter": min(MOST, looks), "maxfun": looks},
    )  # fmt: skip
    top = start.copy()
    top[free] = numpy.clip(found.x, 0, 1)
    return top
