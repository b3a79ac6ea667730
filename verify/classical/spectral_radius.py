"""The spectral radius of a sum.

Setting    square matrices A, B.
"""

from boundcheck import Claim, Holds
from boundcheck.expressions import spectral_radius
from boundcheck.settings.matrices import square, symmetric

from . import FOLKLORE

HERE = FOLKLORE.at("spectral radius")


def sums(A, B):
    return spectral_radius(A + B) <= spectral_radius(A) + spectral_radius(B)


printed = Claim(HERE, Holds(sums(symmetric("A"), symmetric("B"))))
any_matrix = Claim(HERE, Holds(sums(square("A"), square("B"))))
