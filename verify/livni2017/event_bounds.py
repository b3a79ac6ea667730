"""(23)-(25): the events of Lemma 6 against a large error of the estimate.

Setting    0 < eta < 1/8, B >= 1; E_1: |E| > 16 B and |E| > ||f|| / (4 eta); E_2: |E| > 16 B and
           ||f|| < 8 B; E the output of Algorithm 2 for f and x.
Claim      P(E_1 and not E_2) <= P(|E - <f, Phi(x)>| >= 8 B); P(E_2) is below the same; hence
           P(E_1 or E_2) <= 2 P(|E - <f, Phi(x)>| >= 8 B).
"""

from sympy import And, Rational, symbols

from boundcheck import Claim, Expected
from boundcheck.quantities.online import combination, norm, row
from boundcheck.worlds import Integer

from . import (
    AT_LEAST_ONE,
    NOTES,
    POSITIVE,
    B,
    Estimates,
    combinations,
    eta,
    f_norm,
    far,
    m,
    product,
    product_of_given,
)

first, second = symbols("first second", real=True)


def length(alpha, psi, mu):
    """||f|| for f = sum_i alpha_i Phi(x_i)."""
    return norm(combination(alpha, [row(psi, i) for i in range(psi.nrows())]), mu)


setting = dict(
    given=[B >= 1, And(eta > 0, eta < Rational(1, 8))],
    worlds=combinations(scale=200),
    parameters={B: AT_LEAST_ONE, eta: POSITIVE, m: Integer(1, searched=4)},
    measure={
        f_norm: length,
        product: product_of_given,
        first: lambda estimate, f_norm, B, eta: int(
            abs(estimate) > 16 * B and abs(estimate) > f_norm / (4 * eta)
        ),
        second: lambda estimate, f_norm, B: int(abs(estimate) > 16 * B and f_norm < 8 * B),
        far: lambda estimate, product, B: int(abs(estimate - product) >= 8 * B),
    },
    draw=Estimates(),
    cost=4,
)

printed = Claim(
    source=NOTES.at("(23)-(25)"),
    statement=Expected(
        And(first * (1 - second) <= far, second <= far, first + second - first * second <= 2 * far)
    ),
    reading="For every function f and point x, reachable by Algorithm 1 or not.",
    **setting,
)

sharpened = Claim(
    source=NOTES.at("(25) without the factor 2"),
    statement=Expected(first + second - first * second <= far),
    **setting,
)
