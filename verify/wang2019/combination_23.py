"""(23): the parts of the proof of Theorem 1 put together.

Setting    a training set on which (18) holds for every draw of features, x' ~ rho.
Repaired   the first expression is at most the last one, and at most
           (4 b / s) ||K^(1/2) (K + n lambda I)^-1 y||^2.
Sharpened  with alpha = (K + n lambda I)^-1 y, that bound less the terms that (21) and (22) drop:
           less (2 / (s n)) ||K alpha||^2 + (2 / s) E_{x'} (k'^T alpha)^2.
"""

from sympy import And

from boundcheck import Claim, Holds
from boundcheck.expressions import norm, operator_norm, supremum
from boundcheck.settings.random_features import (
    E_features,
    E_test,
    V,
    b,
    fixed,
    fixed_features,
    peak,
    ridge,
    s,
    x,
)
from boundcheck.worlds import Integer

from . import NOTES, Delta_1, Delta_2, Delta_3

n, f, f_ = fixed.n, fixed.f(x), fixed.f_(x)
difference = E_features(E_test((f_ - f) ** 2))
third = 2 * E_features(E_test(Delta_3(x)))
mixed = 2 * E_features(E_test(Delta_2 * operator_norm(Delta_1(x)))) + third
taken_out = 2 * E_features(Delta_2 * E_test(operator_norm(Delta_1(x)))) + third
last = 2 / n * E_features(Delta_2) + third
bound = 4 * b / s * fixed.norm
dropped = 2 / (s * n) * norm(fixed.K * fixed.alpha) ** 2 + 2 / s * E_test(f**2)
SETTING = {
    "given": [peak <= b, supremum(fixed_features.excess, V) <= ridge],
    "domains": {s: Integer(1, searched=3)},
}

printed = Claim(
    NOTES.at("(23)"),
    Holds(And(difference <= mixed, mixed <= taken_out, taken_out <= last)),
    uses=("wang2019/decomposition_19:printed", "wang2019/delta_1:printed"),
    reading="Conditional on (18) for every draw of features, as the expectation over them needs.",
    **SETTING,
)
repaired = Claim(
    NOTES.at("(23) and the display after it"),
    Holds(And(difference <= last, difference <= bound)),
    **SETTING,
)
sharpened = Claim(
    NOTES.at("(23) and the display after it"),
    Holds(difference <= bound - dropped),
    uses=("wang2019/lemma_4:printed", "wang2019/lemma_5:printed"),
    reading="No hypothesis is added to those of the proof of Theorem 1.",
    **SETTING,
)
