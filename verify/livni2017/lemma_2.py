"""Lemma 2: how often Algorithm 1 ends up farther from f* than a gradient step would.

Setting    Algorithm 1 with B >= 1 and eta < 1/8; g_t = (E_t - y_t) Phi(x_t); f^_t = f_t - eta g_t,
           P_t(f*) = P(||f_t - f*|| > ||f^_t - f*||); ||f*|| < B as everywhere in the analysis.
"""

from sympy import Abs, And, Rational, exp

from boundcheck import Claim, Expected, Holds, WithProbability
from boundcheck.expressions import indicator, named
from boundcheck.settings.sampled_features import AT_LEAST_ONE, B, eta, m, psi, sign_features
from boundcheck.settings.shrinking_gradient import (
    DESCENT,
    PRINTED,
    ShrinkingGradient,
    distance,
    rounds,
    star_norm,
    t,
)
from boundcheck.worlds import Integer, Real

from . import NOTES

climbing = ShrinkingGradient(t, PRINTED)
own_hat = named("hat", climbing.hat.body, r"\hat{f}_t")  # the name that this lemma gives it
short = And(eta > 0, eta < Rational(1, 8))
setting = dict(
    given=[B >= 1, short, star_norm < B],
    domains={**AT_LEAST_ONE, m: Integer(1, searched=2), t: Integer(1, searched=3)},
    cost=8,
)

printed = Claim(
    NOTES.at("Lemma 2"),
    WithProbability(
        1 - 2 * exp(-m / (3 * eta * t) ** 2), distance(climbing.f) <= distance(own_hat)
    ),
    uses=(
        "livni2017/lemma_6:printed",
        "livni2017/event_bounds:printed",
        "livni2017/lemma_2:step_constants",
    ),
    reading="f^_t is the one that the lemma defines; ||f*|| < B, which it leaves out, is that of "
    "Lemma 6 in its proof; lengths are compared by their squares.",
    **setting,
)

as_in_lemma_1 = Claim(
    NOTES.at("Lemma 2, with f^ of Lemma 1"),
    WithProbability(
        1 - 2 * exp(-m / (3 * eta * (t + 1)) ** 2),
        distance(climbing.following) <= distance(climbing.hat),
    ),
    uses=("livni2017/algorithm_1:printed",),
    reading="f^ is that of Lemma 1, so that P_{t+1} compares f_{t+1} with f_t - eta g_t, both made "
    "in round t; the algorithm is as printed.",
    **setting,
)

# About 45 rounds are the least after which an estimate can reach 16 B with steps below 1/8.
run = ShrinkingGradient(t, DESCENT, long=True)
farther = indicator(distance(run.following) > distance(run.hat))
repaired = Claim(
    NOTES.at("Lemma 2, with f^ of Lemma 1 and a descent step"),
    Expected(farther <= 2 * exp(-m / (3 * eta * (t + 1)) ** 2)),
    given=[B >= 1, short, star_norm < B],
    domains={
        **AT_LEAST_ONE, m: Integer(1, searched=2), t: rounds(1, 4, 60, 80), psi: sign_features,
        eta: Real(0, None, open_low=True, searched=(0, "124999/1000000")),
    },
    uses=("livni2017/lemma_6:repaired", "livni2017/event_bounds:printed"),
    cost=3,
)  # fmt: skip

exponent = m * (8 * B) ** 2 / ((16 * B + 1) * eta * t) ** 2
chain = dict(
    given=[B >= 1, short],
    domains={
        **AT_LEAST_ONE, m: Integer(1, searched=2), t: rounds(1, 2, 4, 24, 24, 24),
        psi: sign_features,
    },
    cost=3,
)  # fmt: skip
descending = ShrinkingGradient(t, DESCENT)

step_constants = Claim(
    NOTES.at("appendix B.2, the chain of exponents"),
    WithProbability(1 - exp(-exponent), Abs(climbing.E - climbing.product) <= 8 * B),
    uses=("livni2017/equation_20:printed", "livni2017/lemma_2:step_exponents"),
    **chain,
)

step_exponents = Claim(
    NOTES.at("appendix B.2, the chain of exponents"),
    Holds(exp(-exponent) < exp(-m / (3 * eta * t) ** 2)),
    given=[B >= 1, short],
    domains={
        **AT_LEAST_ONE, m: Integer(1, wide=True, searched=10**6),
        t: Integer(1, wide=True, searched=10**6),
    },
)  # fmt: skip

repaired_constants = Claim(
    NOTES.at("appendix B.2, with Hoeffding's constants"),
    WithProbability(1 - 2 * exp(-exponent / 2), Abs(descending.E - descending.product) <= 8 * B),
    uses=("livni2017/equation_20:repaired",),
    **chain,
)
