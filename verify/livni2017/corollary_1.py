"""Corollary 1: expected risk of the averaged functions.

Setting    S drawn independently from a law P of (x, y); Algorithm 1 as in Theorem 1 with
           T = O(B^2 / eps^2), any eps > 0; f_S = (1/T) sum_t f_t; L the expected loss.
"""

from math import isqrt

from sympy import Rational

from boundcheck import Claim, Expected, UpToConstant
from boundcheck.expressions import clipped
from boundcheck.settings.online_to_batch import excess_on_one_case, least, risk
from boundcheck.settings.sampled_features import AT_LEAST_ONE, B, K, N, epsilon, eta, m
from boundcheck.settings.shrinking_gradient import (
    DESCENT,
    PRINTED,
    THEOREM_STEP,
    T,
    enough_samples,
    one_point,
)
from boundcheck.worlds import Family, Integer, doublings

from . import NOTES
from ._theorem_1.sizes import SAMPLES, fewer_samples, samples, stated_samples

STATED_ROUNDS = B**2 / epsilon**2


def noise_free(rounds, radius, accuracy, feature="9/10"):
    """A law on one point, at more samples than Theorem 1 or its proof ask for."""
    world = one_point(1, radius, feature=feature, m=enough_samples(radius, rounds))
    del world["sequence"]
    return world | {"T": rounds, "x": 0, "y": 1, "epsilon": accuracy}


setting = dict(
    domains={**AT_LEAST_ONE, T: Integer(1, searched=2), m: SAMPLES, eta: THEOREM_STEP},
    families=(
        Family(
            "eps -> 0 at B = 1, one point with label 1",
            lambda size: noise_free(4 * size, 1, Rational(1, isqrt(4 * size)), "1/2"),
            sizes=(1, 4, 16, 64, 128, 256),
        ),
        Family(
            "eps grows with B at T = 2, one point with label 1",
            lambda size: noise_free(2, size, Rational(5, 7) * size),  # above B / sqrt(2)
            sizes=doublings(8, 7),
        ),
    ),
    cost=30,
)

printed = Claim(
    NOTES.at("Corollary 1"),
    UpToConstant(excess_on_one_case(PRINTED) <= epsilon),
    given=[B >= 1, epsilon > 0, T >= STATED_ROUNDS, m >= stated_samples],
    uses=("livni2017/theorem_1:printed",),
    reading="Orders are written with constant 1. That T = C B^2 / eps^2 rounds suffice for some C "
    "says that B^2 / eps^2 rounds give an excess risk of a constant times eps, for every eps > 0; "
    "here for laws on one point with one label.",
    **setting,
)

descent_every_accuracy = Claim(
    NOTES.at("Corollary 1, with a descent step"),
    UpToConstant(excess_on_one_case(DESCENT) <= epsilon),
    given=[B >= 1, epsilon > 0, T >= STATED_ROUNDS, m >= samples],
    uses=("livni2017/theorem_1:descent_every_step",),
    reading="As printed, but for the sign of the update and the m of the proof: any eps > 0.",
    **setting,
)

repaired = Claim(
    NOTES.at("Corollary 1, with a descent step, eps <= 1/2 and T >= 64 B^2 / eps^2"),
    Expected(clipped(risk - least, -least, 4 * epsilon) < epsilon),
    given=[B >= 1, epsilon > 0, epsilon <= Rational(1, 2), T >= 64 * STATED_ROUNDS, m >= samples],
    domains={
        **AT_LEAST_ONE, N: Integer(1, searched=3), K: Integer(1, searched=3), m: SAMPLES,
        T: Integer(256, searched=400), eta: THEOREM_STEP,
    },
    uses=("livni2017/theorem_1:repaired",),
    reading="The expectation is over the sample and over the draws of the algorithm; an excess is "
    "cut at 4 eps, so that its mean can be tested. T >= 256 follows from the hypotheses.",
    cost=4,
)  # fmt: skip

repaired_sharp = Claim(
    NOTES.at("Corollary 1, with the constant 4/3 of the regret"),
    Expected(clipped(risk - least, -least, 2 * epsilon) < epsilon),
    given=[
        B >= 1, epsilon > 0, T >= 64 * B**2, T >= Rational(16, 9) * STATED_ROUNDS,
        m >= fewer_samples,
    ],
    domains={
        **AT_LEAST_ONE, N: Integer(1, searched=3), K: Integer(1, searched=3), m: SAMPLES,
        T: Integer(64, searched=300), eta: THEOREM_STEP,
    },
    uses=("livni2017/theorem_1:repaired_sharp",),
    reading="With a descent step: the rounds at which the regret over T is at most eps; an excess "
    "is cut at 2 eps.",
    cost=4,
)  # fmt: skip
