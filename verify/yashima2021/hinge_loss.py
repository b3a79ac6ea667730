"""What the two example losses satisfy.

Setting    logistic phi(v) = log(1 + e^-v), hinge phi(v) = max(0, 1 - v); label probability eta.
Claim      both are non-negative, convex, 1-Lipschitz and classification calibrated: a prediction of
           the wrong sign has a conditional risk above the least one.
"""

from sympy import Abs, And, Eq, Ge, Gt, Le, Ne, Or, Rational, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.losses import (
    bregman_divergence,
    conditional_risk,
    loss_value,
    minimal_risk,
)
from boundcheck.worlds import Choice, Real, Space

from . import ARXIV

eta, g, first, second = symbols("eta g first second", real=True)
v, w, share = symbols("v w share", real=True)
risk, least, at_v, at_w, between = symbols("risk least at_v at_w between", real=True)
divergence = symbols("divergence", real=True)

printed = Claim(
    source=ARXIV.at("Section 2.1, after (3), and Section 3.1, after (22)"),
    statement=Holds(
        And(
            Gt(risk, least),
            Ge(at_v, 0),
            Le(between, share * at_v + (1 - share) * at_w),
            Le(Abs(at_v - at_w), Abs(v - w)),
        )
    ),
    given=[
        And(eta >= 0, eta <= 1), Ne(eta, Rational(1, 2)), Le(g * (2 * eta - 1), 0),
        And(share >= 0, share <= 1),
    ],
    worlds=Space(loss=Choice(("logistic", "hinge"))),
    parameters={
        eta: Real(0, 1), g: Real(-40, 40), v: Real(-40, 40), w: Real(-40, 40), share: Real(0, 1),
    },
    measure={
        risk: lambda loss, eta, g: conditional_risk(loss, 1, 1, eta, g),
        least: lambda loss, eta: minimal_risk(loss, 1, 1, eta),
        at_v: lambda loss, v: loss_value(loss, 1, 1, v),
        at_w: lambda loss, w: loss_value(loss, 1, 1, w),
        between: lambda loss, v, w, share: loss_value(loss, 1, 1, share * v + (1 - share) * w),
    },
    uses=("yashima2021/assumption_1:printed",),
)  # fmt: skip

hinge_divergence_vanishes = Claim(
    source=ARXIV.at("Section 4, Assumption 7, which the hinge loss does not meet"),
    statement=Holds(Eq(divergence, 0)),
    given=[
        Or(
            And(first > Rational(1, 2), second > Rational(1, 2)),
            And(first < Rational(1, 2), second < Rational(1, 2)),
        )
    ],
    parameters={first: Real(0, 1), second: Real(0, 1)},
    measure={
        divergence: lambda first, second: bregman_divergence("hinge", 1, 1, first, second)
    },
    reading="the divergence is zero between different probabilities on one side of 1/2",
)
