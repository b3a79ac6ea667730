"""Hadamard's determinant inequality.

Setting    a square matrix A.
Claim      det(A)^2 <= the product of the squared row lengths.
False      with the product of squared diagonal entries.
"""

from flint import fmpq

from boundcheck import Claim, Holds
from boundcheck.worlds import Integer, Matrix, Space

from . import WORK, left, right


def row_lengths(A):
    """Product over rows of the sum of squares."""
    product = fmpq(1)
    for row in A.tolist():
        product *= sum((v * v for v in row), fmpq(0))
    return product


def diagonal_squares(A):
    """Product of the squared diagonal entries."""
    product = fmpq(1)
    for i in range(A.nrows()):
        product *= A[i, i] ** 2
    return product


def determinant_square(A):
    """det(A)^2."""
    return A.det() ** 2


SETTING = {
    "source": WORK.at("Theorem 1"),
    "statement": Holds(left <= right),
    "worlds": Space(d=Integer(1, searched=3), A=Matrix("d", "d")),
}

printed = Claim(measure={left: determinant_square, right: row_lengths}, **SETTING)
diagonal = Claim(measure={left: determinant_square, right: diagonal_squares}, **SETTING)
