"""Gordon's bounds of Mills' ratio.

Setting    a standard normal variable X with density phi, t > 0.
"""

from sympy import And, exp, pi, sqrt

from boundcheck import Claim, Holds
from boundcheck.settings.concentration import t
from boundcheck.settings.continuous import P, normal

from . import GORDON

HERE = GORDON.at("inequality (7)")
X = normal("X")
phi = exp(-(t**2) / 2) / sqrt(2 * pi)
tail = P(X >= t, X)

printed = Claim(
    HERE, Holds(And(t * phi / (1 + t**2) <= tail, tail <= phi / t)), rescalings=()
)
lower = Claim(HERE, Holds(phi / t <= tail), rescalings=())
