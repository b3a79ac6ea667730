"""Section 2: the polynomial kernel k(x, x') = (1 + x^T x')^s and its feature maps.

Setting    points in R^d, s a positive integer, any coefficients a.
Claim      k is an inner product of features, one for every monomial of degree at most s, and
           sum_ij a_i a_j k(x_i, x_j) >= 0; for s = 1, 2 the listed feature maps
           (1, x_1..x_d) and (x_i^2, sqrt(2) x_i x_j, sqrt(2) x_i, 1) have inner product k.
"""

from sympy import And, Eq

from boundcheck import Claim, Holds
from boundcheck.expressions import index, indicator, inner, row, total, world
from boundcheck.quantities import rkhs
from boundcheck.worlds import Integer, Matrix, Vector

from . import NOTES

N = world("N", Integer(1, searched=4), says="Number of points.")
d = world("d", Integer(1, searched=3), says="Dimension.")
points = world("points", Matrix(N, d, searched=(-2, 2)))
s = world("s", Integer(1, searched=5), says="Degree.")
a = world("a", Vector(N))
i, j = index("i", N), index("j", N)
first, second = index("first", d), index("second", d)
x, z = row(points, 0), row(points, N - 1)


def k(x, z, degree):
    return (1 + inner(x, z)) ** degree


# sqrt(2) sqrt(2) = 2 is written as such.
quadratic_features = (
    total(x[first] ** 2 * z[first] ** 2, first)
    + 2 * total(indicator(first < second) * x[first] * x[second] * z[first] * z[second],
                first, second)
    + 2 * inner(x, z)
    + 1
)  # fmt: skip

printed = Claim(
    NOTES.at("Section 2, polynomial kernel"),
    Holds(
        And(
            total(a[i] * a[j] * k(row(points, i), row(points, j), s), i, j) >= 0,
            Eq(rkhs.polynomial_kernel(x, z, s), k(x, z, s)),
            Eq(1 + inner(x, z), k(x, z, 1)),
            Eq(quadratic_features, k(x, z, 2)),
        )
    ),
    cost=0.5,
)
