"""Chebyshev's inequality.

Setting    X with finitely many values, t > 0.
Claim      P(|X - E X| >= t) <= Var X / t^2.
False      with the factor 1/2 that a one-sided tail would suggest.
"""

from boundcheck import Claim, Holds
from boundcheck.quantities import laws
from boundcheck.worlds import Real, scalar_laws

from . import CHEBYSHEV, t, tail, variance

SETTING = {
    "source": CHEBYSHEV.at("inequality"),
    "given": [t > 0],
    "worlds": scalar_laws(low=-1),
    "parameters": {t: Real(0, 2)},
    "measure": {variance: laws.variance, tail: laws.absolute_tail},
}

printed = Claim(statement=Holds(tail <= variance / t**2), **SETTING)
halved = Claim(statement=Holds(tail <= variance / (2 * t**2)), **SETTING)
