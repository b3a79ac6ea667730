"""Semidefinite matrices that meet linear equations, in floats.

The unknowns are the lower triangles of some matrices, row by row, then free numbers. The least
eigenvalue is made as large as it can be, so that what is found lies inside the set of solutions
where that has an inside.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray
    from scipy.sparse import csc_matrix

ITERATIONS = 60
SMALL = 1e-7  # what a unit of trace costs against a unit of the least eigenvalue


@dataclass(frozen=True)
class Program:
    """Linear equations in the unknowns.

    Args: sizes: of the matrices. free: how many free numbers follow. entries: (row, unknown,
    value). right: right sides, one for each row.
    """

    sizes: tuple[int, ...]
    free: int
    entries: tuple[tuple[int, int, float], ...]
    right: tuple[float, ...]

    def unknowns(self) -> int:
        """How many numbers are sought."""
        return sum(n * (n + 1) // 2 for n in self.sizes) + self.free


def solve(program: Program) -> NDArray[numpy.float64] | None:
    """The unknowns, or None if the solver finds none.

    >>> one = Program((2,), 0, ((0, 0, 1.0), (1, 2, 1.0), (2, 1, 1.0)), (1.0, 1.0, 0.5))
    >>> [round(float(x), 3) for x in solve(one)]
    [1.0, 0.5, 1.0]
    """
    import clarabel
    import numpy
    from scipy.sparse import csc_matrix

    unknowns = program.unknowns()
    width, top = unknowns + 1, len(program.right)  # the last one: the least eigenvalue
    rows, constant, cones = _cones(program, top)
    i, j, v = zip(*program.entries, *rows, strict=True)
    matrix: csc_matrix = csc_matrix((v, (i, j)), shape=(len(constant), width))
    cost = numpy.zeros(width)
    cost[-1] = -1.0
    cost[_diagonals(program)] = SMALL
    settings = clarabel.DefaultSettings()
    settings.verbose, settings.max_iter, settings.max_threads = False, ITERATIONS, 1
    solver = clarabel.DefaultSolver(
        csc_matrix((width, width)), cost, matrix, numpy.array(constant), cones, settings
    )
    found = solver.solve()
    good = found.status in (clarabel.SolverStatus.Solved, clarabel.SolverStatus.AlmostSolved)
    x = numpy.array(found.x)
    return x[:-1] if good and x[-1] > -1e-6 and numpy.isfinite(x).all() else None


def _diagonals(program: Program) -> list[int]:
    found, start = [], 0
    for n in program.sizes:
        found += [start + k * (k + 3) // 2 for k in range(n)]
        start += n * (n + 1) // 2
    return found


def _cones(
    program: Program, top: int
) -> tuple[list[tuple[int, int, float]], list[float], list[object]]:
    """Rows below the equations: the last unknown at most one, no eigenvalue below it."""
    import clarabel

    last = program.unknowns()
    rows, constant = [(top, last, 1.0)], [*program.right, 1.0]
    cones: list[object] = [clarabel.ZeroConeT(top), clarabel.NonnegativeConeT(1)]
    start = 0
    for n in program.sizes:
        for column in range(n):
            for row in range(column + 1):  # the solver's order: upper triangle by columns
                here = len(constant)
                scale = 1.0 if row == column else math.sqrt(2)
                rows.append((here, start + column * (column + 1) // 2 + row, -scale))
                if row == column:
                    rows.append((here, last, 1.0))
                constant.append(0.0)
        start += n * (n + 1) // 2
        cones.append(clarabel.PSDTriangleConeT(n))
    return rows, constant, cones


def matrices(sizes: Sequence[int], values: NDArray[numpy.float64]) -> list[NDArray[numpy.float64]]:
    """The symmetric matrices of which unknowns are the lower triangles."""
    import numpy

    found, start = [], 0
    for n in sizes:
        whole = numpy.zeros((n, n))
        whole[numpy.tril_indices(n)] = values[start : start + n * (n + 1) // 2]
        found.append(whole + numpy.tril(whole, -1).T)
        start += n * (n + 1) // 2
    return found
