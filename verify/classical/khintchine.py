"""Khintchine's inequality between L1 and L2.

Setting    fair independent signs xi_1..xi_n, coefficients a, Z = |sum_i a_i xi_i|.
"""

from sympy import Abs, Rational, sqrt

from boundcheck import Claim, Expected
from boundcheck.expressions import inner, norm, outcome, world
from boundcheck.worlds import Integer, Signs, Vector

from . import KHINTCHINE

HERE = KHINTCHINE.at("constants of Szarek")
n = world("n", Integer(1, searched=5))
a = world("a", Vector(n), units={"coefficient": 1})
xi = outcome("xi", Signs("xi", n))
Z = Abs(inner(a, xi))

printed = Claim(HERE, Expected(norm(a) / sqrt(2) <= Z))
upper = Claim(HERE, Expected(norm(a) >= Z))
three_quarters = Claim(HERE, Expected(Rational(3, 4) * norm(a) <= Z))
constant_one = Claim(HERE, Expected(norm(a) <= Z))
