"""The spectral radius of a sum.

Setting    square matrices A, B.
Claim      for symmetric ones the spectral radius of A + B is at most the sum of both.
False      for any square matrices: two nilpotent ones can have a sum of radius 1.
"""

from sympy import symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.base import renamed
from boundcheck.quantities.matrices import spectral_radius
from boundcheck.worlds import Integer, Matrix, Space, symmetric_matrices

from . import FOLKLORE, left

first, second = symbols("first second", real=True)
SETTING = {
    "source": FOLKLORE.at("spectral radius"),
    "statement": Holds(left <= first + second),
    "measure": {
        left: lambda A, B: spectral_radius(A + B), first: renamed(spectral_radius, matrix="A"),
        second: renamed(spectral_radius, matrix="B"),
    },
}  # fmt: skip

printed = Claim(worlds=symmetric_matrices(), **SETTING)
any_matrix = Claim(
    worlds=Space(d=Integer(1, searched=3), A=Matrix("d", "d"), B=Matrix("d", "d")), **SETTING
)
