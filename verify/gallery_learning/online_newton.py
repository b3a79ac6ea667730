"""Hazan, Agarwal and Kale's regret of the online Newton step for exp-concave losses.

Setting    a polytope P in R^d of diameter at most D, quadratic losses f_t with exp(-alpha f_t)
           concave and gradients of norm at most G on P, beta = min(1 / (4 G D), alpha) / 2,
           epsilon = 1 / (beta D)^2, any first point, T rounds.
Later      (from_two) for T >= 2; False: (fortieth) a fortieth of it.
"""

from sympy import Min, log

from boundcheck import Claim, Holds
from boundcheck.expressions import least, outer, parameter, smallest_eigenvalue
from boundcheck.settings.polytopes import (
    F,
    Q,
    T,
    b,
    d,
    diameter,
    first,
    gradient,
    largest_gradient,
    newton_regret,
    t,
    v,
)
from boundcheck.worlds import Integer, Real

from . import HAZAN

HERE = HAZAN.at("Theorem 2")
alpha = parameter("alpha", Real(0, None, open_low=True, searched=("1/10", 2)))
G = parameter("G", Real(0, None, open_low=True, searched=("1/10", 4)), units={"slope": 1})
D = parameter("D", Real(0, None, open_low=True, searched=("1/10", 4)), units={"point": 1})
beta = Min(1 / (4 * G * D), alpha) / 2
g = gradient(t, v)
concave = least(smallest_eigenvalue(Q[t] - alpha * outer(g, g)), t, v) >= 0
GIVEN = [concave, largest_gradient() <= G, diameter() <= D]
regret = newton_regret(F, Q, b, beta, 1 / (beta * D) ** 2, first)
bound = 5 * (1 / alpha + G * D) * d * log(T)
READ = "a convex set is a polytope; losses are quadratic; at the vertices they are exp-concave"
LATER = {T: Integer(2, searched=6)}

printed = Claim(HERE, Holds(regret <= bound), given=GIVEN, reading=READ, rescalings=())
from_two = Claim(
    HERE, Holds(regret <= bound), given=GIVEN, reading=READ, domains=LATER, rescalings=(), cost=12.0
)
fortieth = Claim(
    HERE, Holds(regret <= bound / 40), given=GIVEN, reading=READ, domains=LATER, rescalings=()
)
