"""Cantelli's inequality: Chebyshev for one side.

Setting    X with finitely many values, t > 0.
Claim      P(X - E X >= t) <= Var X / (Var X + t^2).
False      the same bound for both sides; half of Chebyshev's bound for one side.
"""

from boundcheck import Claim, Holds
from boundcheck.quantities import laws
from boundcheck.worlds import Real, scalar_laws

from . import CANTELLI, t, tail, variance

SETTING = {
    "source": CANTELLI.at("inequality"),
    "given": [t > 0],
    "worlds": scalar_laws(low=-1),
    "parameters": {t: Real(0, 2)},
}
ONE, BOTH = laws.deviation_tail, laws.absolute_tail

printed = Claim(
    statement=Holds(tail <= variance / (variance + t**2)),
    measure={variance: laws.variance, tail: ONE}, **SETTING,
)  # fmt: skip
two_sided = Claim(
    statement=Holds(tail <= variance / (variance + t**2)),
    measure={variance: laws.variance, tail: BOTH}, **SETTING,
)  # fmt: skip
half_of_chebyshev = Claim(
    statement=Holds(tail <= variance / (2 * t**2)),
    measure={variance: laws.variance, tail: ONE}, **SETTING,
)  # fmt: skip
