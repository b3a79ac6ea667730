"""The spectral radius of a sum.

Setting    square matrices A, B.
Claim      for symmetric ones the spectral radius of A + B is at most the sum of both.
False      for any square matrices: two nilpotent ones can have a sum of radius 1.
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
