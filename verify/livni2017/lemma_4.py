"""Lemma 4, (19): concentration of Algorithm 2.

Setting    E is the output of Algorithm 2 for alpha, x_1..x_N, x and m draws; f = sum alpha_i
           Phi(x_i); |psi| < 1.
"""

from sympy import Abs, And, Eq, exp

from boundcheck import Claim, Expected, WithProbability
from boundcheck.settings.sampled_features import (
    E,
    average,
    epsilon,
    m,
    output,
    product,
    single,
    size,
)
from boundcheck.worlds import Integer

from . import NOTES

accurate = Abs(E - product) <= epsilon
MANY = {m: Integer(1, searched=8)}
ALGORITHM_2 = ("livni2017/algorithm_2:printed",)
tail = dict(given=[epsilon > 0, size > 0], domains=MANY, uses=ALGORITHM_2, cost=8)

unbiased = Claim(
    NOTES.at("Lemma 4"), Expected(Eq(E, product)), domains=MANY, uses=ALGORITHM_2, cost=8
)

step_average = Claim(
    NOTES.at("Lemma 4, proof"),
    Expected(And(Eq(size * single(0), product), Eq(output, average))),
    given=[size > 0],
    reading="E^(k) is that of Algorithm 2, as the proof says.",
    cost=8,
)

repaired_average = Claim(
    NOTES.at("Lemma 4, proof, with the factor ||alpha||_1"),
    Expected(And(Eq(size * single(0), product), Eq(output, size * average))),
    given=[size > 0],
    cost=8,
)

printed = Claim(
    NOTES.at("Lemma 4, (19)"),
    WithProbability(1 - exp(-m * epsilon**2 / size**2), accurate),
    reading="The deviation eps is positive, as in any tail bound, and alpha is not 0, where the "
    "right side is 0/0.",
    **tail,
)

# Hoeffding for m terms in an interval of length 2 ||alpha||_1, both tails.
repaired = Claim(
    NOTES.at("Lemma 4, (19), with Hoeffding's constants"),
    WithProbability(1 - 2 * exp(-m * epsilon**2 / (2 * size**2)), accurate),
    **tail,
)
