"""RKHS norms as least norms of coefficients.

Setting    complex features; H holds the integrals of beta(w) phi(., w) over tau, H_M the sums of
           beta_i phi(., w_i) / sqrt(M), here with c_i = sqrt(M) beta_i.
Claim      ||g||_H and ||h||_{H_M} are the least L2(tau) and Euclidean norms of the coefficients.
           As a consequence the problem in H_M is one over real coefficients.
"""

from flint import fmpq_mat
from sympy import And, Eq, Le

from boundcheck import Claim, Holds
from boundcheck.expressions import (
    above,
    beside,
    block,
    diagonal,
    form,
    joined,
    named,
    ones,
    row,
    table,
    world,
)
from boundcheck.quantities.rkhs import least_coefficient_norm, least_squares_distance
from boundcheck.settings.averaged_sgd import K, i, n, phi, tau
from boundcheck.settings.complex_features import Complex, features, psi
from boundcheck.settings.rkhs import least_squared_norm
from boundcheck.worlds import Derived, Index, Integer, Matrix, Tuples, Vector

from . import ARXIV

M = world("M", Integer(1, searched=3), says="Number of drawn features.")
V = world("V", Tuples(M, Index(K)), says="The features that were drawn.")
points = table(i, i)
drawn = Complex(block(phi, points, V), block(psi, points, V))


def complex_vector(name, size):
    """Real and imaginary parts of any coefficients, one after the other."""
    re, im = (world(name + end, Vector(size, searched=(-2, 2))) for end in ("", "'"))
    return joined(re, im)


def norms(features, weights, beta, g):
    """Squared: of the function, least of coefficients with these values, of the given ones."""
    W = diagonal(weights)
    norm = least_squared_norm(features * W * features.T, features * W * beta)
    least = least_coefficient_norm(features, weights, beta)
    return (
        named(f"||{g}||^2", norm, rf"\|{g}\|^2"),
        named(f"inf for {g}", least, rf"\inf_{{\beta: {g}=\sum\beta\varphi}}\|\beta\|^2"),
        named(f"beta of {g}", form(W, beta), r"\|\beta\|^2"),
    )


norm, least, of_beta = norms(features.realified, joined(tau, tau), complex_vector("beta", K), "g")
norm_M, least_M, of_c = norms(drawn.realified, ones(2 * M) / M, complex_vector("c", M), "h")

printed = Claim(
    ARXIV.at("Section 2.2, (7)-(10); AISTATS Section 2.2"),
    Holds(And(Eq(norm, least), Le(norm, of_beta), Eq(norm_M, least_M), Le(norm_M, of_c))),
    reading="coefficients are complex where the features are; every sample of features",
    cost=4,
)

x = world("x", Index(n), rank=0, says="Any point.")
A, B = drawn.re, drawn.im
zeros = table(0 * phi[i, 0], i)
combinations = above(beside(A, A), beside(B, -B))
values = joined(row((A * A.T + B * B.T) / M, x), zeros)
remainder = named(
    "remainder", least_squares_distance(combinations, values),
    r"\min_{\beta\in\mathbb{R}^M}\|k_M(\cdot,x)-\beta^\top\phi_M\|^2",
)  # fmt: skip

tangents = world(
    "tangents", Matrix(n, K, searched=(-2, 2)), says="Tangents of half the angles w x."
)


def on_circle(part):
    """Cosines or sines of angles by the tangents of their halves."""

    def rule(tangents):
        values = [part(s) / (1 + s * s) for s in tangents.entries()]
        return fmpq_mat(tangents.nrows(), tangents.ncols(), values)

    return Derived(rule)


WAVES = {
    phi: world("phi", on_circle(lambda s: 1 - s * s), rank=2, needs=(tangents,)),
    psi: world("psi", on_circle(lambda s: 2 * s), rank=2, needs=(tangents,)),
}
fourier_reduction = Claim(
    ARXIV.at("Section 2.2, (11), for the features C e^{i w x} of the text"),
    Holds(Eq(remainder, 0)),
    domains=WAVES,
    uses=("yashima2021/rkhs_norms:printed",),
    reading="real coefficients as printed, features in conjugate pairs: the real function "
    "k_M(., x) of H_M is one of those minimised over; C = 1, and any angles, as points of a space "
    "of many dimensions have",
    cost=2,
)
