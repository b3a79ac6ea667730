"""Hoeffding's inequality.

Setting    S the sum of n independent variables in [0, 1], t > 0.
Claim      P(S - E S >= t) <= exp(-2 t^2 / n), and twice that for |S - E S|.
False      the two-sided tail without the factor 2.
"""

from sympy import exp

from boundcheck import Claim, Holds
from boundcheck.quantities import laws
from boundcheck.quantities.base import renamed
from boundcheck.worlds import Real

from . import HOEFFDING, independent_variables, n, t, tail

SETTING = {
    "given": [t > 0],
    "worlds": independent_variables(),
    "parameters": {t: Real(0, 3)},
}
ONE = {tail: laws.sum_deviation_tail}
BOTH = {tail: renamed(laws.sum_absolute_tail)}

one_sided = Claim(
    source=HOEFFDING.at("Theorem 1"), statement=Holds(tail <= exp(-2 * t**2 / n)),
    measure=ONE, **SETTING,
)  # fmt: skip
printed = Claim(
    source=HOEFFDING.at("Theorem 1"), statement=Holds(tail <= 2 * exp(-2 * t**2 / n)),
    measure=BOTH, **SETTING,
)  # fmt: skip
without_factor = Claim(
    source=HOEFFDING.at("Theorem 1, factor 2 lost"),
    statement=Holds(tail <= exp(-2 * t**2 / n)), measure=BOTH, **SETTING,
)  # fmt: skip
