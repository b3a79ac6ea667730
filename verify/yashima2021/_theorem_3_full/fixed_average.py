"""The average at T + 1, with a bound that falls with every later t, as the preprint prints it."""

from dataclasses import replace

from sympy import Min, log

from boundcheck import Claim, Holds
from boundcheck.expressions import define, table, world
from boundcheck.quantities.averaged_sgd import unlucky_excess
from boundcheck.settings.averaged_sgd import (
    K,
    M,
    R,
    T,
    delta,
    eta,
    g_lambda,
    gamma,
    i,
    k,
    lam,
    n,
    p,
    phi,
    rho,
    t,
)
from boundcheck.settings.margin_losses import height, kind, stretch
from boundcheck.worlds import Choice, Integer, Matrix, Real, Vector

from .. import ARXIV
from .._theorem_3 import PREPRINT, L, hypotheses, made
from . import rests_on

relative = world("relative", Real("1/2", 1), says="Share of the largest lambda allowed.")
closeness = world("closeness", Real("1/2", 1, open_high=True))
constants = replace(PREPRINT, start_gap=define("start_gap", g_lambda.norm))
unlucky = unlucky_excess(
    k, rho, eta, table(0 * eta[i], i), lam, gamma, T, kind, height, stretch
)


def lambda_of(eta, delta, R, relative):
    """Up to the lambda at which g_lambda is m/2 = delta away from g_* = 2 eta - 1."""
    return relative * R * R * 2 * delta / (2 * eta[0] - 1 - delta)


fixed_average = Claim(
    ARXIV.at("Theorem 3 in Appendix E, (159): average at T + 1, bound at every t > T"),
    Holds(log(unlucky) <= log(2) - constants.exponent()),
    given=[
        *hypotheses(constants, constants.features(delta), Min(1 / L, 1 / (2 * lam))),
        t > T,
        constants.second() <= constants.threshold(),
    ],
    domains={
        n: Integer(1, 1),
        K: Integer(1, 1),
        phi: Matrix(1, 1, "1/2", 1),
        eta: Vector(1, "3/4", "999/1000"),
        kind: Choice(("modified huber",)),
        height: Real(1, 1),
        stretch: Real(1, 1),
        p: Real(0, "1/2"),
        delta: made("delta", lambda eta, closeness: (2 * eta[0] - 1) / 2 * closeness, eta,
                    closeness),
        R: made("R", lambda phi: phi[0, 0], phi),
        lam: made("lambda", lambda_of, eta, delta, R, relative),
        T: Integer(1, wide=True, searched=20_000),
        gamma: Real(3, None, log=True, searched=(3, 1000)),
        t: Integer(2, wide=True, searched=10**60),
        M: Integer(1, wide=True, searched=10**200),
    },
    uses=rests_on("arxiv"),
    reading="one point and one feature, so that H_M is H for every sample, the loss whose g_* is "
    "2 eta - 1, and g_1 = 0; the left side is at least what the sample paths with only unlikely "
    "labels add, in logarithms; t is free while T stays",
    cost=2,
)  # fmt: skip
