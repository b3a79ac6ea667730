"""Theorem 1: distance of the minimisers in the RKHS and with random features, simplified.

Setting    Lipschitz convex loss, features bounded by R, sup-norm interpolation with exponent p and
           constant C(delta); M independent features; 0 < delta <= 1.
Claim      sup |g_lambda - g_{M, lambda}| is at most a constant times
           (R^4 log(R / delta) / M)^min((1 - p)/4, 1/8) C R L^(3/4) ||g_*|| / lambda^(3/4) with
           probability 1 - delta (conference edition); with ||g_lambda|| for ||g_*|| and
           probability 1 - 2 delta (preprint).
"""

from flint import fmpq, fmpq_mat
from sympy import And, Le, Min, Rational, log, symbols

from boundcheck import Claim, UpToConstant, WithProbability
from boundcheck.quantities.losses import lipschitz_constant
from boundcheck.quantities.minimisers import (
    bayes_norm,
    feature_kernel,
    population_minimiser,
    supremum_gap,
)
from boundcheck.worlds import Choice, Counts, Family, Integer, Real, doublings

from . import (
    AISTATS,
    ARXIV,
    C,
    G,
    L,
    M,
    R,
    delta,
    interpolation_constant,
    lam,
    p,
    population_worlds,
)

gap, norm_star, norm_lambda = symbols("gap norm_star norm_lambda", real=True)
largest_feature = symbols("largest_feature", real=True)

rate = Min((1 - p) / 4, Rational(1, 8))
shared = (R**4 * log(R / delta) / M) ** rate * C * R / lam ** Rational(3, 4)
aistats_bound = shared * L ** Rational(3, 4) * norm_star
arxiv_bound = shared * G ** Rational(3, 4) * norm_lambda

HYPOTHESES = [lam > 0, R > 0, largest_feature <= R, M >= 1]
PARAMETERS = {
    M: Integer(1, wide=True, searched=10**9),
    delta: Real(0, 1, open_low=True, open_high=True),
    lam: Real(0, None),
    R: Real(0, None),
    p: Real(0, 1, open_high=True),
}
WORLDS = population_worlds().and_fields(loss=Choice(("logistic",)))


def star_norm(phi, tau, eta, loss, height, stretch):
    """||g_*||_H for the minimiser of the expected loss over all functions."""
    return bayes_norm(feature_kernel(phi, tau), eta, loss, height, stretch)


COMMON = {
    gap: supremum_gap,
    C: interpolation_constant,
    largest_feature: lambda phi: max(abs(entry) for entry in phi.entries()),
}
AISTATS_MEASURE = {**COMMON, L: lipschitz_constant, norm_star: star_norm}
def arxiv_norm(phi, tau, rho, eta, lambda_, loss, height, stretch):
    """||g_lambda||_H."""
    return population_minimiser(phi, tau, rho, eta, lambda_, loss, height, stretch).norm


ARXIV_MEASURE = {**COMMON, G: lipschitz_constant, norm_lambda: arxiv_norm}


def two_points(scale=1, stretch=1, regularisation=1, count=1, level="1/4"):
    """Two points, each with a feature of its own, P(Y = 1) = 3/4 at both."""
    scale, stretch = fmpq(scale), fmpq(stretch)
    top, _, bottom = str(level).partition("/")
    half = (fmpq(1, 2),) * 2
    return {
        "n": 2, "K": 2, "rho": half, "tau": half, "eta": (fmpq(3, 4),) * 2,
        "phi": fmpq_mat(2, 2, [scale, 0, 0, scale]),
        "loss": "logistic", "height": fmpq(1), "stretch": stretch,
        "M": count, "delta": fmpq(int(top), int(bottom or 1)), "lambda": fmpq(regularisation),
        "R": scale, "p": fmpq(0),
    }  # fmt: skip


FAMILIES = (
    Family("M grows", lambda size: two_points(count=size), doublings(1, 8)),
    Family("delta shrinks", lambda size: two_points(level=fmpq(1, 4 * size)), doublings(1, 8)),
    Family("lambda shrinks", lambda size: two_points(regularisation=fmpq(1, size)),
           doublings(1, 8)),
    Family("lambda grows", lambda size: two_points(regularisation=size), doublings(1, 12)),
    Family("features grow by s, lambda by s^2: the same minimisers",
           lambda size: two_points(scale=size, regularisation=size**2), doublings(1, 12)),
    Family("margins are measured in units of 1/s, lambda grows by s^2: all minimisers by 1/s",
           lambda size: two_points(stretch=fmpq(1, size), regularisation=size**2),
           doublings(1, 12)),
)  # fmt: skip

USES = (
    "yashima2021/assumption_1:printed",
    "yashima2021/assumption_2:printed",
)

aistats = Claim(
    source=AISTATS.at("Theorem 1 (simplified)"),
    statement=UpToConstant(
        WithProbability(1 - delta, Le(gap, aistats_bound)), depends=("delta",)
    ),
    given=[*HYPOTHESES, And(delta > 0, delta < 1), norm_star > 0],
    worlds=WORLDS,
    parameters=PARAMETERS,
    draw=Counts("counts", "tau", "M"),
    measure=AISTATS_MEASURE,
    families=FAMILIES,
    uses=(*USES, "yashima2021/theorem_1_full:aistats"),
    reading=(
        "g_* minimises the expected loss and lies in H; every delta at which the probability "
        "says something"
    ),
    cost=20,
)

aistats_where_defined = Claim(
    source=AISTATS.at("Theorem 1 (simplified), for delta below R"),
    statement=aistats.statement,
    given=[*aistats.given, delta < R],
    worlds=WORLDS,
    parameters=PARAMETERS,
    draw=aistats.draw,
    measure=AISTATS_MEASURE,
    families=FAMILIES,
    uses=aistats.uses,
    reading="only where the printed logarithm is positive",
    cost=20,
)

arxiv = Claim(
    source=ARXIV.at("Theorem 1, (24)-(25)"),
    statement=UpToConstant(
        WithProbability(1 - 2 * delta, Le(gap, arxiv_bound)), depends=("delta",)
    ),
    given=[*HYPOTHESES, And(delta > 0, delta < Rational(1, 2))],
    worlds=population_worlds(),
    parameters=PARAMETERS,
    draw=aistats.draw,
    measure=ARXIV_MEASURE,
    families=FAMILIES,
    uses=(*USES, "yashima2021/theorem_1_full:arxiv"),
    reading="every delta at which the probability says something",
    cost=20,
)

arxiv_where_defined = Claim(
    source=ARXIV.at("Theorem 1, (24)-(25), for delta below R"),
    statement=arxiv.statement,
    given=[*arxiv.given, delta < R],
    worlds=population_worlds(),
    parameters=PARAMETERS,
    draw=aistats.draw,
    measure=ARXIV_MEASURE,
    families=FAMILIES,
    uses=arxiv.uses,
    reading="only where the printed logarithm is positive",
    cost=20,
)
