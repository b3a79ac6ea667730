"""Arrangements of entries in which inequalities are often tight, for vectors and matrices.

Independent entries are hardly ever an identity, a matrix of signs with orthogonal rows or a power
law, so worlds in float batches are given some of these at once, several fields at a time. Worlds
drawn one by one are too few for it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

SHARE = 0.12  # of the fields with entries are arranged
LARGEST = 4096  # entries of a field that may be
NAMES = ("identity", "signs", "shift", "reversal", "next", "neighbours", "triangle", "corner",
         "inverse roots", "inverses", "inverse squares", "halves")  # fmt: skip
POWERS = {"inverse roots": -0.5, "inverses": -1.0, "inverse squares": -2.0}


def pattern(name: str, rows: int, cols: int) -> NDArray[float64]:
    """Entries in [-1, 1] of an arrangement, shape (rows, cols); a vector is one row.

    >>> pattern("signs", 2, 2).tolist()
    [[1.0, 1.0], [1.0, -1.0]]
    >>> pattern("signs", 1, 3).tolist(), pattern("inverses", 1, 2).tolist()
    ([[1.0, -1.0, 1.0]], [[1.0, 0.5]])
    """
    import numpy

    i, j = numpy.indices((rows, cols))
    if name == "signs":
        both = numpy.where(rows == 1, j & 1, i & j)
        odd = [[int(v).bit_count() % 2 for v in row] for row in both]
        return numpy.where(odd, -1.0, 1.0)
    if name in POWERS:
        return numpy.asarray((1.0 + i + j) ** POWERS[name])
    if name == "halves":
        return numpy.asarray(0.5 ** (i + j))
    chosen = {
        "identity": i == j, "shift": (i + 1) % cols == j, "reversal": i + j == cols - 1,
        "next": j == i + 1, "neighbours": abs(i - j) == 1, "triangle": j <= i,
        "corner": (i == 0) & (j == 0),
    }[name]  # fmt: skip
    return numpy.asarray(chosen, dtype=float)


def arranges(rows: int, cols: int) -> bool:
    """Whether a table of this size is sometimes arranged."""
    return 0 < rows * cols <= LARGEST


@lru_cache(maxsize=256)
def arrangements(rows: int, cols: int) -> NDArray[float64]:
    """The entries of every arrangement, shape (arrangements, rows * cols)."""
    import numpy

    return numpy.stack([pattern(name, rows, cols).ravel() for name in NAMES])


def positions(rng: Any, count: int, rows: int, cols: int, low: Any, high: Any) -> NDArray[float64]:
    """Coordinates in [0, 1] of arrangements of entries in [low, high], shape (count, entries).

    The largest entry stands on the end that is farther from zero; what would leave the range
    stands on its end.
    """
    import numpy

    low, high = (numpy.reshape(numpy.asarray(end, float), (-1, 1)) for end in (low, high))
    entries = arrangements(rows, cols)[rng.integers(len(NAMES), size=count)]
    scale = numpy.where(abs(high) >= abs(low), high, low)
    wide = numpy.where(high > low, high - low, 1.0)
    return numpy.asarray(numpy.clip((entries * scale - low) / wide, 0, 1))
