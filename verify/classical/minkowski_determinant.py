"""Minkowski's determinant inequality.

Setting    positive semi-definite d x d matrices A, B.
Claim      det(A)^(1/d) + det(B)^(1/d) <= det(A + B)^(1/d), hence det A + det B <= det(A + B).
False      det(A + B) <= det A + det B; additivity of the root for any two symmetric matrices.
"""

from sympy import symbols

from boundcheck import Claim, Holds
from boundcheck.worlds import Gram, Integer, Space

from . import MINKOWSKI, d

a, b, whole = symbols("a b whole", real=True)
SETTING = {
    "source": MINKOWSKI.at("determinants"),
    "worlds": Space(d=Integer(1, searched=3), A=Gram("d"), B=Gram("d")),
    "measure": {a: lambda A: A.det(), b: lambda B: B.det(), whole: lambda A, B: (A + B).det()},
}

printed = Claim(statement=Holds(a ** (1 / d) + b ** (1 / d) <= whole ** (1 / d)), **SETTING)
sums = Claim(statement=Holds(a + b <= whole), **SETTING)
additive = Claim(statement=Holds(whole <= a + b), **SETTING)
