"""The Bregman divergence of the minimal risk.

Setting    d(e1, e2) = -l_*(e2) + l_*(e1) + l_*'(e1)(e2 - e1) for the concave l_*.
Claim      for logistic loss d is the Kullback-Leibler divergence, so it is zero only at e1 = e2.
"""

from sympy import And, Eq, Ge, Gt, Implies, Ne, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.losses import bernoulli_divergence, bregman_divergence
from boundcheck.worlds import Real

from . import ARXIV

first, second, divergence, relative_entropy = symbols(
    "first second divergence relative_entropy", real=True
)

printed = Claim(
    source=ARXIV.at("Section 4, (40), Assumption 7"),
    statement=Holds(
        And(
            Eq(divergence, relative_entropy),
            Ge(divergence, 0),
            Implies(Ne(first, second), Gt(divergence, 0)),
        )
    ),
    given=[And(first > 0, first < 1), And(second > 0, second < 1)],
    parameters={
        first: Real(0, 1, open_low=True, open_high=True),
        second: Real(0, 1, open_low=True, open_high=True),
    },
    measure={
        divergence: lambda first, second: bregman_divergence("logistic", 1, 1, first, second),
        relative_entropy: bernoulli_divergence,
    },
    uses=("yashima2021/minimal_risk:printed",),
    reading="the divergence of Bernoulli(e2) from Bernoulli(e1), in nats",
)
