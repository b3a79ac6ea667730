"""Cantelli's inequality: Chebyshev for one side.

Setting    X with finitely many values, t > 0.
"""

from sympy import Abs

from boundcheck import Claim, Holds
from boundcheck.settings.scalar_laws import E, P, Var, k, t, values

from . import CANTELLI

HERE = CANTELLI.at("inequality")
X = values()[k]
one, both = P(X - E(X) >= t), P(Abs(X - E(X)) >= t)

printed = Claim(HERE, Holds(one <= Var(X) / (Var(X) + t**2)))
two_sided = Claim(HERE, Holds(both <= Var(X) / (Var(X) + t**2)))
half_of_chebyshev = Claim(HERE, Holds(one <= Var(X) / (2 * t**2)))
