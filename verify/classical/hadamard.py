"""Hadamard's determinant inequality.

Setting    a square matrix A.
"""

from boundcheck import Claim, Holds
from boundcheck.expressions import determinant, multiplied, total
from boundcheck.settings.matrices import c, d, r, semidefinite, square
from boundcheck.worlds import Integer

from . import HADAMARD

HERE = HADAMARD.at("theorem")
LARGER = {d: Integer(1, searched=4)}
A, K = square("A"), semidefinite("K")


def diagonal_bound(matrix):
    return determinant(matrix) ** 2 <= multiplied(matrix[r, r] ** 2, r)


lengths = multiplied(total(A[r, c] ** 2, c), r)

printed = Claim(HERE, Holds(determinant(A) ** 2 <= lengths), domains=LARGER)
diagonal = Claim(HERE, Holds(diagonal_bound(K)), domains=LARGER)
diagonal_any = Claim(HERE, Holds(diagonal_bound(A)), domains=LARGER)
