"""Theorem 3.7: RKHSs are the Hilbert function spaces with continuous evaluation.

Setting    a space of functions on n points with basis B (n x r) and Gram matrix G; in finite
           dimension every evaluation is continuous, with representer K_x = B G^{-1} b_x.
"""

from sympy import Abs, And, Eq, sqrt

from boundcheck import Claim, Holds
from boundcheck.expressions import entry, form, inner, row
from boundcheck.settings.rkhs import B, G, coefficients, n, r

from . import NOTES

c = coefficients("c", r)
x, z = 0, n - 1
f_x = entry(B * c, x)


def K(x):
    """Coefficients of the representer of evaluation at x."""
    return G**-1 * row(B, x)


def at(x, coefficients):
    return inner(row(B, x), coefficients)


printed = Claim(
    NOTES.at("Theorem 3.7"),
    Holds(
        And(
            Eq(inner(K(x), G * K(z)), at(x, K(z))),
            Eq(inner(K(x), G * K(z)), at(z, K(x))),
            Eq(inner(c, G * K(x)), f_x),
            Abs(f_x) <= sqrt(at(x, K(x))) * sqrt(form(G, c)),
        )
    ),
    uses=("wu2021/lemma_3_4:printed",),
    reading="evaluation at every point; in finite dimension",
    cost=0.8,
)
