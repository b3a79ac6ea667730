"""n independent variables with finitely many values, and fair signs.

Variable i takes the value table[i, k] with probability chances[i, k]; X[i] is the place k that was
drawn. `E` and `P` are over X inside a world.
"""

from __future__ import annotations

import sympy

from boundcheck.expressions import average, index, outcome, parameter, probability, total, world
from boundcheck.expressions.nodes import Average
from boundcheck.worlds import Each, Integer, Matrix, Real, Signs, Tuples, Weights

n = world("n", Integer(1, searched=3), says="Number of variables.")
K = world("K", Integer(2, searched=2), says="Number of values of each variable.")
table = world(
    "table", Matrix(n, K, 0, 1), latex="x", units={"value": 1}, says="Values of the variables."
)
chances = world("chances", Tuples(n, Weights(K, zeros=True)), latex="p", says="Their laws.")
X = outcome("X", Each("X", chances), says="Which value each variable takes.")
signs = outcome("xi", Signs("xi", n), says="Independent fair signs.")
t = parameter(
    "t", Real(0, None, open_low=True, searched=(0, 3)), units={"value": 1},
    says="Size of a deviation.",
)  # fmt: skip
i, j = index("i", n), index("j", n)
S = total(table[i, X[i]], i)


def E(variable: sympy.Expr) -> Average:
    """Expectation over the variables of an expression in X."""
    return average(variable, X)


def P(event: sympy.Basic) -> Average:
    """Probability over the variables of a condition on X."""
    return probability(event, X)


def Var(variable: sympy.Expr) -> sympy.Expr:
    """E Z^2 - (E Z)^2 of an expression Z in X."""
    return E(variable**2) - E(variable) ** 2
