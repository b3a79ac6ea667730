"""Lemma 3: variance of the gradient estimate and size of the gradient.

Setting    Algorithm 1 in round t; g_t = (E_t - y_t) Phi(x_t), gradient_t with <f_t, Phi(x_t)> in
           place of E_t; V[g_t] = E ||g_t - gradient_t||^2.
"""

from sympy import Abs, And, Eq, Rational, sign

from boundcheck import Claim, Expected, Holds
from boundcheck.expressions import average, total
from boundcheck.settings.sampled_features import (
    AT_LEAST_ONE,
    B,
    E,
    alpha,
    eta,
    i,
    m,
    mu,
    psi,
    size,
    squared_norm,
    w,
    x,
)
from boundcheck.settings.shrinking_gradient import PRINTED, ShrinkingGradient, t
from boundcheck.worlds import Integer

from . import NOTES

run = ShrinkingGradient(t, PRINTED)
noisy, gradient = (run.E - run.label) * run.Phi, (run.product - run.label) * run.Phi

printed = Claim(
    NOTES.at("Lemma 3"),
    Expected(
        And(
            squared_norm(noisy - gradient) <= ((16 * B + 1) * eta * t) ** 2 / m,
            squared_norm(gradient) <= 2 * run.loss,
        )
    ),
    given=[B >= 1, And(eta > 0, eta < Rational(1, 8))],
    domains={**AT_LEAST_ONE, m: Integer(1, searched=2)},
    uses=("livni2017/lemma_5:printed", "livni2017/lemma_3:step_variance"),
    cost=6,
)


def V(value):
    """Variance of a function of an index i drawn from |alpha| and a feature w."""

    def mean(of):
        return total(Abs(alpha[i]) / size * mu[w] * of, i, w)

    return mean(value**2) - mean(value) ** 2


variance = average(E**2, E) - average(E, E) ** 2
single = psi[i, w] * x[w]
setting = dict(
    given=[size > 0],
    domains={m: Integer(1, searched=5)},
    uses=("livni2017/algorithm_2:printed",),
)

step_variance = Claim(
    NOTES.at("appendix B.3"),
    Holds(And(variance * squared_norm(x) <= variance, Eq(variance, V(size**2 * single) / m))),
    reading="Variances are those of one call of Algorithm 2, given alpha; alpha is not 0, where "
    "no index is drawn.",
    **setting,
)

repaired = Claim(
    NOTES.at("appendix B.3, with sign and square in place"),
    Holds(
        And(
            variance * squared_norm(x) <= variance,
            Eq(variance, V(size * sign(alpha[i]) * single) / m),
        )
    ),
    **setting,
)
