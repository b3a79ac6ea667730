"""(16): the lemmas combined.

Setting    Algorithm 1; R(f*) = E sum_t l_t(f_t) - l_t(f*); B_T a bound on all ||f_t||; P_t of
           Lemma 1; ||f*|| <= B.
"""

from boundcheck import Claim, Holds
from boundcheck.settings.sampled_features import AT_LEAST_ONE, B, eta, m
from boundcheck.settings.seeing_adversaries import Contest, largest_norm, shrinks
from boundcheck.settings.shrinking_gradient import (
    DESCENT,
    PRINTED,
    ShrinkingGradient,
    T,
    f_star,
    size,
    star_norm,
)
from boundcheck.worlds import Integer

from . import NOTES


def combined(losses, least, B_T, penalties):
    """(16) for a loss of the run, that of f*, a bound on all norms and sum_t P_t(f*)."""
    return Holds(
        (1 - 2 * eta) * (losses - least)
        <= B**2 / eta + 2 * eta * least + eta * size**2 * T / m + (B_T + B) ** 2 / eta * penalties
    )


def on(run):
    """(16) on a run with a sequence fixed before it."""
    return combined(run.losses, run.losses_of(f_star), run.largest_norm, run.overruled(f_star))


setting = dict(
    given=[B >= 1, eta > 0, star_norm <= B],
    domains={
        **AT_LEAST_ONE, T: Integer(1, searched=3), m: Integer(1, wide=True, searched=10**9),
    },
    cost=12,
)  # fmt: skip

printed = Claim(
    NOTES.at("(16)"),
    on(ShrinkingGradient(T, PRINTED)),
    uses=(
        "livni2017/lemma_1:printed", "livni2017/lemma_2:printed", "livni2017/lemma_3:printed",
    ),
    reading="P_t is that of Lemma 1 and B_T the largest norm on any sample path.",
    **setting,
)  # fmt: skip

repaired = Claim(
    NOTES.at("(16), with a descent step"),
    on(ShrinkingGradient(T, DESCENT)),
    uses=("livni2017/lemma_1:repaired", "livni2017/lemma_3:printed"),
    **setting,
)

# Against an adversary that sees the run; f* may be the best function after it.
seen = Contest(T)
B_T = largest_norm(seen.game)

adaptive = Claim(
    NOTES.at("(16), with a descent step, against an adversary that sees the run"),
    combined(seen.losses, seen.losses_of(f_star), B_T, seen.overruled(f_star)),
    uses=("livni2017/lemma_1:adaptive_algorithm", "livni2017/lemma_3:printed"),
    reading="Points and labels depend on the draws of earlier rounds, f* is fixed before the run, "
    "and the losses of f* are expected ones.",
    **(setting | dict(cost=6)),
)

adaptive_hindsight = Claim(
    NOTES.at("(16), with a descent step, against the best f* after an adaptive run"),
    combined(seen.losses, seen.least_losses, B_T, shrinks(seen.game)),
    uses=("livni2017/lemma_1:adaptive_algorithm_hindsight", "livni2017/lemma_3:printed"),
    reading="With the minimum after the run, as in (7) and Theorem 1; every shrinking step counts "
    "as one to the disadvantage of f*.",
    **(setting | dict(given=[B >= 1, eta > 0])),
)
