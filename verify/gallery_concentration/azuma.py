"""Azuma's inequality for martingales.

Setting    n fair coins; the increment of round t is + or - a number that the earlier coins decide,
           at most c_t in modulus; M the sum, u > 0.
Claim      P(M >= u) <= exp(-u^2 / (2 sum_t c_t^2)).
False      with sum_t c_t^2 for 2 sum_t c_t^2, as for variables in intervals of length c_t.
"""

from sympy import Abs, exp

from boundcheck import Claim, Holds
from boundcheck.expressions import define, index, indicator, probability, total, world
from boundcheck.settings.concentration import i, j, n, signs, t
from boundcheck.worlds import Derived, Vector

from . import AZUMA

HERE = AZUMA.at("main inequality")
nodes = world("nodes", Derived(lambda n: 2**n - 1), rank=0, needs=(n,), says="Nodes of the tree.")
size = world("size", Vector(nodes), units={"value": 1}, says="Increment at each node.")
c = world("c", Vector(n, 0), units={"value": 1}, says="Bounds of the increments.")
node = index("node", nodes)
# Node of round i after the coins before it: nodes of one round stand together.
reached = 2**i - 1 + total(indicator(j < i) * (1 + signs[j]) / 2 * 2**j, j)
M = total(signs[i] * size[reached], i)
excess = define(
    "excess",
    total(
        indicator(2**i - 1 <= node)
        * indicator(node < 2 ** (i + 1) - 1)
        * indicator(Abs(size[node]) > c[i]),
        i,
        node,
    ),
    says="Nodes at which the increment is above its bound.",
)
squares = total(c[i] ** 2, i)
tail = probability(M >= t, signs)
BOUNDED = [excess <= 0, squares > 0]

printed = Claim(HERE, Holds(tail <= exp(-(t**2) / (2 * squares))), given=BOUNDED)
half = Claim(HERE, Holds(tail <= exp(-(t**2) / squares)), given=BOUNDED)
