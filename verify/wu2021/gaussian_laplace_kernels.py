"""Section 2: the Gaussian and the Laplace kernel are kernels in every dimension.

Setting    points in R^d, any coefficients a, sigma > 0.
"""

from sympy import And, exp, sqrt

from boundcheck import Claim, Holds
from boundcheck.expressions import index, parameter, total, world
from boundcheck.worlds import Integer, Matrix, Real, Vector

from . import NOTES

N = world("N", Integer(1, searched=8), says="Number of points.")
d = world("d", Integer(1, searched=4), says="Dimension.")
x = world("x", Matrix(N, d, searched=(-2, 2)), units={"length": 1}, says="Points in rows.")
a = world("a", Vector(N), units={"coefficient": 1})
sigma = parameter("sigma", Real(0, None, open_low=True), units={"length": 1})
i, j, c = index("i", N), index("j", N), index("c", d)
squared = total((x[i, c] - x[j, c]) ** 2, c)

printed = Claim(
    NOTES.at("Section 2, Gaussian and Laplace kernels"),
    Holds(
        And(
            total(a[i] * a[j] * exp(-squared / 2), i, j) >= 0,
            total(a[i] * a[j] * exp(-sqrt(squared) / sigma), i, j) >= 0,
        )
    ),
    reading="sigma is a length scale, so positive",
    cost=4.0,
)
