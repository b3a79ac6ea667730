"""Minkowski's determinant inequality.

Setting    positive semi-definite d x d matrices A, B.
"""

from boundcheck import Claim, Holds
from boundcheck.expressions import determinant as det
from boundcheck.settings.matrices import d, semidefinite

from . import MINKOWSKI

HERE = MINKOWSKI.at("determinants")
A, B = semidefinite("A"), semidefinite("B")

printed = Claim(HERE, Holds(det(A) ** (1 / d) + det(B) ** (1 / d) <= det(A + B) ** (1 / d)))
sums = Claim(HERE, Holds(det(A) + det(B) <= det(A + B)))
additive = Claim(HERE, Holds(det(A + B) <= det(A) + det(B)))
