"""Section 2: the polynomial kernel k(x, x') = (1 + x^T x')^s and its feature maps.

Setting    points in R^d, s a positive integer, any coefficients a.
Claim      k is an inner product of features, one for every monomial of degree at most s, and
           sum_ij a_i a_j k(x_i, x_j) >= 0; for s = 1, 2 the listed feature maps
           (1, x_1..x_d) and (x_i^2, sqrt(2) x_i x_j, sqrt(2) x_i, 1) have inner product k.
"""

from flint import fmpq
from sympy import And, Eq, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.operators import dot, quadratic_form
from boundcheck.quantities.rkhs import (
    polynomial_features,
    polynomial_gram,
    row,
    weighted_inner,
)
from boundcheck.worlds import Integer, Matrix, Space, Vector

from . import NOTES

form, linear, linear_kernel = symbols("form linear linear_kernel", real=True)
general, general_kernel = symbols("general general_kernel", real=True)
quadratic, quadratic_kernel = symbols("quadratic quadratic_kernel", real=True)


def kernel_form(points, s, a):
    return quadratic_form(polynomial_gram(points, s), a)


def ends(points):
    """The first and the last point."""
    return row(points, 0), row(points, points.nrows() - 1)


def monomial_features(points, s):
    """Inner product of the features with multinomial coefficients."""
    x, z = ends(points)
    return weighted_inner(polynomial_features(x, s), polynomial_features(z, s))


def linear_features(points):
    x, z = ends(points)
    return dot((fmpq(1), *x), (fmpq(1), *z))


def quadratic_features(points):
    """Inner product of the listed features; sqrt(2) sqrt(2) = 2 is written as such."""
    x, z = ends(points)
    size = len(x)
    squares = dot(tuple(v**2 for v in x), tuple(v**2 for v in z))
    cross = sum((x[i] * x[j] * z[i] * z[j] for i in range(size) for j in range(i)), fmpq(0))
    return squares + 2 * cross + 2 * dot(x, z) + 1


def kernel_value(points, s):
    x, z = ends(points)
    return (1 + dot(x, z)) ** s


printed = Claim(
    source=NOTES.at("Section 2, polynomial kernel"),
    statement=Holds(
        And(
            form >= 0,
            Eq(general, general_kernel),
            Eq(linear, linear_kernel),
            Eq(quadratic, quadratic_kernel),
        )
    ),
    worlds=Space(
        N=Integer(1, searched=4), d=Integer(1, searched=3),
        points=Matrix("N", "d", searched=(-2, 2)), s=Integer(1, searched=5),
        a=Vector("N", -1, 1),
    ),
    measure={
        form: kernel_form,
        general: monomial_features,
        general_kernel: kernel_value,
        linear: linear_features,
        linear_kernel: lambda points: kernel_value(points, 1),
        quadratic: quadratic_features,
        quadratic_kernel: lambda points: kernel_value(points, 2),
    },
    cost=0.5,
)  # fmt: skip
