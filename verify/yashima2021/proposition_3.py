"""Proposition 3: covariance operators of a kernel under a measure without full support.

Setting    kernel matrix K of any rank on n points with weights rho, zeros allowed; f = sum a_i k_i
           and g = sum b_i k_i in H; c in L2(rho). Sigma f = E f(X) k(X, .), T the same on L2.
Claim      1. <f, Sigma g>_H = <f, g>_L2, Sigma is self-adjoint and bounded, its kernel consists of
           the f with ||f||_L2 = 0; 2. T is self-adjoint and positive semi-definite; 3. T^(1/2) is
           an isometry from Ker(T)^perp onto Ker(Sigma)^perp.
"""

from sympy import And, Eq, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.operators import (
    column,
    diagonal,
    dot,
    entries,
    quadratic_form,
    smallest_eigenvalue,
    trace,
)
from boundcheck.quantities.rkhs import squared_norm_of_values, submatrix
from boundcheck.worlds import Gram, Integer, Space, Vector, Weights

from . import ARXIV

sigma_form, sigma_swapped, l2_form, sigma_norm, largest = symbols(
    "sigma_form sigma_swapped l2_form sigma_norm largest", real=True
)
rank_sigma, rank_support, operator_form, operator_swapped, lowest = symbols(
    "rank_sigma rank_support operator_form operator_swapped lowest", real=True
)
h_norm, l2_norm_root, onto = symbols("h_norm l2_norm_root onto", real=True)


def sigma(gram, rho, b):
    """Coefficients of Sigma g: rho_i g(x_i)."""
    values = entries(gram * column(b))
    return tuple(weight * value for weight, value in zip(rho, values, strict=True))


def inner(gram, a, b):
    """<f, g>_H."""
    return dot(a, entries(gram * column(b)))


def support(rho):
    """Indices of the points with mass."""
    return [i for i, weight in enumerate(rho) if weight]


def operator_values(gram, rho, c):
    """T c as values on all points."""
    return entries(gram * diagonal(rho) * column(c))


printed = Claim(
    source=ARXIV.at("Proposition 3; AISTATS Appendix B"),
    statement=Holds(
        And(
            Eq(sigma_form, l2_form),
            Eq(sigma_form, sigma_swapped),
            sigma_norm <= largest,
            Eq(rank_sigma, rank_support),
            Eq(operator_form, operator_swapped),
            lowest >= 0,
            Eq(h_norm, l2_norm_root),
            Eq(onto, rank_sigma),
        )
    ),
    worlds=Space(
        n=Integer(1, searched=4),
        gram=Gram("n"),
        rho=Weights("n", zeros=True),
        a=Vector("n"),
        b=Vector("n"),
        c=Vector("n"),
    ),
    measure={
        sigma_form: lambda gram, rho, a, b: inner(gram, a, sigma(gram, rho, b)),
        sigma_swapped: lambda gram, rho, a, b: inner(gram, sigma(gram, rho, a), b),
        l2_form: lambda gram, rho, a, b: sum(
            weight * u * v
            for weight, u, v in zip(
                rho, entries(gram * column(a)), entries(gram * column(b)), strict=True
            )
        ),
        sigma_norm: lambda gram, rho, a: quadratic_form(gram, sigma(gram, rho, a)),
        largest: lambda gram, a: trace(gram) ** 2 * quadratic_form(gram, a),
        rank_sigma: lambda gram, rho: (gram * diagonal(rho) * gram).rank(),
        rank_support: lambda gram, rho: submatrix(
            gram, support(rho), range(gram.nrows())
        ).rank(),
        operator_form: lambda gram, rho, a, c: sum(
            weight * u * v
            for weight, u, v in zip(rho, a, operator_values(gram, rho, c), strict=True)
        ),
        operator_swapped: lambda gram, rho, a, c: sum(
            weight * u * v
            for weight, u, v in zip(rho, c, operator_values(gram, rho, a), strict=True)
        ),
        lowest: lambda gram, rho: smallest_eigenvalue(
            diagonal(rho) * gram * diagonal(rho)
        ),
        h_norm: lambda gram, rho, c: squared_norm_of_values(gram, operator_values(gram, rho, c)),
        l2_norm_root: lambda gram, rho, c: quadratic_form(
            diagonal(rho) * gram * diagonal(rho), c
        ),
        onto: lambda gram, rho: submatrix(gram, support(rho), support(rho)).rank(),
    },
    reading="Ker(T)^perp is {T^(1/2) c}, so the isometry says ||T c||_H^2 = <c, T c>_L2 for all c; "
    "it is onto because T and Sigma have the same rank; kernels are compared by dimension, one "
    "being contained in the other",
)
