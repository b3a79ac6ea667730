"""Lemma 3: variance of the gradient estimate and size of the gradient.

Setting    Algorithm 1 in round t; g_t = (E_t - y_t) Phi(x_t), gradient_t with <f_t, Phi(x_t)> in
           place of E_t; V[g_t] = E ||g_t - gradient_t||^2.
Claim      V[g_t] <= ((16 B + 1) eta t)^2 / m and E ||gradient_t||^2 <= 2 E l_t(f_t). In the proof:
           V[g_t] <= V[E_t] = (1/m) V[||alpha||_1^2 psi(x_i; w) psi(x_t; w)], i drawn from |alpha|.
"""

from sympy import And, Eq, Rational, symbols

from boundcheck import Claim, Expected, Holds
from boundcheck.quantities.online import estimate_variance, inner, l1_norm, row, squared_loss
from boundcheck.worlds import Integer

from . import (
    AT_LEAST_ONE,
    NOTES,
    POSITIVE,
    PRINTED_PASS,
    B,
    T,
    combinations,
    eta,
    loss,
    m,
    point_of,
    product,
    product_of_pass,
    runs,
)

noise, size, variance, displayed, of_gradient = symbols(
    "noise size variance displayed of_gradient", real=True
)


def squared_length(psi, sequence, mu):
    """||Phi(x_t)||^2."""
    point = point_of(psi, sequence)
    return inner(point, point, mu)


length = symbols("length", real=True)

printed = Claim(
    source=NOTES.at("Lemma 3"),
    statement=Expected(And(noise <= ((16 * B + 1) * eta * T) ** 2 / m, size <= 2 * loss)),
    given=[B >= 1, And(eta > 0, eta < Rational(1, 8))],
    worlds=runs(),
    parameters={B: AT_LEAST_ONE, eta: POSITIVE, m: Integer(1, searched=2)},
    measure={
        product: product_of_pass,
        length: squared_length,
        noise: lambda estimate, product, length: (estimate - product) ** 2 * length,
        size: lambda product, y, length: (product - y[-1]) ** 2 * length,
        loss: lambda f, psi, sequence, y, mu: squared_loss(f, point_of(psi, sequence), y[-1], mu),
    },
    draw=PRINTED_PASS,
    uses=("livni2017/lemma_5:printed", "livni2017/lemma_3:step_variance"),
    reading="The round is the last one of the world, so T stands for t.",
    cost=6,
)


def output_variance(alpha, psi, x, mu, m):
    """Variance of Algorithm 2 given alpha."""
    return estimate_variance(alpha, [row(psi, i) for i in range(psi.nrows())], x, mu, m)


def drawn_variance(value):
    """Variance over (i, w) of value(psi psi, sgn(alpha_i), ||alpha||_1)."""

    def measured(alpha, psi, x, mu):
        total = l1_norm(alpha)
        if total == 0:
            return total
        law = [
            (abs(a) / total * weight, value(psi[i, w] * x[w], (a > 0) - (a < 0), total))
            for i, a in enumerate(alpha)
            for w, weight in enumerate(mu)
        ]
        mean = sum(p * v for p, v in law)
        return sum(p * (v - mean) ** 2 for p, v in law)

    return measured


setting = dict(
    worlds=combinations(points=3),
    parameters={m: Integer(1, searched=5)},
    uses=("livni2017/algorithm_2:printed",),
)
chain = Holds(And(of_gradient <= variance, Eq(variance, displayed / m)))

step_variance = Claim(
    source=NOTES.at("appendix B.3"),
    statement=chain,
    measure={
        variance: output_variance,
        of_gradient: lambda variance, x, mu: variance * inner(x, x, mu),
        displayed: drawn_variance(lambda product, sign, total: total**2 * product),
    },
    reading="Variances are those of one call of Algorithm 2, given alpha.",
    **setting,
)

repaired = Claim(
    source=NOTES.at("appendix B.3, with sign and square in place"),
    statement=chain,
    measure={
        variance: output_variance,
        of_gradient: lambda variance, x, mu: variance * inner(x, x, mu),
        displayed: drawn_variance(lambda product, sign, total: total * sign * product),
    },
    **setting,
)
