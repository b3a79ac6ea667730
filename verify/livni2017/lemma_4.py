"""Lemma 4, (19): concentration of Algorithm 2.

Setting    E is the output of Algorithm 2 for alpha, x_1..x_N, x and m draws; f = sum alpha_i
           Phi(x_i); |psi| < 1.
Claim      E E = <f, Phi(x)>, and P(|E - <f, Phi(x)>| > eps) <= exp(-m eps^2 / ||alpha||_1^2). In
           the proof: ||alpha||_1 E^(k) has mean <f, Phi(x)>, and E = (1/m) sum_k E^(k).
"""

from sympy import Abs, And, Eq, exp, symbols

from boundcheck import Claim, Expected, WithProbability
from boundcheck.quantities.online import coefficient_norm, sign
from boundcheck.worlds import Integer

from . import (
    NOTES,
    POSITIVE,
    Estimates,
    Picks,
    alpha_norm,
    combinations,
    epsilon,
    estimate,
    m,
    product,
    product_of_given,
)
from .algorithm_2 import output


def single_draws(alpha, psi, x, i, w):
    """E^(1), ..., E^(m): sgn(alpha_i) psi(x_i; w) psi(x; w) for the drawn pairs."""
    return tuple(sign(alpha[a]) * psi[a, b] * x[b] for a, b in zip(i, w, strict=True))


scaled, average = symbols("scaled average", real=True)
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
    parameters={m: Integer(1, searched=8)},
    uses=("livni2017/algorithm_2:printed",),
    **setting,
)

step_average = Claim(
    source=NOTES.at("Lemma 4, proof"),
    statement=Expected(And(Eq(scaled, product), Eq(average, estimate))),
    worlds=combinations(),
    parameters={m: Integer(1, searched=3)},
    given=[alpha_norm > 0],
    measure={
        alpha_norm: coefficient_norm, product: product_of_given, estimate: output,
        scaled: lambda alpha_norm, draws: alpha_norm * draws[0],
        average: lambda draws, m: sum(draws) / m,
        symbols("draws", real=True): single_draws,
    },
    draw=Picks(),
    reading="E^(k) is that of Algorithm 2, as the proof says.",
    cost=8,
)  # fmt: skip

repaired_average = Claim(
    source=NOTES.at("Lemma 4, proof, with the factor ||alpha||_1"),
    statement=Expected(And(Eq(scaled, product), Eq(alpha_norm * average, estimate))),
    worlds=step_average.worlds,
    parameters=step_average.parameters,
    given=step_average.given,
    measure=step_average.measure,
    draw=Picks(),
    cost=8,
)

printed = Claim(
    source=NOTES.at("Lemma 4, (19)"),
    statement=WithProbability(1 - exp(-m * epsilon**2 / alpha_norm**2), accurate),
    given=[epsilon > 0, alpha_norm > 0],
    parameters={epsilon: POSITIVE, m: Integer(1, searched=8)},
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
    parameters={epsilon: POSITIVE, m: Integer(1, searched=8)},
    uses=("livni2017/algorithm_2:printed",),
    **setting,
)
