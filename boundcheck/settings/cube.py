"""Functions on the cube {-1, 1}^n as tables: f[x] at the place x, read in binary.

Coordinate i of the place x is `sign(x, i)`; means are over the uniform law of the cube.

>>> from boundcheck.expressions import total
>>> f, g = function("f"), boolean("g")
>>> poincare = Var(f) <= total(influence(f, i), i)
>>> bessel = coefficient(g, 0) ** 2 <= E(g[x] ** 2)
"""

from __future__ import annotations

import sympy

from boundcheck.expressions import index, multiplied, total, world
from boundcheck.expressions.symbols import Known
from boundcheck.worlds import Choice, Derived, Integer, Tuples, Vector
from boundcheck.worlds.fields import Bound

n = world("n", Integer(1, searched=3), says="Dimension of the cube.")
places = world("places", Derived(lambda n: 2**n), rank=0, needs=(n,), says="Size of the cube.")
x, S = index("x", places), index("S", places)
i = index("i", n)


def function(name: str, low: Bound | None = None, high: Bound | None = None) -> Known:
    """Any real function on the cube, with values in [low, high] as far as ends are given."""
    return world(name, Vector(places, low, high), units={"value": 1}, says="Table of values.")


def boolean(name: str) -> Known:
    """Any function on the cube with values -1 and 1."""
    return world(name, Tuples(places, Choice((-1, 1))), rank=1, says="Table of signs.")


def digit(x: sympy.Expr, i: sympy.Expr) -> sympy.Expr:
    """Binary digit i of a place."""
    return sympy.floor(x / 2**i) - 2 * sympy.floor(x / 2 ** (i + 1))


def sign(x: sympy.Expr, i: sympy.Expr) -> sympy.Expr:
    """Coordinate i of a place, -1 or 1."""
    return 2 * digit(x, i) - 1


def flipped(x: sympy.Expr, i: sympy.Expr) -> sympy.Expr:
    """The place with coordinate i turned around."""
    return x - sign(x, i) * 2**i


def E(variable: sympy.Expr) -> sympy.Expr:
    """Mean of an expression in x over the cube."""
    return total(variable, x) / places


def Var(f: Known) -> sympy.Expr:
    """Variance of f(x)."""
    return E(f[x] ** 2) - E(f[x]) ** 2


def coefficient(f: Known, S: sympy.Expr) -> sympy.Expr:
    """Fourier coefficient E f(x) prod_{i in S} x_i, the set S read in binary."""
    return E(f[x] * multiplied(1 + digit(S, i) * (sign(x, i) - 1), i))


def size(S: sympy.Expr) -> sympy.Expr:
    """Number of elements of a set."""
    return total(digit(S, i), i)


def influence(f: Known, i: sympy.Expr) -> sympy.Expr:
    """E ((f(x) - f(x with x_i turned)) / 2)^2: for signs the probability that x_i decides."""
    return E((f[x] - f[flipped(x, i)]) ** 2) / 4
