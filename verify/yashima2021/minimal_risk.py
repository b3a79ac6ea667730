"""The minimal conditional risk is concave.

Setting    non-negative convex phi; l_*(mu) the least value of mu phi(a) + (1 - mu) phi(-a).
"""

from sympy import And

from boundcheck import Claim, Holds
from boundcheck.expressions import parameter, world
from boundcheck.settings.margin_losses import loss, polygon_least_risk
from boundcheck.worlds import Integer, Real, Vector

from . import ARXIV

mu, mu_prime, share = (parameter(name, Real(0, 1)) for name in ("mu", "mu_prime", "share"))
J = world("J", Integer(1, searched=4), says="Pieces of a polygon, besides zero.")
slopes, offsets = (world(name, Vector(J, searched=(-4, 4))) for name in ("slopes", "offsets"))


def concave(least_risk):
    between = share * least_risk(mu) + (1 - share) * least_risk(mu_prime)
    return least_risk(share * mu + (1 - share) * mu_prime) >= between


printed = Claim(
    ARXIV.at("Section 4, (38); AISTATS Section 4"),
    Holds(
        And(
            concave(loss.least_risk),
            concave(lambda mu: polygon_least_risk(slopes, offsets, mu)),
        )
    ),
    reading="the least value is an infimum where it is not attained; polygons "
    "max(0, max_i s_i v + o_i) are any non-negative convex functions up to approximation",
)
