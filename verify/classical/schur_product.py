"""Schur's product theorem.

Setting    positive semi-definite A, B; u any vector; o is the entrywise product.
"""

from boundcheck import Claim, Holds
from boundcheck.expressions import entrywise, form
from boundcheck.settings.matrices import semidefinite, u

from . import SCHUR

A, B = semidefinite("A"), semidefinite("B")

printed = Claim(SCHUR.at("Theorem VII"), Holds(form(entrywise(A, B), u) >= 0))
below_product = Claim(
    SCHUR.at("Theorem VII, against the matrix product"),
    Holds(form(entrywise(A, B), u) <= form(A * B, u)),
)
difference_square = Claim(
    SCHUR.at("Theorem VII, applied to a difference"), Holds(form(entrywise(A - B, A), u) >= 0)
)
