"""A smooth loss is smooth in the RKHS.

Setting    loss with an L-Lipschitz derivative, features bounded by R, functions g, g' of H.
"""

from sympy import Abs, And, sqrt

from boundcheck import Claim, Holds
from boundcheck.expressions import at, world
from boundcheck.quantities.losses import SMOOTH
from boundcheck.settings.averaged_sgd import (
    BOUNDED,
    R,
    combination,
    function,
    k,
    loss,
    n,
    rkhs_norm,
)
from boundcheck.settings.margin_losses import kind
from boundcheck.worlds import Choice, Index

from . import ARXIV

a, b = function("a", span=4), function("b", span=4)
x, y = world("x", Index(n), rank=0), world("y", Choice((-1, 1)))
L = loss.smoothness


def g(a):
    """g(x) of g = sum_j a_j k(., x_j)."""
    return at(combination(k, a), x)


slope_gap = y * loss.slope(y * g(a)) - y * loss.slope(y * g(b))

arxiv = Claim(
    ARXIV.at("Section 4, Assumption 4, (32)-(35)"),
    Holds(
        And(
            slope_gap * (g(a) - g(b)) <= L * R**2 * rkhs_norm(k, a - b) ** 2,
            Abs(slope_gap) * sqrt(at(k, x, x)) <= L * R**2 * rkhs_norm(k, a - b),
        )
    ),
    given=BOUNDED,
    domains={kind: Choice(SMOOTH)},
    uses=("yashima2021/assumption_2:printed",),
    reading="smoothness in H is Lipschitz continuity of the gradient (l'(g(x)) k(., x))",
)
