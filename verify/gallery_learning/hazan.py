"""Hazan, Agarwal and Kale's logarithmic regret for strongly convex losses.

Setting    a polytope P in R^d, quadratic losses with second derivatives of at least H > 0, any
           first point, steps 1 / (H t) with projection on P, G the largest norm of a gradient on P,
           T rounds.
"""

from sympy import log

from boundcheck import Claim, Holds
from boundcheck.expressions import parameter, table
from boundcheck.settings.polytopes import F, Q, T, b, descent_regret, first, largest_gradient, t
from boundcheck.worlds import Real

from . import HAZAN

HERE = HAZAN.at("Theorem 1")
H = parameter("H", Real(0, None, open_low=True), units={"slope": 1, "point": -1})
G = largest_gradient(H)
regret = descent_regret(F, Q, b, H, table(1 / (H * (t + 1)), t), first)
READ = "a convex set is a polytope; losses are quadratic"

printed = Claim(HERE, Holds(regret <= G**2 * (1 + log(T)) / (2 * H)), reading=READ)
without_one = Claim(HERE, Holds(regret <= G**2 * log(T) / (2 * H)), reading=READ)
