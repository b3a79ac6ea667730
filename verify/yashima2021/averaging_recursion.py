"""The averaged iterate can be updated step by step.

Setting    iterates beta_1, ..., beta_{T+1}, offset gamma above -1/2, theta_t as printed.
"""

from sympy import Eq

from boundcheck import Claim, Holds
from boundcheck.expressions import index, total, world
from boundcheck.quantities.sgd import recursive_average
from boundcheck.settings.averaged_sgd import function, gamma
from boundcheck.worlds import Integer

from . import ARXIV

count = world("count", Integer(2, searched=9), says="Number of iterates, T + 1.")
beta = function("beta", count, span=10)
T, t = count - 1, index("t", count)
alpha = 2 * (gamma + t) / ((2 * gamma + T) * (T + 1))  # t counts from zero

printed = Claim(
    ARXIV.at("Section 2.3, (16)-(17); AISTATS Section 2.3"),
    Holds(Eq(recursive_average(beta, gamma), total(alpha * beta[t], t))),
    given=[2 * gamma + 1 > 0],
    uses=("yashima2021/weights:printed",),
    reading="iterates are one coordinate of beta; the offset keeps the normalisers positive",
)
