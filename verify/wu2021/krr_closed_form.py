"""Section 2, after (2.5): the closed form of kernel ridge regression.

Setting    kernel matrix K of n points, responses y, objective
           (1/n) ||K a - y||^2 + lambda a^T K a, convex in a.
Claim      a = (K/n + I)^{-1} y minimises it: the gradient 2 K (K a - y)/n + 2 lambda K a vanishes.
           With lambda = 1 (unit_penalty) the factor 1/n alone is missing.
Repair     a = (K + n lambda I)^{-1} y.
"""

from sympy import Eq

from boundcheck import Claim, Holds
from boundcheck.expressions import identity
from boundcheck.settings.rkhs import K, n, penalty, responses
from boundcheck.worlds import Real

from . import NOTES

y, I = responses(), identity(n)


def minimises(a):
    """Half the gradient of the objective vanishes at a."""
    return Holds(Eq(K * (K * a - y) / n + penalty * K * a, 0))


printed = Claim(
    NOTES.at("after (2.5)"),
    minimises((K / n + I) ** -1 * y),
    uses=("wu2021/krr_reduction:printed",),
    reading="minimising is stated by the gradient, so a singular kernel matrix is no objection",
    cost=0.5,
)
unit_penalty = Claim(
    NOTES.at("after (2.5), with lambda = 1"),
    minimises((K / n + I) ** -1 * y),
    given=[Eq(penalty, 1)],
    domains={penalty: Real(1, 1)},
    reading="as if the unit matrix stood for a penalty of weight one",
    cost=0.5,
)
repaired = Claim(
    NOTES.at("after (2.5), repaired"), minimises((K + n * penalty * I) ** -1 * y), cost=0.5
)
