"""Comparison with the bound for empirical risk minimisers.

Setting    rho the empirical measure of n points, Gram matrices K and K_M, hinge loss.
Claim      ||K - K_M||_op is of order M^(-1/2), hence sup |g_lambda - g_{M, lambda}|, of order
           ||K - K_M||_op^(1/4), is of order M^(-1/8).
"""

from flint import fmpq
from sympy import And, Eq, Le, Rational, symbols

from boundcheck import Claim, Expected, Holds, UpToConstant
from boundcheck.quantities.minimisers import (
    covariance_norm,
    feature_kernel,
    sampled_kernel,
    supremum_gap,
)
from boundcheck.quantities.operators import operator_norm
from boundcheck.worlds import Counts, Derived, Family, Integer, Real, doublings, feature_worlds

from . import ARXIV, M, lam, n, population_worlds
from .theorem_1_l2 import POPULATION, population

deviation, gap, operator_deviation = symbols("deviation gap operator_deviation", real=True)


def uniform(n):
    """The weights of an empirical measure without ties."""
    return (fmpq(1, n),) * n


def difference(phi, tau, counts):
    """||K - K_M||_op."""
    return operator_norm(feature_kernel(phi, tau) - sampled_kernel(phi, counts))


HALF = {"rho": uniform(2)}
FAMILIES = (
    Family("M grows: a feature for each point",
           lambda size: {**population([1, 0, 0, 1], "hinge"), **HALF, "M": size}, doublings(1, 7)),
    Family("M grows: a rare feature, weak regularisation",
           lambda size: {
               **population([1, 1, -1, 2], "hinge", fmpq(1, 20), (1, 9)), **HALF, "M": size,
           }, doublings(1, 7)),
)  # fmt: skip

printed = Claim(
    source=ARXIV.at("Section 3.1, Comparison to Previous Results"),
    statement=UpToConstant(
        Expected(And(Le(deviation, M ** Rational(-1, 2)), Le(gap, M ** Rational(-1, 8)))),
        depends=POPULATION,
    ),
    given=[lam > 0, M >= 1],
    worlds=population_worlds().and_fields(rho=Derived(uniform)),
    parameters={M: Integer(1, searched=200), lam: Real(0, None)},
    draw=Counts("counts", "tau", "M"),
    measure={deviation: difference, gap: supremum_gap},
    families=FAMILIES,
    uses=("yashima2021/lemma_1:arxiv", "yashima2021/assumption_3:printed"),
    reading="rates in M at a fixed sample; the factor n of the Gram matrix is in the constant",
    cost=100,
)

identity = Claim(
    source=ARXIV.at("Section 3.1, the Gram matrix as integral operator of the empirical measure"),
    statement=Holds(Eq(deviation, n * operator_deviation)),
    worlds=feature_worlds().and_fields(rho=Derived(uniform)),
    parameters={M: Integer(1, searched=4)},
    draw=Counts("counts", "tau", "M"),
    measure={
        deviation: difference,
        operator_deviation: lambda phi, tau, counts, rho: covariance_norm(
            feature_kernel(phi, tau) - sampled_kernel(phi, counts), rho
        ),
    },
    reading="the operator is the Gram matrix over n",
    cost=4,
)
