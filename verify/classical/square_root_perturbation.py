"""Perturbation of the square root in operator norm.

Setting    positive semi-definite A = R^2 and B = S^2, given by their roots R, S.
Claim      ||R - S|| <= ||A - B||^(1/2).
False      a Lipschitz bound ||R - S|| <= ||A - B||; also with constant 3/4.
"""

from sympy import Rational, sqrt, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.operators import operator_norm
from boundcheck.worlds import Gram, Integer, Space

from . import VAN_HEMMEN_ANDO, left

gap = symbols("gap", real=True)
SETTING = {
    "source": VAN_HEMMEN_ANDO.at("Proposition 2.1"),
    "worlds": Space(d=Integer(1, searched=3), R=Gram("d"), S=Gram("d")),
    "measure": {
        left: lambda R, S: operator_norm(R - S), gap: lambda R, S: operator_norm(R * R - S * S),
    },
}  # fmt: skip

printed = Claim(statement=Holds(left <= sqrt(gap)), **SETTING)
lipschitz = Claim(statement=Holds(left <= gap), **SETTING)
smaller_constant = Claim(statement=Holds(left <= Rational(3, 4) * sqrt(gap)), **SETTING)
