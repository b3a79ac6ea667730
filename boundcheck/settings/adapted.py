"""Trees of laws: processes whose next step has a law, a range and a size that the past decides.

The tree has n rounds and K branches at every node; the law of the next branch is data of the node.
What is known after a round is a table over the edges (`adapted`), what is known before it a table
over the nodes (`predictable`), so a world cannot say more of a round than its past does. `path` is
the tuple of edges taken, and the node before edge e is floor(e / K).

Every martingale with K values a step is a sum of `centred(x, i)`: of an adapted sequence less its
conditional means. Symmetric matrices on the edges take the place of numbers throughout.

>>> x = adapted("x")
>>> pythagoras = E(martingale(x) ** 2) <= E(variation(x))
"""

from __future__ import annotations

import sympy

from boundcheck.expressions import (
    average,
    greatest,
    index,
    indicator,
    outcome,
    probability,
    total,
    world,
)
from boundcheck.expressions.nodes import Average
from boundcheck.expressions.symbols import Known
from boundcheck.settings.matrices import d
from boundcheck.worlds import Derived, Integer, Symmetric, Tuples, Vector, Walk, Weights
from boundcheck.worlds.fields import Bound, Ends

n = world("n", Integer(1, searched=2), says="Number of rounds.")
K = world("K", Integer(2, searched=3), says="Number of branches at every node.")
nodes = world(
    "nodes", Derived(lambda n, K: (K**n - 1) // (K - 1)), rank=0, needs=(n, K),
    says="Nodes at which a round begins.",
)  # fmt: skip
edges = world(
    "edges", Derived(lambda nodes, K: nodes * K), rank=0, needs=(nodes, K), says="Its edges."
)
chances = world(
    "chances", Tuples(nodes, Weights(K, zeros=True)), latex="p", says="The law at every node."
)
path = outcome("path", Walk("path", chances, n), says="The edge taken in every round.")
i, j = index("i", n), index("j", n)
node, edge, branch = index("v", nodes), index("e", edges), index("b", K)


def adapted(
    name: str, low: Bound | None = None, high: Bound | None = None, searched: Ends | None = None
) -> Known:
    """A sequence of numbers known after their round: one on every edge."""
    field = Vector(edges, low, high, searched)
    return world(name, field, units={"value": 1}, says="Numbers on the edges.")


def adapted_matrices(name: str, searched: Ends | None = None) -> Known:
    """A sequence of symmetric d x d matrices known after their round: one on every edge."""
    field = Tuples(edges, Symmetric(d, searched=searched))
    return world(name, field, units={"value": 1}, says="Symmetric matrices on the edges.")


def predictable(
    name: str, low: Bound | None = None, high: Bound | None = None, searched: Ends | None = None
) -> Known:
    """A sequence of numbers known before their round: one at every node."""
    field = Vector(nodes, low, high, searched)
    return world(name, field, units={"value": 1}, says="Numbers at the nodes.")


def before_edge(edge: sympy.Expr) -> sympy.Expr:
    """The node at which an edge begins."""
    return sympy.floor(edge / K)


def after(x: Known, i: sympy.Expr) -> sympy.Expr:
    """The value of an adapted sequence in round i, along the path."""
    return x[path[i]]


def before(c: Known, i: sympy.Expr) -> sympy.Expr:
    """The value of a predictable sequence in round i, along the path."""
    return c[before_edge(path[i])]


def conditional_mean(x: Known, node: sympy.Expr) -> sympy.Expr:
    """E[x_i | the past], at a node of round i."""
    return total(chances[node, branch] * x[K * node + branch], branch)


def deviation(x: Known, edge: sympy.Expr) -> sympy.Expr:
    """x_i - E[x_i | the past] on an edge; every martingale difference is of this form."""
    return x[edge] - conditional_mean(x, before_edge(edge))


def conditional_variance(x: Known, node: sympy.Expr) -> sympy.Expr:
    """E[(x_i - E[x_i | the past])^2 | the past] at a node; of matrices, a matrix."""
    mean = conditional_mean(x, node)
    return total(chances[node, branch] * (x[K * node + branch] - mean) ** 2, branch)


def centred(x: Known, i: sympy.Expr) -> sympy.Expr:
    """The martingale difference of round i, along the path."""
    return deviation(x, path[i])


def martingale(x: Known, k: sympy.Expr = n) -> sympy.Expr:
    """sum_{i < k} of the martingale differences."""
    return total(indicator(i < k) * centred(x, i), i)


def variation(x: Known, k: sympy.Expr = n) -> sympy.Expr:
    """sum_{i < k} of the conditional variances along the path."""
    return total(indicator(i < k) * conditional_variance(x, before_edge(path[i])), i)


def drift(x: Known) -> sympy.Expr:
    """The largest conditional mean: x are increments of a supermartingale where it is <= 0."""
    return greatest(conditional_mean(x, node), node)


def of_round(i: sympy.Expr, node: sympy.Expr) -> sympy.Expr:
    """1 where round i begins at a node, else 0: for bounds that change with the round."""
    first = (K**i - 1) / (K - 1)
    return indicator(first <= node) * indicator(node < K * first + 1)


def ever(event: sympy.Basic, j: Known = j) -> sympy.Basic:
    """That a condition on the index j holds in some round: j stands for the rounds before it."""
    return greatest(indicator(event), j) >= 1


def E(variable: sympy.Expr) -> Average:
    """Expectation over the path."""
    return average(variable, path)


def P(event: sympy.Basic) -> Average:
    """Probability over the path."""
    return probability(event, path)
