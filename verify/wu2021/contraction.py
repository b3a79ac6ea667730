"""Theorem 4.2, proof: the contraction lemma.

Setting    points x_1..x_n with labels, losses l_i = l(., y_i) piecewise linear and L-Lipschitz,
           the ball of radius Q in the RKHS of k(x, x') = u(x) u(x').
"""

from boundcheck import Claim, Holds
from boundcheck.expressions import outer, parameter, world
from boundcheck.quantities.complexity import composed_complexity
from boundcheck.quantities.regularised import by_label, lipschitz_constant
from boundcheck.settings.rkhs import n, rademacher_complexity
from boundcheck.worlds import Increasing, Integer, Matrix, Real, Tuples, Vector

from . import NOTES

m = world("m", Integer(2, searched=4), says="Number of knots of a loss.")
u = world("u", Vector(n), says="The feature of each point.")
y = world("y", Vector(n), says="Labels.")
knots = by_label(world("places", Tuples(n, Increasing(m))), y)
losses = by_label(world("heights", Matrix(n, m)), y)
L = parameter("L", Real(0, None), says="Lipschitz constant.")
Q = parameter("Q", Real(0, None), says="Radius of the ball.")

printed = Claim(
    NOTES.at("Theorem 4.2, proof (2), contraction"),
    Holds(composed_complexity(knots, losses, u, Q) <= L * rademacher_complexity(outer(u, u), Q)),
    given=[lipschitz_constant(knots, losses) <= L, Q >= 0],
    reading="the symbol of the empirical risk stands for the Rademacher complexity, h* for f*; "
    "every atom is one sample point; the kernel has rank one and losses are piecewise linear, "
    "where the supremum is the largest of finitely many values",
    cost=2.0,
)
