"""Assumption 8 for the logistic loss: strong convexity on bounded intervals.

Setting    phi(v) = log(1 + e^-v) on [-U, U].
"""

from sympy import Abs, exp

from boundcheck import Claim, Holds
from boundcheck.expressions import parameter
from boundcheck.settings.margin_losses import logistic as phi
from boundcheck.worlds import Real

from . import ARXIV

U = parameter("U", Real(0, None, open_low=True, searched=(0, 30)))
z, w = (parameter(name, Real(None, None, searched=(-30, 30))) for name in "zw")
excess = phi(z) - phi(w) - phi.slope(w) * (z - w)
INSIDE = [Abs(z) <= U, Abs(w) <= U]


def convex(mu):
    return Holds(excess >= mu / 2 * (z - w) ** 2)


arxiv = Claim(
    ARXIV.at("Assumption 8, (168), with mu(U) of the proof of Corollary 1"),
    convex(2 / (1 + exp(-U) + exp(U))),
    given=INSIDE,
)
repaired = Claim(
    ARXIV.at("Assumption 8, (168), with mu(U) = 1 / (2 + e^U + e^-U)"),
    convex(1 / (2 + exp(-U) + exp(U))),
    given=INSIDE,
)
