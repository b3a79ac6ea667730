"""(20): concentration of the estimates within Algorithm 1.

Setting    Algorithm 1 in round t; f_t = sum_i alpha_i^(t) Phi(x_i).
"""

from sympy import Abs, exp

from boundcheck import Claim, WithProbability
from boundcheck.settings.sampled_features import AT_LEAST_ONE, B, epsilon, eta, m
from boundcheck.settings.shrinking_gradient import DESCENT, PRINTED, ShrinkingGradient, t
from boundcheck.worlds import Integer, Real

from . import NOTES

climbing = ShrinkingGradient(t, PRINTED, lines=True)
descending = ShrinkingGradient(t, DESCENT, lines=True)
exponent = epsilon**2 * m / ((16 * B + 1) * eta * t) ** 2
setting = dict(
    given=[B >= 1, eta > 0, epsilon > 0],
    domains={**AT_LEAST_ONE, m: Integer(1, searched=2)},
    uses=("livni2017/lemma_4:printed", "livni2017/lemma_5:printed"),
    cost=6,
)

printed = Claim(
    NOTES.at("(20)"),
    WithProbability(1 - exp(-exponent), Abs(climbing.E - climbing.product) <= epsilon),
    reading="B > 1, as Algorithm 1 asks; steps and deviations are positive.",
    **(setting | dict(
        given=[B > 1, eta > 0, epsilon > 0],
        domains={B: Real(1, None, open_low=True), m: Integer(1, searched=2)},
    )),
)

repaired = Claim(
    NOTES.at("(20), with Hoeffding's constants"),
    WithProbability(1 - 2 * exp(-exponent / 2), Abs(descending.E - descending.product) <= epsilon),
    **setting,
)
