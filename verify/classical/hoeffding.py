"""Hoeffding's inequality.

Setting    S the sum of n independent variables in [0, 1], t > 0.
"""

from sympy import Abs, exp

from boundcheck import Claim, Holds
from boundcheck.settings.concentration import E, P, S, n, t

from . import HOEFFDING

both = P(Abs(S - E(S)) >= t)

one_sided = Claim(HOEFFDING.at("Theorem 1"), Holds(P(S - E(S) >= t) <= exp(-2 * t**2 / n)))
printed = Claim(HOEFFDING.at("Theorem 1"), Holds(both <= 2 * exp(-2 * t**2 / n)))
without_factor = Claim(HOEFFDING.at("Theorem 1, factor 2 lost"), Holds(both <= exp(-2 * t**2 / n)))
