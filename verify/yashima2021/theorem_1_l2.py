"""The rate of Theorem 1 in L2, without the interpolation condition.

Setting    as Theorem 1, without Assumption 3; population, kernel, loss and lambda fixed.
"""

from sympy import Rational, sqrt

from boundcheck import Claim, Expected, Holds, UpToConstant
from boundcheck.expressions import define
from boundcheck.settings.averaged_sgd import M, g_lambda, g_M_lambda, l2_norm, lam, norm_T
from boundcheck.settings.covariance import deviation
from boundcheck.worlds import Family, Integer, doublings

from . import ARXIV
from ._populations import own_features, population
from ._theorem_3 import PREPRINT

gap = define(
    "gap", l2_norm(g_lambda.values - g_M_lambda.values), latex=r"\|g_\lambda - g_{M,\lambda}\|_2"
)

TENTHS = (Rational(1, 10), Rational(9, 10))
SKEWED = {"rho": (Rational(1, 3), Rational(2, 3)), "eta": (Rational(3, 4), Rational(1, 5))}
POPULATIONS = {
    "a feature for each point, logistic loss": population(own_features(), **SKEWED),
    "a rare feature, weak regularisation": population(
        own_features(), tau=TENTHS, **SKEWED, **{"lambda": Rational(1, 50)}
    ),
    "hinge loss": population(
        [[1, 1], [-1, 2]], loss="hinge", **SKEWED, **{"lambda": Rational(1, 10)}
    ),
    "proportional features, modified Huber loss": population(
        [[1, 2], [2, 4]], loss="modified huber", **SKEWED
    ),
}


def growing(name, world, count=7):
    """A fixed population, more and more features."""
    return Family(f"M grows: {name}", lambda size: {**world, "M": size}, doublings(1, count))


printed = Claim(
    ARXIV.at("Section 3.1, after Theorem 1"),
    UpToConstant(
        Expected(gap <= M ** Rational(-1, 8)), depends=tuple(population(own_features()))
    ),
    given=[lam > 0, M >= 1],
    domains={M: Integer(1, searched=200)},
    families=tuple(growing(name, world) for name, world in POPULATIONS.items()),
    uses=("yashima2021/lemma_2:printed", "yashima2021/assumption_1:printed"),
    reading="a rate in M, in the mean over the features, as no probability is printed: the "
    "constant may depend on everything else, which each family fixes",
    cost=100,
)

sharpened = Claim(
    ARXIV.at("Section 3.1, after Theorem 1, by a shorter argument"),
    Holds(gap <= PREPRINT.G / lam * (sqrt(2 * norm_T * deviation) + deviation)),
    given=[lam > 0, M >= 1],
    domains={M: Integer(1, searched=4)},
    reading="monotone subgradients give M^(-1/4) from ||T - T_M|| of order M^(-1/2)",
    cost=30,
)
