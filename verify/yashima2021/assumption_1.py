"""A Lipschitz loss makes the expected loss Lipschitz.

Setting    convex loss, G-Lipschitz in its first argument; functions g, h on the points.
Claim      |L(g) - L(h)| <= G int |g - h| d rho <= G ||g - h||_{L2(rho)}; G = 1 serves for the
           logistic and the hinge loss.
"""

from sympy import Abs, And, Le, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.losses import (
    NAMES,
    expected_loss,
    l1_norm,
    l2_norm,
    lipschitz_constant,
    loss_value,
)
from boundcheck.worlds import Choice, Integer, Real, Space, Vector, Weights

from . import ARXIV, G

risk_g, risk_h, distance_1, distance_2 = symbols("risk_g risk_h distance_1 distance_2", real=True)
zeta, zeta_prime = symbols("zeta zeta_prime", real=True)
logistic, logistic_prime = symbols("logistic logistic_prime", real=True)
hinge, hinge_prime = symbols("hinge hinge_prime", real=True)


def difference(g, h):
    """g - h on the points."""
    return tuple(a - b for a, b in zip(g, h, strict=True))


def value_at(name, point):
    """l(point, y) for a loss of height and stretch one."""
    if point == "zeta":
        return lambda zeta, y: loss_value(name, 1, 1, zeta * y)
    return lambda zeta_prime, y: loss_value(name, 1, 1, zeta_prime * y)


printed = Claim(
    source=ARXIV.at("Section 3.1, (20)-(22)"),
    statement=Holds(
        And(
            Le(Abs(risk_g - risk_h), G * distance_1),
            Le(G * distance_1, G * distance_2),
            Le(Abs(logistic - logistic_prime), Abs(zeta - zeta_prime)),
            Le(Abs(hinge - hinge_prime), Abs(zeta - zeta_prime)),
        )
    ),
    worlds=Space(
        n=Integer(1, searched=4),
        rho=Weights("n", zeros=True),
        eta=Vector("n", 0, 1),
        g=Vector("n", searched=(-40, 40)),
        h=Vector("n", searched=(-40, 40)),
        loss=Choice(NAMES),
        height=Real("1/10", 10),
        stretch=Real("1/10", 10),
        y=Choice((-1, 1)),
    ),
    parameters={zeta: Real(-60, 60), zeta_prime: Real(-60, 60)},
    measure={
        G: lipschitz_constant,
        risk_g: expected_loss,
        risk_h: lambda rho, eta, loss, height, stretch, h: expected_loss(
            rho, eta, loss, height, stretch, h
        ),
        distance_1: lambda rho, g, h: l1_norm(rho, difference(g, h)),
        distance_2: lambda rho, g, h: l2_norm(rho, difference(g, h)),
        logistic: value_at("logistic", "zeta"),
        logistic_prime: value_at("logistic", "zeta_prime"),
        hinge: value_at("hinge", "zeta"),
        hinge_prime: value_at("hinge", "zeta_prime"),
    },
    reading="the constant is called L in the conference edition, G in the preprint",
)
