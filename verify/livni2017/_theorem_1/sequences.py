"""Theorem 1, part 1, on hard sequences: fixed before the run, or seeing its draws.

Setting    Algorithm 1 with a descent step, eta = B / sqrt(T), T >= 64 B^2; the positive part of the
           regret, cut, so that its mean can be tested.
"""

from sympy import sqrt

from boundcheck import Claim, Expected, UpToConstant
from boundcheck.expressions import clipped
from boundcheck.settings.sampled_features import B, m, psi, short_features
from boundcheck.settings.seeing_adversaries import Contest
from boundcheck.settings.shrinking_gradient import T, rounds
from boundcheck.worlds import Integer

from .. import NOTES
from .._adversaries import FIXED, NOISY, SEEING
from .sizes import STEP, bound, samples, stated_samples

seeing, blind = Contest(T, states=4), Contest(T, states=4, seeing=False)
adaptive_constant = Claim(
    NOTES.at("Theorem 1, part 1, repaired, against an adversary that sees the run"),
    Expected(clipped(seeing.run_regret, 0, 2 * bound) <= bound),
    given=[B >= 1, T >= 64 * B**2, m >= samples],
    domains={**STEP, psi: short_features, T: rounds(64, 81, 100)},
    uses=("livni2017/algorithm_1:repaired", "livni2017/lemma_1:adaptive_hindsight"),
    reading="Point and label of a round depend on the draws of the rounds before it (section 2 has "
    "an adversary reveal them after f_t is chosen), and the minimum is taken after the run, inside "
    "the expectation. What is bounded is the positive part of the regret, which is larger, cut at "
    "twice the bound.",
    cost=1.5,
)


def within_the_order(game, share=1):
    """A cut at share B T^(3/4) leaves room for a regret of more than the order B sqrt(T)."""
    top = share * B * sqrt(T * sqrt(T))
    return UpToConstant(Expected(clipped(game.run_regret, 0, top) <= B * sqrt(T)))


ordered = dict(
    given=[B >= 1, T >= 64 * B**2, m >= stated_samples],
    domains={**STEP, T: Integer(64, searched=256)},
    cost=3,
)
POSITIVE_PART = (
    "With a descent step, T >= 64 B^2 and m from the stated order with constant 1. What is bounded "
    "is the positive part of the regret, which is larger, cut at B T^(3/4), so that no constant "
    "is enough by itself."
)

oblivious = Claim(
    NOTES.at("Theorem 1, part 1, with a descent step, on hard fixed sequences"),
    within_the_order(blind),
    families=FIXED,
    uses=("livni2017/algorithm_1:repaired",),
    reading=POSITIVE_PART,
    **ordered,
)

adaptive = Claim(
    NOTES.at("Theorem 1, part 1, with a descent step, on sequences that depend on the run"),
    within_the_order(seeing),
    families=SEEING,
    uses=("livni2017/algorithm_1:repaired", "livni2017/lemma_1:adaptive_hindsight"),
    reading=f"{POSITIVE_PART} Points and labels depend on the draws so far, the minimum is taken "
    "after the run.",
    **ordered,
)

few_samples = Claim(
    NOTES.at("Theorem 1, part 1, with a descent step and any m of at most the stated order"),
    within_the_order(blind, share=6),
    families=NOISY,
    uses=("livni2017/algorithm_1:repaired",),
    reading="m = O(...) as it stands, an order from above, so that m = 1 will do. What is bounded "
    "is the positive part of the regret, which along the family is the regret: its labels are "
    "those of a function in the ball. It is cut at 6 B T^(3/4).",
    **(ordered | dict(given=[B >= 1, T >= 64 * B**2, m >= 1, m <= stated_samples], cost=2)),
)
