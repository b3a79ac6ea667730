"""What a ball, or a matrix of balls, does not hold for sure: an integer, a solution."""

from __future__ import annotations

from typing import Any

from flint import arb, arb_mat, fmpq_mat

from boundcheck.errors import ShapeMismatch, Undecided, Undefined

MOST_BITS = 2**24  # of a number that is written out


def integer_in(ball: arb) -> int | None:
    """The integer that a ball holds, or None for one that holds none or several.

    Raises: Undecided for a number of more bits than memory should hold: one of 2^40 bits ends the
    process.
    """
    if ball.is_finite() and int(ball.mid().man_exp()[1]) > MOST_BITS:
        raise Undecided("the integer part of a number of too many bits")
    found = ball.unique_fmpz()
    return None if found is None else int(found)


def solved(matrix: Any, right: Any) -> Any:
    """The matrix X with A X = B, of balls where A or B is.

    Raises: Undefined for a rational A that is singular; Undecided for one of balls that the solver
    does not invert, which may hold a regular matrix. ShapeMismatch for sizes that do not fit.

    >>> solved(fmpq_mat(1, 1, [4]), fmpq_mat(1, 1, [2]))
    [1/2]
    """
    if (matrix.nrows(), matrix.nrows()) != (matrix.ncols(), right.nrows()):
        raise ShapeMismatch(
            f"a {matrix.nrows()} x {matrix.ncols()} matrix is solved for {right.nrows()} rows"
        )
    if isinstance(right, arb_mat):
        # of a rational matrix: what is exactly singular has no value whatever stands on the right
        if isinstance(matrix, fmpq_mat) and matrix.rank() < matrix.nrows():
            raise Undefined("solution of a singular system")
        matrix = arb_mat(matrix)
    elif isinstance(matrix, arb_mat):
        right = arb_mat(right)
    try:
        return matrix.solve(right)
    except ZeroDivisionError as error:
        if isinstance(matrix, arb_mat):
            raise Undecided("balls do not tell a matrix from a singular one") from error
        raise Undefined("solution of a singular system") from error
