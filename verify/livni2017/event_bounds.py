"""(23)-(25): the events of Lemma 6 against a large error of the estimate.

Setting    0 < eta < 1/8, B >= 1; E_1: |E| > 16 B and |E| > ||f|| / (4 eta); E_2: |E| > 16 B and
           ||f|| < 8 B; E the output of Algorithm 2 for f and x.
"""

from sympy import Abs, And, Not, Or, Rational

from boundcheck import Claim, Expected
from boundcheck.expressions import indicator
from boundcheck.settings.sampled_features import AT_LEAST_ONE, B, E, N, alpha, eta, f, norm, product
from boundcheck.worlds import Vector

from . import NOTES

E_1 = And(Abs(E) > 16 * B, Abs(E) > norm(f) / (4 * eta))
E_2 = And(Abs(E) > 16 * B, norm(f) < 8 * B)
far, either = indicator(Abs(E - product) >= 8 * B), indicator(Or(E_2, E_1))
setting = dict(
    given=[B >= 1, And(eta > 0, eta < Rational(1, 8))],
    domains={**AT_LEAST_ONE, alpha: Vector(N.name, searched=(-200, 200))},
    cost=4,
)

printed = Claim(
    NOTES.at("(23)-(25)"),
    Expected(
        And(indicator(And(E_1, Not(E_2))) <= far, indicator(E_2) <= far, either <= 2 * far)
    ),
    reading="For every function f and point x, reachable by Algorithm 1 or not.",
    **setting,
)

sharpened = Claim(NOTES.at("(25) without the factor 2"), Expected(either <= far), **setting)
