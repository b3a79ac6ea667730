"""A random variable with finitely many values: atoms k = 0, ..., K - 1 with weights p.

An expression in the index k is a random variable: with x a vector of values, X = x[k], and
`E(X**2)`, `P(X >= t)`, `Var(X)` are sums over the atoms.
"""

from __future__ import annotations

import sympy

from boundcheck.expressions import index, mean, outcome, parameter, total, world
from boundcheck.expressions.nodes import Indicator, Total
from boundcheck.expressions.symbols import Known
from boundcheck.quantities import laws
from boundcheck.worlds import Counts, Integer, Real, Vector, Weights
from boundcheck.worlds.fields import Bound, Ends

K = world("K", Integer(1, searched=4), says="Number of atoms.")
p = world("p", Weights(K, zeros=True), says="Weights of the atoms.")
k = index("k", K)
t = parameter(
    "t", Real(0, None, open_low=True, searched=(0, 2)), units={"value": 1}, says="Size of a tail."
)

n = parameter("n", Integer(1, searched=12), says="Size of a sample.")
delta = parameter(
    "delta", Real(0, 1, open_low=True, open_high=True), says="Probability of failure."
)
counts = outcome(
    "counts", Counts("counts", p, n, over="the sample"), says="How often each atom is drawn."
)


def values(
    low: Bound | None = None,
    high: Bound | None = None,
    *,
    searched: Ends | None = None,
    open_low: bool = False,
    name: str = "x",
    unit: str = "value",
) -> Known:
    """The values of a variable on the atoms, in [low, high] as far as ends are given."""
    field = Vector(K, low, high, searched, open_low)
    return world(name, field, units={unit: 1}, says="Values on the atoms.")


def law(name: str, *, zeros: bool = True) -> Known:
    """Another law on the same atoms; `given=[least(q[k], k) > 0]` makes every atom possible.

    Args: zeros: whether search makes atoms without mass.
    """
    return world(name, Weights(K, zeros=zeros), says="Weights of the atoms.")


def relative_entropy(q: Known, p: Known) -> sympy.Expr:
    """sum_k q_k log(q_k / p_k) with 0 log 0 = 0: finite where q is `dominated` by p.

    >>> relative_entropy(law("q"), p)
    total(Piecewise((0, Eq(q[k], 0)), (log(q[k]/p[k])*q[k], True)), k)
    """
    term = q[k] * sympy.log(q[k] / p[k])
    return total(sympy.Piecewise((0, sympy.Eq(q[k], 0)), (term, True)), k)


def dominated(q: Known, p: Known) -> sympy.Basic:
    """That every atom of q is one of p: a hypothesis of statements on relative entropies."""
    return total(q[k] * Indicator(p[k] <= 0), k) <= 0


def total_variation(q: Known, p: Known) -> sympy.Expr:
    """Half the sum of |q_k - p_k|."""
    return total(sympy.Abs(q[k] - p[k]), k) / 2


def E(variable: sympy.Expr) -> Total:
    """Expectation of an expression in k.

    >>> x = values()
    >>> E(x[k])
    total(p[k]*x[k], k)
    """
    return mean(variable, k, p)


def P(event: sympy.Basic) -> Total:
    """Probability of a condition on an expression in k."""
    return mean(Indicator(event), k, p)


def Var(variable: sympy.Expr) -> sympy.Expr:
    """E X^2 - (E X)^2."""
    return E(variable**2) - E(variable) ** 2


def Cov(left: sympy.Expr, right: sympy.Expr) -> sympy.Expr:
    """E X Y - E X E Y."""
    return E(left * right) - E(left) * E(right)


def sample_mean(variable: sympy.Expr) -> sympy.Expr:
    """(1/n) sum_i of an expression in k over n independent draws: random, through `counts`."""
    return mean(variable, k, counts) / n


def smallest(x: Known) -> sympy.Expr:
    """Smallest value of positive probability."""
    return laws.least_value(x, p)


def largest(x: Known) -> sympy.Expr:
    """Largest value of positive probability."""
    return laws.greatest_value(x, p)


def median(x: Known) -> sympy.Expr:
    """The smallest m with P(X <= m) >= 1/2."""
    return laws.median(x, p)
