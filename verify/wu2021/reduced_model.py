"""Section 2, the reduced model: norm and values of a combination of feature vectors.

Setting    b = sum_j a_j Phi(x_j) with features in R^p, k(x, x') = <Phi(x), Phi(x')>.
"""

from sympy import And, Eq

from boundcheck import Claim, Holds
from boundcheck.expressions import form, inner, row, total, world
from boundcheck.settings.rkhs import Phi, coefficients, i, j, p
from boundcheck.worlds import Vector

from . import NOTES

a = coefficients("a")
x = world("x", Vector(p), units={"feature": 1}, says="Feature vector of a further point.")
b = Phi.T * a


def k(i, j):
    return inner(row(Phi, i), row(Phi, j))


printed = Claim(
    NOTES.at("Section 2, the reduced model"),
    Holds(
        And(
            Eq(inner(b, x), total(a[j] * inner(row(Phi, j), x), j)),
            Eq(inner(b, b), total(k(i, j) * a[i] * a[j], i, j)),
            Eq(total(k(i, j) * a[i] * a[j], i, j), form(Phi * Phi.T, a)),
        )
    ),
    uses=("wu2021/theorem_2_1:printed",),
    cost=0.4,
)
