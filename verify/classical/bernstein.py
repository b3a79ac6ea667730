"""Bernstein's inequality.

Setting    S the sum of n independent variables in [0, 1], t > 0.
Claim      P(S - E S >= t) <= exp(-t^2 / (2 (Var S + t / 3))).
False      without the term t / 3: a Gaussian tail with the true variance.
"""

from sympy import exp

from boundcheck import Claim, Holds
from boundcheck.quantities import laws
from boundcheck.worlds import Real

from . import BERNSTEIN, independent_variables, t, tail, variance

SETTING = {
    "worlds": independent_variables(variables=2),
    "parameters": {t: Real(0, 2)},
    "measure": {tail: laws.sum_deviation_tail, variance: laws.sum_variance},
    "cost": 0.25,
}

printed = Claim(
    source=BERNSTEIN.at("inequality"), given=[t > 0],
    statement=Holds(tail <= exp(-(t**2) / (2 * (variance + t / 3)))), **SETTING,
)  # fmt: skip
gaussian = Claim(
    source=BERNSTEIN.at("inequality, linear term lost"), given=[t > 0, variance > 0],
    statement=Holds(tail <= exp(-(t**2) / (2 * variance))), **SETTING,
)  # fmt: skip
