"""Lemma 5: growth of the coefficients of Algorithm 1.

Setting    Algorithm 1 with any B >= 1, step eta, number of draws m, any points and labels.
Claim      ||alpha^(t)||_1 <= (16 B + 1) eta t on every sample path, t = 1, 2, ...
"""

from boundcheck import Claim, Holds
from boundcheck.quantities.online import coefficient_norm
from boundcheck.worlds import Integer

from . import AT_LEAST_ONE, NOTES, POSITIVE, PRINTED_RUN, B, T, alpha_norm, eta, m, runs

printed = Claim(
    source=NOTES.at("Lemma 5"),
    statement=Holds(alpha_norm <= (16 * B + 1) * eta * T),
    given=[B >= 1, eta > 0],
    worlds=runs(),
    parameters={B: AT_LEAST_ONE, eta: POSITIVE, m: Integer(1, 2)},
    measure={alpha_norm: coefficient_norm},
    draw=PRINTED_RUN,
    uses=("livni2017/algorithm_1:printed",),
    reading="The round is the last one of the world, so T stands for t; steps are positive.",
    cost=5,
)
