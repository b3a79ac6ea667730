"""Kernels on finitely many points: kernel matrices, feature vectors, functions, ridge regression.

A function is given by coefficients a, with values K a on the points, or by a vector b of feature
space, with values Phi b. The least norm of a function with given values is that of its RKHS.
"""

from __future__ import annotations

import sympy

from boundcheck.expressions import average, form, index, outcome, parameter, world
from boundcheck.expressions.nodes import Average
from boundcheck.quantities import rkhs
from boundcheck.worlds import Gram, Independent, Integer, Matrix, Real, Signs, Vector

n = world("n", Integer(1, searched=4), says="Number of points.")
p = world("p", Integer(1, searched=3), says="Dimension of the feature space.")
K = world(
    "K", Gram(n), units={"kernel": 1}, facts=("positive semi-definite",),
    says="Kernel matrix of the points, of any rank.",
)  # fmt: skip
Phi = world("Phi", Matrix(n, p), units={"feature": 1}, says="Feature vectors, one row a point.")
r = world("r", Integer(1, n), says="Dimension of a space of functions on the points.")
B = world("B", Independent(n, r), says="Values of a basis of functions, one column a function.")
G = world(
    "G", Gram(r, regular=True), facts=("positive semi-definite",),
    says="Inner products of the basis functions.",
)  # fmt: skip
i, j, l = index("i", n), index("j", n), index("l", p)
xi = outcome("xi", Signs("xi", n), says="Independent fair signs.")
Q = parameter("Q", Real(0, None, open_low=True), units={"function": 1}, says="Radius of the ball.")
penalty = parameter("lambda", Real(0, None, open_low=True), says="Weight of the penalty.")


def coefficients(name: str, size: sympy.Symbol = n) -> sympy.Symbol:
    """Any vector of coefficients, one for each point or feature."""
    return world(name, Vector(size, searched=(-2, 2)), units={name: 1})


def responses(name: str = "y") -> sympy.Symbol:
    """Any responses at the points."""
    return world(name, Vector(n), units={"response": 1})


def least_squared_norm(kernel: sympy.Expr, values: sympy.Expr) -> sympy.Expr:
    """Least squared norm of a function of the RKHS with these values on the points."""
    return rkhs.squared_norm_of_values(kernel, values)


def inner_product(kernel: sympy.Expr, f: sympy.Expr, g: sympy.Expr) -> sympy.Expr:
    """<f, g> of functions given by values, from norms by polarisation."""
    plus, minus = least_squared_norm(kernel, f + g), least_squared_norm(kernel, f - g)
    return (plus - minus) / 4


def rademacher_complexity(kernel: sympy.Expr, radius: sympy.Expr) -> Average:
    """E sup over the ball of (1/n) sum_i xi_i f(x_i): the supremum is radius ||sum xi_i k_i|| / n.

    Source: Bartlett and Mendelson, JMLR 3 (2002) 463-482, Lemma 22.
    """
    return average(radius * sympy.sqrt(form(kernel, xi)) / n, xi)
