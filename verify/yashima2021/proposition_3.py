"""Proposition 3: covariance operators of a kernel under a measure without full support.

Setting    kernel matrix K of any rank on n points with weights rho, zeros allowed; f = sum a_i k_i
           and g = sum b_i k_i in H; c, d in L2(rho). Sigma f = E f(X) k(X, .), T the same on L2.
Claim      1. <f, Sigma g>_H = <f, g>_L2, Sigma is self-adjoint and bounded, its kernel consists of
           the f with ||f||_L2 = 0; 2. T is self-adjoint and positive semi-definite; 3. T^(1/2) is
           an isometry from Ker(T)^perp onto Ker(Sigma)^perp.
"""

from sympy import And, Eq

from boundcheck import Claim, Holds
from boundcheck.expressions import (
    diagonal,
    form,
    inner,
    matrix_rank,
    smallest_eigenvalue,
    trace,
    world,
)
from boundcheck.settings.rkhs import K, coefficients, least_squared_norm, n
from boundcheck.worlds import Vector, Weights

from . import ARXIV

rho = world("rho", Weights(n, zeros=True), says="Law of the points.")
a, b = coefficients("a"), coefficients("b")
c, d = (world(name, Vector(n), units={name: 1}, says="Any function.") for name in "cd")
D = diagonal(rho)


def l2(f, g):
    """<f, g> in L2(rho) of functions by their values."""
    return inner(f, D * g)


def sigma(b):
    """Coefficients of Sigma g: rho_i g(x_i)."""
    return D * K * b


printed = Claim(
    ARXIV.at("Proposition 3; AISTATS Appendix B"),
    Holds(
        And(
            Eq(inner(a, K * sigma(b)), l2(K * a, K * b)),
            Eq(inner(a, K * sigma(b)), inner(sigma(a), K * b)),
            form(K, sigma(a)) <= trace(K) ** 2 * form(K, a),
            Eq(matrix_rank(K * D * K), matrix_rank(D * K)),
            Eq(l2(c, K * D * d), l2(K * D * c, d)),
            smallest_eigenvalue(D * K * D) >= 0,
            Eq(least_squared_norm(K, K * D * c), l2(c, K * D * c)),
            Eq(matrix_rank(D * K * D), matrix_rank(K * D * K)),
        )
    ),
    reading="Ker(T)^perp is {T^(1/2) c}, so the isometry says ||T c||_H^2 = <c, T c>_L2 for all c; "
    "it is onto because T and Sigma have the same rank; kernels are compared by dimension, one "
    "being contained in the other",
)
