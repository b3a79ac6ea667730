"""Maurer and Pontil's empirical Bernstein bound.

Setting    Z, Z_1..Z_n independent of one law on [0, 1], V the sample variance, delta in (0, 1).
Claim      with probability at least 1 - delta
           E Z - (1/n) sum_i Z_i <= sqrt(2 V log(2 / delta) / n) + 7 log(2 / delta) / (3 (n - 1)).
False      without the second term.
"""

from sympy import log, sqrt

from boundcheck import Claim, WithProbability
from boundcheck.expressions import define, outcome, parameter, total
from boundcheck.settings.scalar_laws import E, k, p, values
from boundcheck.worlds import Counts, Integer, Real

from . import MAURER_PONTIL

HERE = MAURER_PONTIL.at("Theorem 4")
z = values(low=0, high=1)
n = parameter("n", Integer(2, searched=12))
delta = parameter("delta", Real(0, 1, open_low=True, open_high=True))
counts = outcome("counts", Counts("counts", p, n, over="the sample"))
average = define("average", total(counts[k] * z[k], k) / n, latex=r"\bar Z")
square = total(counts[k] * z[k] ** 2, k) / n
V = define("V", n / (n - 1) * (square - average**2), says="Sample variance.")
spread = sqrt(2 * V * log(2 / delta) / n)
gap = define("gap", E(z[k]) - average)

printed = Claim(
    HERE, WithProbability(1 - delta, gap <= spread + 7 * log(2 / delta) / (3 * (n - 1))), cost=2.0
)
without_second = Claim(HERE, WithProbability(1 - delta, gap <= spread), cost=2.0)
