"""Lemma 4, (19): concentration of Algorithm 2.

Setting    E is the output of Algorithm 2 for alpha, x_1..x_N, x and m draws; f = sum alpha_i
           Phi(x_i); |psi| < 1.
Claim      E E = <f, Phi(x)>, and P(|E - <f, Phi(x)>| > eps) <= exp(-m eps^2 / ||alpha||_1^2).
"""

from sympy import Abs, Eq, exp

from boundcheck import Claim, Expected, WithProbability
from boundcheck.quantities.online import coefficient_norm
from boundcheck.worlds import Integer

from . import (
    NOTES,
    POSITIVE,
    Estimates,
    alpha_norm,
    combinations,
    epsilon,
    estimate,
    m,
    product,
    product_of_given,
)

accurate = Abs(estimate - product) <= epsilon

setting = dict(
    worlds=combinations(),
    measure={alpha_norm: coefficient_norm, product: product_of_given},
    draw=Estimates(),
    cost=8,
)

unbiased = Claim(
    source=NOTES.at("Lemma 4"),
    statement=Expected(Eq(estimate, product)),
    parameters={m: Integer(1, 8)},
    uses=("livni2017/algorithm_2:printed",),
    **setting,
)

printed = Claim(
    source=NOTES.at("Lemma 4, (19)"),
    statement=WithProbability(1 - exp(-m * epsilon**2 / alpha_norm**2), accurate),
    given=[epsilon > 0, alpha_norm > 0],
    parameters={epsilon: POSITIVE, m: Integer(1, 8)},
    reading="The deviation eps is positive, as in any tail bound, and alpha is not 0, where the "
    "right side is 0/0.",
    uses=("livni2017/algorithm_2:printed",),
    **setting,
)

# Hoeffding for m terms in an interval of length 2 ||alpha||_1, both tails.
repaired = Claim(
    source=NOTES.at("Lemma 4, (19), with Hoeffding's constants"),
    statement=WithProbability(1 - 2 * exp(-m * epsilon**2 / (2 * alpha_norm**2)), accurate),
    given=[epsilon > 0, alpha_norm > 0],
    parameters={epsilon: POSITIVE, m: Integer(1, 8)},
    uses=("livni2017/algorithm_2:printed",),
    **setting,
)
