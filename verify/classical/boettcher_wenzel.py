"""The Boettcher-Wenzel inequality.

Setting    square matrices X, Y.
Claim      ||X Y - Y X||_F <= sqrt(2) ||X||_F ||Y||_F; the triangle inequality gives only 2.
False      with constant 1.
"""

from sympy import sqrt, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.base import renamed
from boundcheck.quantities.matrices import commutator_norm
from boundcheck.quantities.operators import frobenius_norm
from boundcheck.worlds import Integer, Matrix, Space

from . import BOETTCHER_WENZEL, left

first, second = symbols("first second", real=True)
SETTING = {
    "source": BOETTCHER_WENZEL.at("Theorem 2.2"),
    "worlds": Space(d=Integer(1, searched=3), X=Matrix("d", "d"), Y=Matrix("d", "d")),
    "measure": {
        left: commutator_norm, first: renamed(frobenius_norm, matrix="X"),
        second: renamed(frobenius_norm, matrix="Y"),
    },
}  # fmt: skip

printed = Claim(statement=Holds(left <= sqrt(2) * first * second), **SETTING)
constant_one = Claim(statement=Holds(left <= first * second), **SETTING)
