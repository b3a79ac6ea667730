"""Azuma's inequality for martingales.

Setting    martingale differences that the past may shape in law and size, the one of round i at
           most c_i in modulus; M their sum, t > 0.
"""

from sympy import Abs, exp

from boundcheck import Claim, Holds
from boundcheck.expressions import define, indicator, total, world
from boundcheck.settings.adapted import (
    P,
    adapted,
    before_edge,
    deviation,
    edge,
    i,
    martingale,
    n,
    of_round,
)
from boundcheck.settings.scalar_laws import t
from boundcheck.worlds import Vector

from . import AZUMA

HERE = AZUMA.at("main inequality")
x = adapted("x", searched=(-1, 1))
c = world("c", Vector(n, 0), units={"value": 1}, says="Bounds of the increments.")
outside = indicator(Abs(deviation(x, edge)) > c[i])
excess = define(
    "excess",
    total(of_round(i, before_edge(edge)) * outside, i, edge),
    says="Edges on which the increment is above its bound.",
)
squares = total(c[i] ** 2, i)
tail = P(martingale(x) >= t)
BOUNDED = [excess <= 0, squares > 0]

printed = Claim(HERE, Holds(tail <= exp(-(t**2) / (2 * squares))), given=BOUNDED)
half = Claim(HERE, Holds(tail <= exp(-(t**2) / squares)), given=BOUNDED)
