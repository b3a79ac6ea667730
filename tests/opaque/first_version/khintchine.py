"""Khintchine's inequality between L1 and L2.

Setting    fair independent signs xi_1..xi_n, coefficients a, Z = |sum_i a_i xi_i|.
Claim      ||a||_2 / sqrt(2) <= E Z <= ||a||_2.
False      the lower bound with constant 3/4.
"""

from sympy import Rational, sqrt, symbols

from boundcheck import Claim, Expected
from boundcheck.worlds import Integer, Signs, Space, Vector

from . import WORK, total

Z, square = symbols("Z square", real=True)
SETTING = {
    "source": WORK.at("Theorem 2"),
    "worlds": Space(n=Integer(1, searched=5), a=Vector("n")),
    "measure": {
        Z: lambda a, xi: abs(total(v * s for v, s in zip(a, xi, strict=True))),
        square: lambda a: total(v * v for v in a),
    },
    "draw": Signs("xi", "n"),
}

printed = Claim(statement=Expected(sqrt(square) / sqrt(2) <= Z), **SETTING)
three_quarters = Claim(statement=Expected(Rational(3, 4) * sqrt(square) <= Z), **SETTING)
