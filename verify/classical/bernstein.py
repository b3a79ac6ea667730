"""Bernstein's inequality.

Setting    S the sum of n independent variables in [0, 1], t > 0.
"""

from sympy import exp

from boundcheck import Claim, Holds
from boundcheck.settings.concentration import E, P, S, Var, t

from . import BERNSTEIN

tail = P(S - E(S) >= t)

printed = Claim(
    BERNSTEIN.at("inequality"),
    Holds(tail <= exp(-(t**2) / (2 * (Var(S) + t / 3)))),
    cost=0.25,
)
gaussian = Claim(
    BERNSTEIN.at("inequality, linear term lost"),
    Holds(tail <= exp(-(t**2) / (2 * Var(S)))),
    given=[Var(S) > 0],
    cost=0.25,
)
