"""The Bregman divergence of the minimal risk.

Setting    d(e1, e2) = -l_*(e2) + l_*(e1) + l_*'(e1)(e2 - e1) for the concave l_*.
"""

from sympy import And, Eq, Implies, Ne, log

from boundcheck import Claim, Holds
from boundcheck.expressions import parameter
from boundcheck.settings.margin_losses import logistic
from boundcheck.worlds import Real

from . import ARXIV

first, second = (
    parameter(name, Real(0, 1, open_low=True, open_high=True)) for name in ("first", "second")
)
d = logistic.divergence(first, second)
relative_entropy = second * log(second / first) + (1 - second) * log((1 - second) / (1 - first))

printed = Claim(
    ARXIV.at("Section 4, (40), Assumption 7; AISTATS Assumption 6"),
    Holds(And(Eq(d, relative_entropy), d >= 0, Implies(Ne(first, second), d > 0))),
    uses=("yashima2021/minimal_risk:printed",),
    reading="the divergence of Bernoulli(e2) from Bernoulli(e1), in nats",
)
