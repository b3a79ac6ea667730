"""Section 1: the closed form of ridge regression.

Setting    x_1..x_n in R^d as rows of X (n x d), responses y in R^n, objective
           (1/n) sum_i (b^T x_i - y_i)^2 + lambda ||b||^2.
Claim      b = (X^T X / n + I)^{-1} X y / n minimises it: the gradient vanishes.
           The product X y exists for n = d only (square_design); with X^T y in its place
           (transposed) the weight lambda is still missing.
Repair     b = (X^T X / n + lambda I)^{-1} X^T y / n.
"""

from sympy import Eq, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.operators import column, identity
from boundcheck.worlds import Integer, Matrix, Real, Space, Vector

from . import NOTES, n, penalty

X, Xt, I, Y = symbols("X Xt I Y", commutative=False)


def gradient(b):
    """Half the gradient of the objective."""
    return Xt * (X * b - Y) / n + penalty * b


def design(points):
    return points


def transposed_design(points):
    return points.transpose()


def unit_matrix(d):
    return identity(d)


def responses(y):
    return column(y)


shared = {
    "worlds": Space(
        n=Integer(1, searched=3), d=Integer(1, searched=3), points=Matrix("n", "d"),
        y=Vector("n", -1, 1)
    ),
    "given": [penalty > 0],
    "parameters": {penalty: Real(0, None, open_low=True)},
    "measure": {X: design, Xt: transposed_design, I: unit_matrix, Y: responses},
    "cost": 0.5,
}

printed = Claim(
    source=NOTES.at("Section 1, ridge regression"),
    statement=Holds(Eq(gradient((Xt * X / n + I) ** -1 * X * Y / n), 0)),
    **shared,
)

square_design = Claim(
    **{
        **shared,
        "source": NOTES.at("Section 1, ridge regression, with as many points as dimensions"),
        "statement": Holds(Eq(gradient((Xt * X / n + I) ** -1 * X * Y / n), 0)),
        "worlds": Space(
            n=Integer(1, searched=3), d=Integer("n", "n"), points=Matrix("n", "d"),
            y=Vector("n", -1, 1)
        ),
        "reading": "restricted to n = d, where the printed product exists",
    }
)

transposed = Claim(
    source=NOTES.at("Section 1, ridge regression, with X^T y"),
    statement=Holds(Eq(gradient((Xt * X / n + I) ** -1 * Xt * Y / n), 0)),
    reading="X y read as X^T y, the only product with a value in every shape",
    **shared,
)

repaired = Claim(
    source=NOTES.at("Section 1, ridge regression, repaired"),
    statement=Holds(Eq(gradient((Xt * X / n + penalty * I) ** -1 * Xt * Y / n), 0)),
    **shared,
)
