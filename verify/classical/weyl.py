"""Weyl's inequality for eigenvalues of a sum.

Setting    symmetric A, B; eigenvalues in increasing order, k any position.
Claim      |lambda_k(A + B) - lambda_k(A)| <= ||B||.
False      with the Frobenius norm over sqrt(d).
"""

from sympy import sqrt, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.base import renamed
from boundcheck.quantities.operators import eigenvalues, frobenius_norm, operator_norm
from boundcheck.worlds import Integer, symmetric_matrices

from . import WEYL, d, left

k, norm, frobenius = symbols("k norm frobenius", real=True)


def moved(A, B, k):
    """|lambda_k(A + B) - lambda_k(A)|."""
    return abs(eigenvalues(A + B)[k - 1] - eigenvalues(A)[k - 1])


SETTING = {
    "source": WEYL.at("Theorem 1"),
    "worlds": symmetric_matrices(),
    "parameters": {k: Integer(1, "d")},
    "measure": {
        left: moved, norm: renamed(operator_norm, matrix="B"),
        frobenius: renamed(frobenius_norm, matrix="B"),
    },
}  # fmt: skip

printed = Claim(statement=Holds(left <= norm), **SETTING)
average = Claim(statement=Holds(left <= frobenius / sqrt(d)), **SETTING)
