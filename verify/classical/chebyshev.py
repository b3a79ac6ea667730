"""Chebyshev's inequality.

Setting    X with finitely many values, t > 0.
"""

from sympy import Abs

from boundcheck import Claim, Holds
from boundcheck.settings.scalar_laws import E, P, Var, k, t, values

from . import CHEBYSHEV

HERE = CHEBYSHEV.at("inequality")
X = values()[k]
tail = P(Abs(X - E(X)) >= t)

printed = Claim(HERE, Holds(tail <= Var(X) / t**2))
halved = Claim(HERE, Holds(tail <= Var(X) / (2 * t**2)))
