"""Azuma's inequality for martingales.

Setting    n fair coins; the increment of round t is + or - a number that the earlier coins decide,
           at most c_t in modulus; M the sum, u > 0.
Claim      P(M >= u) <= exp(-u^2 / (2 sum_t c_t^2)).
False      with sum_t c_t^2 for 2 sum_t c_t^2, as for variables in intervals of length c_t.
"""

from sympy import Abs, exp

from boundcheck import Claim, Holds
from boundcheck.expressions import define, indicator, total, world
from boundcheck.settings.concentration import t
from boundcheck.settings.martingales import P, adapted, i, martingale, n, node, of_round
from boundcheck.worlds import Vector

from . import AZUMA

HERE = AZUMA.at("main inequality")
size = adapted("size")
c = world("c", Vector(n, 0), units={"value": 1}, says="Bounds of the increments.")
excess = define(
    "excess",
    total(of_round(i, node) * indicator(Abs(size[node]) > c[i]), i, node),
    says="Nodes at which the increment is above its bound.",
)
squares = total(c[i] ** 2, i)
tail = P(martingale(size) >= t)
BOUNDED = [excess <= 0, squares > 0]

printed = Claim(HERE, Holds(tail <= exp(-(t**2) / (2 * squares))), given=BOUNDED)
half = Claim(HERE, Holds(tail <= exp(-(t**2) / squares)), given=BOUNDED)
