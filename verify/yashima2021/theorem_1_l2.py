"""The rate of Theorem 1 in L2, without the interpolation condition.

Setting    as Theorem 1, without Assumption 3; population, kernel, loss and lambda fixed.
Claim      ||g_lambda - g_{M, lambda}||_{L2(rho)} = O(M^(-1/8)).
"""

from flint import fmpq, fmpq_mat
from sympy import Le, Rational, sqrt, symbols

from boundcheck import Claim, Expected, Holds, UpToConstant
from boundcheck.quantities.losses import lipschitz_constant
from boundcheck.quantities.minimisers import (
    covariance_norm,
    feature_kernel,
    l2_gap,
    sampled_kernel,
)
from boundcheck.worlds import Counts, Family, Integer, Real, doublings

from . import ARXIV, G, M, lam, population_worlds

gap, norm_T, deviation = symbols("gap norm_T deviation", real=True)


def population(phi, loss="logistic", regularisation=1, tau=(1, 1)):
    """Two points of mass 1/3 and 2/3 with two features."""
    total = sum(tau)
    return {
        "n": 2, "K": 2, "rho": (fmpq(1, 3), fmpq(2, 3)),
        "tau": tuple(fmpq(weight, total) for weight in tau),
        "eta": (fmpq(3, 4), fmpq(1, 5)),
        "phi": fmpq_mat(2, 2, phi), "loss": loss, "height": fmpq(1), "stretch": fmpq(1),
        "lambda": fmpq(regularisation),
    }  # fmt: skip


POPULATIONS = {
    "a feature for each point, logistic loss": population([1, 0, 0, 1]),
    "a rare feature, weak regularisation": population(
        [1, 0, 0, 1], "logistic", fmpq(1, 50), (1, 9)
    ),
    "hinge loss": population([1, 1, -1, 2], "hinge", fmpq(1, 10)),
    "proportional features, modified Huber loss": population([1, 2, 2, 4], "modified huber"),
}
POPULATION = (
    "n", "K", "rho", "tau", "phi", "eta", "loss", "height", "stretch", "lambda",
)  # fmt: skip
FAMILIES = tuple(
    Family(f"M grows: {name}", lambda size, world=world: {**world, "M": size}, doublings(1, 7))
    for name, world in POPULATIONS.items()
)

printed = Claim(
    source=ARXIV.at("Section 3.1, after Theorem 1"),
    statement=UpToConstant(Expected(Le(gap, M ** Rational(-1, 8))), depends=POPULATION),
    given=[lam > 0, M >= 1],
    worlds=population_worlds(),
    parameters={M: Integer(1, searched=200), lam: Real(0, None)},
    draw=Counts("counts", "tau", "M"),
    measure={gap: l2_gap},
    families=FAMILIES,
    uses=("yashima2021/lemma_2:printed", "yashima2021/assumption_1:printed"),
    reading="a rate in M: the constant may depend on everything else, which each family fixes",
    cost=100,
)

sharpened = Claim(
    source=ARXIV.at("Section 3.1, after Theorem 1, by a shorter argument"),
    statement=Holds(
        Le(gap, G / lam * (sqrt(2 * norm_T * deviation) + deviation)),
    ),
    given=[lam > 0, M >= 1],
    worlds=population_worlds(),
    parameters={M: Integer(1, searched=4), lam: Real(0, None)},
    draw=Counts("counts", "tau", "M"),
    measure={
        gap: l2_gap,
        G: lipschitz_constant,
        norm_T: lambda phi, tau, rho: covariance_norm(feature_kernel(phi, tau), rho),
        deviation: lambda phi, tau, counts, rho: covariance_norm(
            feature_kernel(phi, tau) - sampled_kernel(phi, counts), rho
        ),
    },
    reading="monotone subgradients give M^(-1/4) from ||T - T_M|| of order M^(-1/2)",
    cost=30,
)
