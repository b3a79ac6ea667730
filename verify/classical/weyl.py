"""Weyl's inequality for eigenvalues of a sum.

Setting    symmetric A, B; eigenvalues in increasing order, k any position.
"""

from sympy import Abs, sqrt

from boundcheck import Claim, Holds
from boundcheck.expressions import eigenvalues, frobenius_norm, operator_norm, parameter
from boundcheck.settings.matrices import A, B, d
from boundcheck.worlds import Integer

from . import WEYL

HERE = WEYL.at("Theorem 1")
k = parameter("k", Integer(1, d))
moved = Abs(eigenvalues(A + B)[k - 1] - eigenvalues(A)[k - 1])

printed = Claim(HERE, Holds(moved <= operator_norm(B)))
average = Claim(HERE, Holds(moved <= frobenius_norm(B) / sqrt(d)))
