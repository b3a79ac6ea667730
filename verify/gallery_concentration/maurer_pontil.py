"""Maurer and Pontil's empirical Bernstein bound.

Setting    Z, Z_1..Z_n independent of one law on [0, 1], V the sample variance, delta in (0, 1).
"""

from sympy import log, sqrt

from boundcheck import Claim, WithProbability
from boundcheck.expressions import define
from boundcheck.settings.scalar_laws import E, delta, k, n, sample_mean, values
from boundcheck.worlds import Integer

from . import MAURER_PONTIL

HERE = MAURER_PONTIL.at("Theorem 4")
Z = values(low=0, high=1)[k]
V = define("V", n / (n - 1) * (sample_mean(Z**2) - sample_mean(Z) ** 2), says="Sample variance.")
spread = sqrt(2 * V * log(2 / delta) / n)
gap = E(Z) - sample_mean(Z)
AT_LEAST_TWO = {n: Integer(2, searched=12)}

printed = Claim(
    HERE,
    WithProbability(1 - delta, gap <= spread + 7 * log(2 / delta) / (3 * (n - 1))),
    domains=AT_LEAST_TWO,
    cost=2.0,
)
without_second = Claim(
    HERE, WithProbability(1 - delta, gap <= spread), domains=AT_LEAST_TWO, cost=2.0
)
