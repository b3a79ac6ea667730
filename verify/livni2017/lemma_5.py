"""Lemma 5: growth of the coefficients of Algorithm 1.

Setting    Algorithm 1 with any B >= 1, step eta, number of draws m, any points and labels.
"""

from boundcheck import Claim, Holds
from boundcheck.settings.sampled_features import AT_LEAST_ONE, B, eta, m
from boundcheck.settings.seeing_adversaries import Contest
from boundcheck.settings.shrinking_gradient import PRINTED, ShrinkingGradient, t
from boundcheck.worlds import Integer

from . import NOTES

run, game = ShrinkingGradient(t, PRINTED, lines=True), Contest(t)
setting = dict(
    given=[B >= 1, eta > 0],
    domains={**AT_LEAST_ONE, m: Integer(1, searched=2)},
    cost=5,
)
SHORT = {**setting["domains"], t: Integer(1, searched=3)}

printed = Claim(
    NOTES.at("Lemma 5"),
    Holds(run.size <= (16 * B + 1) * eta * t),
    uses=("livni2017/algorithm_1:printed",),
    reading="Steps are positive; points and labels are a sequence fixed before the run.",
    **setting,
)

adaptive = Claim(
    NOTES.at("Lemma 5, with points and labels that depend on the run"),
    Holds(game.l1_norm <= (16 * B + 1) * eta * t),
    uses=("livni2017/lemma_5:printed",),
    reading="The bound is one for every sample path, so that an adversary which sees the draws of "
    "earlier rounds gains nothing.",
    **(setting | dict(domains=SHORT)),
)

sharpened = Claim(
    NOTES.at("Lemma 5, with t - 1 for t"),
    Holds(game.l1_norm <= (16 * B + 1) * eta * (t - 1)),
    reading="alpha^(1) = 0, and every round before t adds at most (16 B + 1) eta; points and "
    "labels may depend on the run.",
    **(setting | dict(domains=SHORT)),
)
