"""Section 1: the closed form of ridge regression.

Setting    x_1..x_n in R^d as rows of X (n x d), responses y in R^n, objective
           (1/n) sum_i (b^T x_i - y_i)^2 + lambda ||b||^2.
Claim      b = (X^T X / n + I)^{-1} X y / n minimises it: the gradient vanishes.
           The product X y exists for n = d only (square_design); with X^T y in its place
           (transposed) the weight lambda is still missing.
Repair     b = (X^T X / n + lambda I)^{-1} X^T y / n.
"""

from sympy import Eq

from boundcheck import Claim, Holds
from boundcheck.expressions import identity, world
from boundcheck.settings.rkhs import n, penalty, responses
from boundcheck.worlds import Integer, Matrix

from . import NOTES

d = world("d", Integer(1, searched=3), needs=(n,))
X = world("X", Matrix(n, d), units={"feature": 1})
y, I = responses(), identity(d)
second_moment = X.T * X / n


def minimises(b):
    """Half the gradient of the objective vanishes at b."""
    return Holds(Eq(X.T * (X * b - y) / n + penalty * b, 0))


printed = Claim(
    NOTES.at("Section 1, ridge regression"),
    minimises((second_moment + I) ** -1 * X * y / n),
    cost=0.5,
)
square_design = Claim(
    NOTES.at("Section 1, ridge regression, with as many points as dimensions"),
    minimises((second_moment + I) ** -1 * X * y / n),
    domains={d: Integer("n", "n")},
    reading="restricted to n = d, where the printed product exists",
    cost=0.5,
)
transposed = Claim(
    NOTES.at("Section 1, ridge regression, with X^T y"),
    minimises((second_moment + I) ** -1 * X.T * y / n),
    reading="X y read as X^T y, the only product with a value in every shape",
    cost=0.5,
)
repaired = Claim(
    NOTES.at("Section 1, ridge regression, repaired"),
    minimises((second_moment + penalty * I) ** -1 * X.T * y / n),
    cost=0.5,
)
