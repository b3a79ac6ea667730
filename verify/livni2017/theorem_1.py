"""Theorem 1: regret, run time and prediction of Algorithm 1.

Setting    Algorithm 1 with T, B >= 1, eta = B / sqrt(T), m = O(B^4 T log(B T)); rho the time to
           draw one feature.
Claim      1. E sum_t l_t(f_t) - min over ||f*|| < B of sum_t l_t(f*) = O(B sqrt(T)).
           2. The run time is O(rho B^4 T^2) up to logarithms in B and T.
           3. Algorithm 2 with m = O(B^4 T / eps^2 log(1/delta)) draws gives <f_t, Phi(x)> within
              eps with probability at least 1 - delta.
"""

from sympy import Abs, And, E, Rational, log, sqrt

from boundcheck import Claim, Expected, UpToConstant, WithProbability
from boundcheck.expressions import clipped, named, parameter
from boundcheck.settings import sampled_features as features
from boundcheck.settings.sampled_features import (
    AT_LEAST_ONE,
    B,
    K,
    N,
    delta,
    epsilon,
    eta,
    m,
    needed_draws,
    psi,
    short_features,
)
from boundcheck.settings.shrinking_gradient import (
    DESCENT,
    PRINTED,
    PROOF_SAMPLES,
    THEOREM_STEP,
    ShrinkingGradient,
    T,
    enough_samples,
    one_point,
)
from boundcheck.worlds import Family, Integer, Real, doublings

from . import NOTES
from ._theorem_1.sizes import STEP, bound, fewer_samples, samples, stated_samples

ROUNDS = (20 * B / (3 * epsilon)) ** 2  # at which 20/3 B sqrt(T) is epsilon T


def noise_free(rounds, radius, **more):
    """A run on one point at more samples than theorem or proof ask for."""
    return one_point(rounds, radius, m=enough_samples(radius, rounds), **more)


regret_bound = dict(
    domains={**STEP, T: Integer(1, searched=2)},
    families=(
        Family(
            "T grows, B = 1, one point with label 1/4",
            lambda size: noise_free(4 * size, 1, feature="1/2", label="1/4"),
            sizes=(1, 4, 16, 64, 128, 256),
        ),
        Family(
            "B grows at T = 2, one point with label 1",
            lambda size: noise_free(2, size),
            sizes=doublings(8, 7),
        ),
    ),
    cost=30,
)

printed = Claim(
    NOTES.at("Theorem 1, part 1"),
    UpToConstant(ShrinkingGradient(T, PRINTED).regret <= B * sqrt(T)),
    given=[B >= 1, m >= stated_samples],
    uses=(
        "livni2017/algorithm_1:printed", "livni2017/proof_16:printed",
        "livni2017/proof_17:printed", "livni2017/proof_18:printed",
        "livni2017/proof_final:printed",
    ),
    reading="m = O(...) is at least the stated order, written with constant 1; the growing worlds "
    "take no less than the proof does, and their estimates are exact. An open ball's minimum is "
    "its infimum; every B >= 1 and T. The text speaks of every sequence: one that is fixed before "
    "the run, blind to its draws; sequences that see them are claims of their own.",
    **regret_bound,
)  # fmt: skip

descent_every_step = Claim(
    NOTES.at("Theorem 1, part 1, with a descent step"),
    UpToConstant(ShrinkingGradient(T, DESCENT).regret <= B * sqrt(T)),
    given=[B >= 1, m >= samples],
    uses=("livni2017/algorithm_1:repaired", "livni2017/proof_final:printed"),
    reading="As printed, but for the sign of the update and the m of the proof: any B >= 1 and T.",
    **regret_bound,
)

run = ShrinkingGradient(T, DESCENT, long=True)
simulated = dict(
    domains={
        **STEP, N: Integer(1, searched=3), K: Integer(1, searched=3), psi: short_features,
        T: Integer(64, searched=256),
    },
    uses=("livni2017/algorithm_1:repaired", "livni2017/proof_final:repaired_theorem_step"),
    cost=4,
)  # fmt: skip


def cut_regret(top, times=4):
    """The regret of a run, cut so that its mean can be tested."""
    return clipped(run.total - run.least_losses, -run.least_losses, times * top)


repaired = Claim(
    NOTES.at("Theorem 1, part 1, with a descent step, T >= 64 B^2 and its constant"),
    Expected(cut_regret(bound) <= bound),
    given=[B >= 1, T >= 64 * B**2, m >= samples],
    reading="The regret of a run is cut at four times the bound, so that its mean can be tested.",
    **simulated,
)

four_thirds = Rational(4, 3) * B * sqrt(T)
repaired_sharp = Claim(
    NOTES.at("Theorem 1, part 1, with the constant 4/3"),
    Expected(cut_regret(four_thirds, 2) <= four_thirds),
    given=[B >= 1, T >= 64 * B**2, m >= fewer_samples],
    reading="With a descent step, on sequences fixed before the run; m has no logarithm up to "
    "T = e^20. The regret of a run is cut at twice the bound.",
    **(simulated | dict(uses=tuple(
        f"livni2017/theorem_1:step_{name}"
        for name in ("descent", "penalty", "squares", "noise", "tail", "sum", "division")
    ))),
)

mean_regret = Claim(
    NOTES.at("Theorem 1, part 1, with its constant: T and m for a mean regret of epsilon"),
    Expected(cut_regret(epsilon * T) <= epsilon * T),
    given=[B >= 1, epsilon > 0, T >= 64 * B**2, T >= ROUNDS, m >= samples],
    reading="With a descent step: the rounds and samples per round at which the bound of the "
    "repaired theorem is at most epsilon T. A regret is cut at four times that.",
    **simulated,
)

rho = parameter("rho", Real(1, None), latex=r"\rho", says="Time to draw one feature.")
# Rounds 2..T: an alias table over t coefficients, then m draws of (i, w) and two features.
time = named("time", T * (T - 1) / 2 + (T - 1) * m * (rho + 4), r"\text{time}")

part_2 = Claim(
    NOTES.at("Theorem 1, part 2"),
    UpToConstant(time <= rho * B**4 * T**2 * log(E + B * T)),
    given=[B >= 1, rho >= 1],
    domains={
        **AT_LEAST_ONE, T: Integer(1, wide=True, searched=10**6), eta: THEOREM_STEP,
        m: PROOF_SAMPLES,
    },
    families=(
        Family("T grows", lambda n: {"B": 1, "T": n, "rho": 1}, sizes=doublings(2, 10)),
        Family("B grows", lambda n: {"B": n, "T": 4, "rho": 1}, sizes=doublings(1, 8)),
        Family("both grow", lambda n: {"B": n, "T": n * n, "rho": n}, sizes=doublings(2, 8)),
    ),
    reading="Drawing a feature takes rho >= 1, evaluating it and drawing an index a constant; one "
    "logarithm stands for those that the notation hides.",
    cost=4,
)  # fmt: skip


def after_one_round(delta):
    """t = 2 after y_1 = 1 at B = 1, T = 4: one coefficient eta; the test point has fair signs."""
    half, near = Rational(1, 2), Rational(9, 10)
    return {
        "N": 1, "K": 2, "mu": (half, half), "psi": [[near, near]], "alpha": (-half,),
        "x": (near, -near), "B": 1, "T": 4, "delta": delta, "epsilon": Rational(1, 4),
    }  # fmt: skip


needed = needed_draws(features.alpha, psi, features.x, features.mu, epsilon, delta)
draws = dict(
    given=[
        B >= 1, epsilon > 0, delta > 0, delta < 1,
        features.size <= (16 * B + 1) * B * sqrt(T),
    ],
    domains={**AT_LEAST_ONE, T: Integer(1, searched=100)},
    families=(
        Family(
            "delta -> 1, one coefficient, fair signs",
            lambda n: after_one_round(1 - Rational(1, n)),
            sizes=doublings(8, 8),
        ),
        Family(
            "delta -> 0, one coefficient, fair signs",
            lambda n: after_one_round(Rational(1, n)),
            sizes=doublings(4, 8),
        ),
    ),
    cost=60,
)  # fmt: skip

part_3 = Claim(
    NOTES.at("Theorem 1, part 3"),
    UpToConstant(needed - 1 <= B**4 * T / epsilon**2 * log(1 / delta)),
    uses=("livni2017/lemma_4:printed", "livni2017/lemma_5:printed"),
    reading="The draws needed beyond the first one (a number of draws is rounded up) are at most a "
    "constant times the stated order, for every delta in (0, 1). alpha^(t) is any vector within "
    "Lemma 5, whether the sequence behind it saw the run or not.",
    **draws,
)

repaired_part_3 = Claim(
    NOTES.at("Theorem 1, part 3, with log(2/delta)"),
    UpToConstant(needed - 1 <= B**4 * T / epsilon**2 * log(2 / delta)),
    uses=("livni2017/lemma_4:repaired", "livni2017/lemma_5:printed"),
    **draws,
)

repaired_constant = Claim(
    NOTES.at("Theorem 1, part 3, with its constant"),
    WithProbability(1 - delta, Abs(features.E - features.product) <= epsilon),
    given=[
        And(delta > 0, delta < 1), epsilon > 0,
        m >= 2 * features.size**2 / epsilon**2 * log(2 / delta),
    ],
    domains={m: Integer(1, searched=24)},
    uses=("livni2017/lemma_4:repaired",),
    cost=40,
)  # fmt: skip
