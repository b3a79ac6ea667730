"""Pinsker's inequality.

Setting    laws p, q on K atoms with q > 0; V total variation, D divergence of p from q in nats.
"""

from sympy import Abs, Eq, Piecewise, log, sqrt

from boundcheck import Claim, Holds
from boundcheck.expressions import define, least, total, world
from boundcheck.settings.scalar_laws import K, k, p
from boundcheck.worlds import Weights

from . import PINSKER

HERE = PINSKER.at("inequality")
q = world("q", Weights(K), says="Another law.")
V = define("V", total(Abs(p[k] - q[k]), k) / 2, says="Total variation.")
D = define(
    "D",
    total(Piecewise((0, Eq(p[k], 0)), (p[k] * log(p[k] / q[k]), True)), k),
    says="Divergence, with 0 log 0 = 0.",
)

POSSIBLE = [least(q[k], k) > 0]

printed = Claim(HERE, Holds(sqrt(D / 2) >= V), given=POSSIBLE)
linear = Claim(HERE, Holds(V <= D / 2), given=POSSIBLE)
quarter = Claim(HERE, Holds(sqrt(D) / 2 >= V), given=POSSIBLE)
