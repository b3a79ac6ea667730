"""The Boettcher-Wenzel inequality.

Setting    real square matrices X, Y.
"""

from sympy import sqrt

from boundcheck import Claim, Holds
from boundcheck.expressions import frobenius_norm
from boundcheck.settings.matrices import square

from . import BOETTCHER_WENZEL

HERE = BOETTCHER_WENZEL.at("Theorem 2.2")
X, Y = square("X"), square("Y")
commutator, bound = frobenius_norm(X * Y - Y * X), frobenius_norm(X) * frobenius_norm(Y)

printed = Claim(
    HERE,
    Holds(commutator <= sqrt(2) * bound),
    reading="real matrices, where the theorem has complex ones",
)
constant_one = Claim(HERE, Holds(commutator <= bound))
