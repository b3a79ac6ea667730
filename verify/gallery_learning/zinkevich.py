"""Zinkevich's regret bound for online gradient descent.

Setting    linear losses g_t x on an interval of length D, steps eta_t = 1 / sqrt(t), G the largest
           |g_t|, T rounds.
Claim      regret <= D^2 sqrt(T) / 2 + (sqrt(T) - 1/2) G^2.
False      with half of the second term.
"""

from sympy import Abs, Rational, sqrt

from boundcheck import Claim, Holds
from boundcheck.expressions import greatest, table
from boundcheck.settings.online import D, T, g, linear_regret, start, t

from . import ZINKEVICH

HERE = ZINKEVICH.at("Theorem 1")
G = greatest(Abs(g[t]), t)
regret = linear_regret(g, table(1 / sqrt(t + 1), t), D, start)
READ = "for linear losses on an interval, which the statement covers"

printed = Claim(
    HERE,
    Holds(regret <= D**2 * sqrt(T) / 2 + (sqrt(T) - Rational(1, 2)) * G**2),
    rescalings=(),
    reading=READ,
)
smaller = Claim(
    HERE,
    Holds(regret <= D**2 * sqrt(T) / 2 + (sqrt(T) - Rational(1, 2)) * G**2 / 8),
    rescalings=(),
    reading=READ,
)
