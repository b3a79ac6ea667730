"""(18): the last term of (16) under the proof's choice of step and samples.

Setting    eta = B / (2 sqrt(T)), m = ((16 B + 1) B)^2 T log(gamma), gamma as in section 5.1,
           B_T < (16 B + 1) eta T a bound on all ||f_t||.
"""

from sympy import And, Sum, exp, log, symbols

from boundcheck import Claim, Holds
from boundcheck.expressions import define, world
from boundcheck.settings.sampled_features import AT_LEAST_ONE, B, K, eta, m
from boundcheck.settings.shrinking_gradient import (
    PRINTED,
    PROOF_SAMPLES,
    PROOF_STEP,
    ShrinkingGradient,
    T,
    f_star,
    gamma,
    rounds,
    samples,
    size,
    star_norm,
)
from boundcheck.worlds import Integer, Real

from . import NOTES

t = symbols("t", real=True)
share = world("share", Real(0, 1), says="B_T in units of (16 B + 1) eta T.")
B_T = define("B_T", share * size, says="A bound of all norms.")
choice = dict(
    given=[B >= 1, size > B_T],
    domains={**AT_LEAST_ONE, eta: PROOF_STEP, T: Integer(1, wide=True, searched=200)},
    cost=8,
)


def follows(bounds):
    """Both inequalities on m and gamma, and (18) with a sum of bounds for that of the P_t."""
    return Holds(
        And(
            samples > (3 * eta * T) ** 2 * log(gamma),
            gamma > (B + B_T) ** 2 / eta**2,
            (B_T + B) ** 2 / eta * Sum(bounds, (t, 1, T)) <= eta * T,
        )
    )


printed = Claim(
    NOTES.at("(18)"),
    follows(2 * exp(-samples / (3 * eta * t) ** 2)),
    uses=("livni2017/lemma_2:printed", "livni2017/lemma_5:printed"),
    reading="What follows from the choice of m and the bound that Lemma 2 states; whether Lemma 2 "
    "and (18) hold for the algorithm as printed are claims of their own. B_T is below "
    "(16 B + 1) eta T, as ||Phi(x)|| < 1.",
    **choice,
)

# P_t is at most P(|E - <f, Phi>| >= 8 B) in the round before, bounded with Hoeffding's constants.
repaired = Claim(
    NOTES.at("(18), with Hoeffding's constants in Lemma 2"),
    follows(2 * exp(-samples * (8 * B) ** 2 / (2 * (size / T * t) ** 2))),
    uses=("livni2017/lemma_2:repaired_constants", "livni2017/event_bounds:sharpened"),
    **choice,
)

run = ShrinkingGradient(T, PRINTED)
step_run = Claim(
    NOTES.at("(18), on Algorithm 1 as printed"),
    Holds((run.largest_norm + B) ** 2 / eta * run.overruled(f_star) <= eta * T),
    given=[B >= 1, star_norm < B],
    domains={
        **AT_LEAST_ONE, eta: PROOF_STEP, m: PROOF_SAMPLES, T: rounds(1, 2, 4),
        K: Integer(1, searched=1),
    },
    uses=("livni2017/proof_18:printed", "livni2017/algorithm_1:printed"),
    reading="P_t is that of Lemma 1, B_T the largest norm on any path, m rounded up.",
    cost=25,
)  # fmt: skip
