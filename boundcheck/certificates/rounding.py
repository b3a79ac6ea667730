"""From floats to rationals: points of linear equations, squares of Gram matrices, their faces."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import fmpq, fmpq_mat

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

Row = tuple[tuple[int, fmpq], ...]
DENOMINATOR, NEAR = 40, 1e-3  # of the numbers in a face; how far they may lie from the floats


def exact_point(
    rows: Sequence[Row], right: Sequence[fmpq], values: Sequence[float], bits: int
) -> list[fmpq] | None:
    """The point of some equations next to rounded values, by least squares; None if there is none.

    >>> [str(x) for x in exact_point([((0, fmpq(1)), (1, fmpq(1)))], [fmpq(1)], [0.3, 0.7], 4)]
    ['5/16', '11/16']
    """
    unit = 2**bits
    start = [fmpq(round(value * unit), unit) for value in values]
    kept, gaps = _independent(rows, right, start)
    if not kept:
        return start if not any(gaps) else None
    table = fmpq_mat(len(kept), len(values), _dense(kept, len(values)))
    square = table * table.transpose()
    try:
        move = table.transpose() * square.solve(fmpq_mat(len(kept), 1, gaps))
    except ZeroDivisionError:
        return None
    found = [x + move[k, 0] for k, x in enumerate(start)]
    met = all(sum((c * found[k] for k, c in row), fmpq(0)) == b
              for row, b in zip(rows, right, strict=True))  # fmt: skip
    return found if met else None


def _dense(rows: Sequence[Row], width: int) -> list[fmpq]:
    found = [fmpq(0)] * (len(rows) * width)
    for i, row in enumerate(rows):
        for k, value in row:
            found[i * width + k] = value
    return found


def _independent(
    rows: Sequence[Row], right: Sequence[fmpq], start: Sequence[fmpq]
) -> tuple[list[Row], list[fmpq]]:
    """Rows none of which follows from the others, and by how much a point misses them."""
    turned = fmpq_mat(len(start), len(rows), _dense(rows, len(start))[:]) if not rows else (
        fmpq_mat(len(rows), len(start), _dense(rows, len(start))).transpose())  # fmt: skip
    reduced, rank = turned.rref()
    kept = [next(k for k in range(len(rows)) if reduced[i, k]) for i in range(rank)]
    gaps = [right[k] - sum((c * start[j] for j, c in rows[k]), fmpq(0)) for k in kept]
    return [rows[k] for k in kept], gaps


def squares_of(gram: Sequence[Sequence[fmpq]]) -> list[tuple[fmpq, list[fmpq]]] | None:
    """Weights and vectors v with Gram = sum of weight v v^T; None if it has a negative part.

    >>> found = squares_of([[fmpq(1), fmpq(-1)], [fmpq(-1), fmpq(2)]])
    >>> [(str(w), [str(c) for c in v]) for w, v in found]
    [('1', ['1', '-1']), ('1', ['0', '1'])]
    >>> squares_of([[fmpq(0), fmpq(1)], [fmpq(1), fmpq(2)]]) is None
    True
    """
    rest = [list(row) for row in gram]
    found: list[tuple[fmpq, list[fmpq]]] = []
    for k in range(len(rest)):
        pivot = rest[k][k]
        if pivot < 0 or (not pivot and any(rest[k])):
            return None
        if not pivot:
            continue
        side = [value / pivot for value in rest[k]]
        found.append((pivot, side))
        for i, factor in enumerate(side):
            if factor:
                rest[i] = [x - pivot * factor * y for x, y in zip(rest[i], side, strict=True)]
    return found


def face(gram: NDArray[numpy.float64], least: float) -> list[list[fmpq]] | None:
    """Rational vectors that span the range of a matrix, small eigenvalues taken for zero.

    None where the range has no short numbers. Each is a combination of the old basis.
    """
    import numpy

    values, vectors = numpy.linalg.eigh(gram)
    kernel = vectors[:, values <= least].T
    count = len(gram)
    if not len(kernel):
        return [[fmpq(int(i == k)) for k in range(count)] for i in range(count)]
    reduced, pivots = _echelon(kernel)
    table: list[list[fmpq]] = []
    for row in reduced:
        near = [Fraction(float(x)).limit_denominator(DENOMINATOR) for x in row]
        if max(abs(float(a) - x) for a, x in zip(near, row, strict=True)) > NEAR:
            return None
        table.append([fmpq(a.numerator, a.denominator) for a in near])
    found = []
    for k in (k for k in range(count) if k not in pivots):
        vector = [fmpq(int(i == k)) for i in range(count)]
        for row, pivot in zip(table, pivots, strict=True):
            vector[pivot] = -row[k]
        found.append(vector)
    return found


def _echelon(
    rows: NDArray[numpy.float64],
) -> tuple[NDArray[numpy.float64], list[int]]:
    """Reduced rows, the largest entries as pivots."""
    import numpy

    rest, pivots = rows.copy(), []
    for i in range(len(rest)):
        place = numpy.unravel_index(numpy.argmax(numpy.abs(rest[i:])), rest[i:].shape)
        top, column = int(place[0]) + i, int(place[1])
        rest[[i, top]] = rest[[top, i]]
        rest[i] /= rest[i, column]
        for other in range(len(rest)):
            if other != i:
                rest[other] -= rest[other, column] * rest[i]
        pivots.append(column)
    return rest, pivots
