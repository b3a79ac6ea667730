"""Trees of fair coins: adapted sequences and martingales, as tables over the nodes of a tree.

What is known before round i depends on the coins of rounds 0, ..., i - 1, that is on a node of the
tree; `adapted` makes a table of numbers, one a node, and `before(x, i)` is the number at the node
that the coins reach. M[i] below is sum_{s < i} coin_s * before(x, s): every martingale of the
coins from zero is of this kind.

>>> x = adapted("x")
>>> pythagoras = E(martingale(x) ** 2) <= E(variation(x))
"""

from __future__ import annotations

import sympy

from boundcheck.expressions import average, index, indicator, outcome, probability, total, world
from boundcheck.expressions.nodes import Average
from boundcheck.expressions.symbols import Known
from boundcheck.worlds import Derived, Integer, Signs, Vector
from boundcheck.worlds.fields import Bound

n = world("n", Integer(1, searched=3), says="Number of rounds.")
nodes = world("nodes", Derived(lambda n: 2**n - 1), rank=0, needs=(n,), says="Nodes of the tree.")
coins = outcome("coins", Signs("coins", n, over="the coins"), says="Independent fair signs.")
i, j = index("i", n), index("j", n)
k = index("k", n + 1)
node = index("node", nodes)


def adapted(name: str, low: Bound | None = None, high: Bound | None = None) -> Known:
    """A sequence that the earlier coins decide: a number at every node."""
    return world(name, Vector(nodes, low, high), units={"value": 1}, says="Numbers on the nodes.")


def reached(i: sympy.Expr) -> sympy.Expr:
    """The node of round i: those of one round stand together, coins read in binary."""
    return 2**i - 1 + total(indicator(j < i) * (1 + coins[j]) / 2 * 2**j, j)


def before(x: Known, i: sympy.Expr) -> sympy.Expr:
    """The number of an adapted sequence in round i, along the coins."""
    return x[reached(i)]


def martingale(x: Known, k: sympy.Expr = n) -> sympy.Expr:
    """sum_{i < k} coin_i before(x, i)."""
    return total(indicator(i < k) * coins[i] * before(x, i), i)


def variation(x: Known) -> sympy.Expr:
    """The sum of conditional variances, sum_i before(x, i)^2."""
    return total(before(x, i) ** 2, i)


def of_round(i: sympy.Expr, node: sympy.Expr) -> sympy.Expr:
    """1 where a node belongs to round i, else 0: for bounds that change with the round."""
    return indicator(2**i - 1 <= node) * indicator(node < 2 ** (i + 1) - 1)


def E(variable: sympy.Expr) -> Average:
    """Expectation over the coins."""
    return average(variable, coins)


def P(event: sympy.Basic) -> Average:
    """Probability over the coins."""
    return probability(event, coins)
