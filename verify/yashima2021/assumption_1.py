"""A Lipschitz loss makes the expected loss Lipschitz.

Setting    convex loss, G-Lipschitz in its first argument; functions g, h on the points.
"""

from sympy import Abs, And

from boundcheck import Claim, Holds
from boundcheck.expressions import parameter, world
from boundcheck.settings.averaged_sgd import expected_loss, function, l1_norm, l2_norm, loss, rho
from boundcheck.settings.margin_losses import hinge, logistic
from boundcheck.worlds import Choice, Real, Weights

from . import ARXIV

g, h = function("g", span=40), function("h", span=40)
zeta, zeta_prime = (
    parameter(name, Real(None, None, searched=(-60, 60))) for name in ("zeta", "zeta_prime")
)
y = world("y", Choice((-1, 1)), says="Label.")
G = loss.lipschitz


def unit_lipschitz(phi):
    return Abs(phi(y * zeta) - phi(y * zeta_prime)) <= Abs(zeta - zeta_prime)


printed = Claim(
    ARXIV.at("Section 3.1, (20)-(22); AISTATS Assumption 1"),
    Holds(
        And(
            Abs(expected_loss(g) - expected_loss(h)) <= G * l1_norm(g - h),
            G * l1_norm(g - h) <= G * l2_norm(g - h),
            unit_lipschitz(logistic),
            unit_lipschitz(hinge),
        )
    ),
    domains={rho: Weights("n", zeros=True)},
    reading="the constant is called L in the conference edition, G in the preprint",
)
