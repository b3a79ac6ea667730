"""Theorem 4.2, proof: the contraction lemma.

Setting    points x_1..x_n with labels, losses l_i = l(., y_i) piecewise linear and L-Lipschitz,
           the ball of radius Q in the RKHS of k(x, x') = u(x) u(x').
Claim      Rad({l(h(.), y)}) <= L Rad(ball), Rad(F) = E sup over F of (1/n) sum_i xi_i f(x_i).
"""

from sympy import symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.complexity import composed_complexity, rademacher_complexity
from boundcheck.quantities.regularised import lipschitz_constant
from boundcheck.worlds import Choice, Integer, Real

from . import NOTES, L, Q
from .theorem_4_2 import worlds

composed, ball, steepest = symbols("composed ball steepest", real=True)

printed = Claim(
    source=NOTES.at("Theorem 4.2, proof (2), contraction"),
    statement=Holds(composed <= L * ball),
    given=[steepest <= L, Q >= 0],
    worlds=worlds.and_fields(N=Integer(1, searched=4), dimension=Choice((1,))),
    parameters={L: Real(0, None), Q: Real(0, None)},
    measure={
        composed: composed_complexity,
        ball: lambda gram, Q: rademacher_complexity(gram, Q),
        steepest: lipschitz_constant,
    },
    reading="the symbol of the empirical risk stands for the Rademacher complexity, h* for f*; "
    "every atom is one sample point",
    cost=2.0,
)
