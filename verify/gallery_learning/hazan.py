"""Hazan, Agarwal and Kale's logarithmic regret for strongly convex losses.

Setting    losses (alpha / 2) (x - a_t)^2 on [0, D], steps 1 / (alpha t), G the largest modulus of
           a derivative on [0, D], T rounds.
Claim      regret <= G^2 (1 + log T) / (2 alpha).
False      without the 1.
"""

from sympy import Abs, Max, log

from boundcheck import Claim, Holds
from boundcheck.expressions import greatest, parameter, world
from boundcheck.settings.online import D, T, quadratic_regret, start, t
from boundcheck.worlds import Real, Vector

from . import HAZAN

HERE = HAZAN.at("Theorem 1")
a = world("a", Vector(T), units={"point": 1}, says="Centres of the losses.")
alpha = parameter("alpha", Real(0, None, open_low=True))
G = alpha * greatest(Max(Abs(a[t]), Abs(D - a[t])), t)
regret = quadratic_regret(a, alpha, D, start)
READ = "for quadratic losses on an interval, which the statement covers"

printed = Claim(HERE, Holds(regret <= G**2 * (1 + log(T)) / (2 * alpha)), reading=READ)
without_one = Claim(HERE, Holds(regret <= G**2 * log(T) / (2 * alpha)), reading=READ)
