"""Bernoulli's inequality.

Setting    real x, integer n >= 1.
"""

from boundcheck import Claim, Holds
from boundcheck.expressions import parameter
from boundcheck.worlds import Integer, Real

from . import FOLKLORE

HERE = FOLKLORE.at("Bernoulli's inequality")
x = parameter("x", Real(None, None, searched=(-5, 5)))
n = parameter("n", Integer(1, searched=9))

printed = Claim(HERE, Holds(1 + n * x <= (1 + x) ** n), given=[x >= -1])
all_reals = Claim(HERE, Holds(1 + n * x <= (1 + x) ** n))
reversed_ = Claim(HERE, Holds((1 + x) ** n <= 1 + n * x), given=[x >= 0])
