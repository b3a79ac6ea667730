"""The Dvoretzky-Kiefer-Wolfowitz inequality with Massart's constant.

Setting    a law on ordered atoms with distribution function F, F_n that of n draws, epsilon > 0.
"""

from sympy import Abs, exp

from boundcheck import Claim, Holds
from boundcheck.expressions import (
    greatest,
    index,
    indicator,
    outcome,
    parameter,
    probability,
    total,
)
from boundcheck.settings.scalar_laws import K, k, p
from boundcheck.worlds import Counts, Integer, Real

from . import MASSART_DKW

HERE = MASSART_DKW.at("Corollary 1")
n = parameter("n", Integer(1, searched=6))
epsilon = parameter("epsilon", Real(0, None, open_low=True, searched=(0, 1)))
counts = outcome("counts", Counts("counts", p, n))
level = index("level", K)
gap = total(indicator(k <= level) * (counts[k] / n - p[k]), k)
tail = probability(greatest(Abs(gap), level) > epsilon, counts)

printed = Claim(HERE, Holds(tail <= 2 * exp(-2 * n * epsilon**2)))
without_two = Claim(HERE, Holds(tail <= exp(-2 * n * epsilon**2)))
exponent_four = Claim(HERE, Holds(tail <= 2 * exp(-4 * n * epsilon**2)))
