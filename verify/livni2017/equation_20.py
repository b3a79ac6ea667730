"""(20): concentration of the estimates within Algorithm 1.

Setting    Algorithm 1 in round t; f_t = sum_i alpha_i^(t) Phi(x_i).
Claim      P(|E_t - <f_t, Phi(x_t)>| > eps) <= exp(-eps^2 m / ((16 B + 1) eta t)^2).
"""

from sympy import Abs, exp

from boundcheck import Claim, WithProbability
from boundcheck.worlds import Integer

from . import (
    AT_LEAST_ONE,
    DESCENT_RUN,
    NOTES,
    POSITIVE,
    PRINTED_RUN,
    B,
    T,
    epsilon,
    estimate,
    eta,
    m,
    product,
    product_in_round,
    runs,
)

exponent = epsilon**2 * m / ((16 * B + 1) * eta * T) ** 2
accurate = Abs(estimate - product) <= epsilon

setting = dict(
    given=[B >= 1, eta > 0, epsilon > 0],
    worlds=runs(),
    parameters={B: AT_LEAST_ONE, eta: POSITIVE, m: Integer(1, searched=2), epsilon: POSITIVE},
    measure={product: product_in_round},
    uses=("livni2017/lemma_4:printed", "livni2017/lemma_5:printed"),
    reading="The round is the last one of the world, so T stands for t.",
    cost=6,
)

printed = Claim(
    source=NOTES.at("(20)"),
    statement=WithProbability(1 - exp(-exponent), accurate),
    draw=PRINTED_RUN,
    **setting,
)

repaired = Claim(
    source=NOTES.at("(20), with Hoeffding's constants"),
    statement=WithProbability(1 - 2 * exp(-exponent / 2), accurate),
    draw=DESCENT_RUN,
    **setting,
)
