"""Lemma 3.5: the reproducing kernel is unique.

Setting    a space of functions on n points with basis B (n x r) and Gram matrix G of the basis;
           any candidate kernel k + D with the functions D(., x) = B d_x of the space.
Claim      if k + D reproduces too, that is <f, D(., x)> = 0 for all f and x, then D = 0; and the
           kernel does not depend on the basis from which it is built.
"""

from sympy import And, Eq, Implies

from boundcheck import Claim, Holds
from boundcheck.expressions import trace, transpose, world
from boundcheck.quantities.rkhs import orthonormal_kernel
from boundcheck.settings.rkhs import B, G, n, r
from boundcheck.worlds import Matrix

from . import NOTES

d = world("d", Matrix(r, n), says="Coefficients of the functions D(., x), one column a point.")


def squares(matrix):
    """Sum of the squares of all entries: zero for zero only."""
    return trace(transpose(matrix) * matrix)


printed = Claim(
    NOTES.at("Lemma 3.5"),
    Holds(
        And(
            Implies(squares(B * d) > 0, squares(G * d) > 0),
            Eq(B * G**-1 * B.T, orthonormal_kernel(B, G)),
        )
    ),
    uses=("wu2021/lemma_3_2:printed",),
    reading="in finite dimension; a second kernel differs from the first by functions of the space",
    cost=0.8,
)
