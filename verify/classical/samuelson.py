"""Samuelson's inequality.

Setting    n numbers with mean m and s^2 = (1/n) sum (x_i - m)^2.
"""

from boundcheck import Claim, Holds
from boundcheck.expressions import index, total, world
from boundcheck.worlds import Integer, Vector

from . import SAMUELSON

HERE = SAMUELSON.at("theorem")
n = world("n", Integer(1, searched=5))
x = world("x", Vector(n), units={"value": 1})
i, j = index("i", n), index("j", n)
m = total(x[j], j) / n
variance = total((x[i] - m) ** 2, i) / n

printed = Claim(HERE, Holds((x[0] - m) ** 2 <= (n - 1) * variance))
two_lost = Claim(HERE, Holds((x[0] - m) ** 2 <= (n - 2) * variance), given=[n >= 3])
