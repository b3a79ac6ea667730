"""Operator monotonicity of the square root and of the square.

Setting    positive semi-definite A and B = A + P with P positive semi-definite; any vector u.
"""

from boundcheck import Claim, Holds
from boundcheck.expressions import form, matrix_root
from boundcheck.settings.matrices import semidefinite, u

from . import LOEWNER

A, P = semidefinite("A"), semidefinite("P")

root = Claim(
    LOEWNER.at("square root"),
    Holds(form(matrix_root(A), u) <= form(matrix_root(A + P), u)),
    cost=4.0,
)
square = Claim(LOEWNER.at("square"), Holds(form(A**2, u) <= form((A + P) ** 2, u)))
