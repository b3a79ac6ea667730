"""Lemma 5: growth of the coefficients of Algorithm 1.

Setting    Algorithm 1 with any B >= 1, step eta, number of draws m, any points and labels.
Claim      ||alpha^(t)||_1 <= (16 B + 1) eta t on every sample path, t = 1, 2, ...
"""

from boundcheck import Claim, Holds
from boundcheck.quantities.online import coefficient_norm
from boundcheck.worlds import Integer

from . import AT_LEAST_ONE, NOTES, POSITIVE, PRINTED_RUN, B, T, alpha_norm, eta, m, runs
from ._adversaries import Coefficients, contests

printed = Claim(
    source=NOTES.at("Lemma 5"),
    statement=Holds(alpha_norm <= (16 * B + 1) * eta * T),
    given=[B >= 1, eta > 0],
    worlds=runs(),
    parameters={B: AT_LEAST_ONE, eta: POSITIVE, m: Integer(1, searched=2)},
    measure={alpha_norm: coefficient_norm},
    draw=PRINTED_RUN,
    uses=("livni2017/algorithm_1:printed",),
    reading="The round is the last one of the world, so T stands for t; steps are positive. The "
    "points and labels are a sequence fixed before the run.",
    cost=5,
)

adaptive = Claim(
    source=NOTES.at("Lemma 5, with points and labels that depend on the run"),
    statement=Holds(alpha_norm <= (16 * B + 1) * eta * T),
    given=[B >= 1, eta > 0],
    worlds=contests(),
    parameters={B: AT_LEAST_ONE, eta: POSITIVE, m: Integer(1, searched=2)},
    draw=Coefficients(),
    uses=("livni2017/lemma_5:printed",),
    reading="The bound is one for every sample path, so that an adversary which sees the draws of "
    "earlier rounds gains nothing.",
    cost=5,
)

sharpened = Claim(
    source=NOTES.at("Lemma 5, with t - 1 for t"),
    statement=Holds(alpha_norm <= (16 * B + 1) * eta * (T - 1)),
    given=[B >= 1, eta > 0],
    worlds=contests(),
    parameters={B: AT_LEAST_ONE, eta: POSITIVE, m: Integer(1, searched=2)},
    draw=Coefficients(),
    reading="alpha^(1) = 0, and every round before t adds at most (16 B + 1) eta; points and "
    "labels may depend on the run.",
    cost=5,
)
