"""What the two example losses satisfy.

Setting    logistic phi(v) = log(1 + e^-v), hinge phi(v) = max(0, 1 - v); label probability eta.
Claim      both are non-negative, convex, 1-Lipschitz and classification calibrated: a prediction of
           the wrong sign has a conditional risk above the least one.
"""

from sympy import Abs, And, Eq, Ne, Or, Rational

from boundcheck import Claim, Holds
from boundcheck.expressions import parameter
from boundcheck.settings.margin_losses import height, hinge, kind, loss as phi, stretch
from boundcheck.worlds import Choice, Real

from . import ARXIV

HALF = Rational(1, 2)
eta, share, first, second = (
    parameter(name, Real(0, 1)) for name in ("eta", "share", "first", "second")
)
g, v, w = (parameter(name, Real(None, None, searched=(-40, 40))) for name in "gvw")

printed = Claim(
    ARXIV.at("Section 2.1, after (3), and Section 3.1, after (22); AISTATS Sections 2.1 and 3.1"),
    Holds(
        And(
            phi.conditional_risk(eta, g) > phi.least_risk(eta),
            phi(v) >= 0,
            phi(share * v + (1 - share) * w) <= share * phi(v) + (1 - share) * phi(w),
            Abs(phi(v) - phi(w)) <= Abs(v - w),
        )
    ),
    given=[Ne(eta, HALF), g * (2 * eta - 1) <= 0],
    domains={kind: Choice(("logistic", "hinge")), height: Real(1, 1), stretch: Real(1, 1)},
    uses=("yashima2021/assumption_1:printed",),
)
hinge_divergence_vanishes = Claim(
    ARXIV.at("Section 4, Assumption 7, which the hinge loss does not meet"),
    Holds(Eq(hinge.divergence(first, second), 0)),
    given=[Or(And(first > HALF, second > HALF), And(first < HALF, second < HALF))],
    reading="the divergence is zero between different probabilities on one side of 1/2",
)
