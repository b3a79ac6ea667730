"""The Hoeffding-Azuma inequality for differences in intervals that move with the past.

Setting    martingale differences; given the past, the one of round i lies in an interval of length
           c_i whose place the past decides; t > 0.
"""

from sympy import exp

from boundcheck import Claim, Holds
from boundcheck.expressions import define, greatest, indicator, least, total, world
from boundcheck.settings.adapted import K, P, adapted, branch, i, martingale, n, node, of_round
from boundcheck.settings.scalar_laws import t
from boundcheck.worlds import Vector

from . import CESA_BIANCHI_LUGOSI

HERE = CESA_BIANCHI_LUGOSI.at("Lemma A.7")
x = adapted("x", searched=(-1, 1))
c = world("c", Vector(n, 0), units={"value": 1}, says="Lengths of the intervals.")
values = x[K * node + branch]
length = greatest(values, branch) - least(values, branch)
excess = define(
    "excess",
    total(of_round(i, node) * indicator(length > c[i]), i, node),
    says="Nodes at which the difference leaves its interval.",
)
squares = total(c[i] ** 2, i)
tail = P(martingale(x) > t)
BOUNDED = [excess <= 0, squares > 0]

printed = Claim(HERE, Holds(tail <= exp(-2 * t**2 / squares)), given=BOUNDED)
twice = Claim(HERE, Holds(tail <= exp(-4 * t**2 / squares)), given=BOUNDED)
