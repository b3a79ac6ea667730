"""Bernoulli's inequality.

Setting    real x, integer n >= 1.
Claim      1 + n x <= (1 + x)^n for x >= -1.
False      for all real x; the reverse for x >= 0.
"""

from sympy import symbols

from boundcheck import Claim, Holds
from boundcheck.worlds import Integer, Real

from . import FOLKLORE, n

x = symbols("x", real=True)
PARAMETERS = {n: Integer(1, searched=9), x: Real(-5, 5)}
SOURCE = FOLKLORE.at("Bernoulli's inequality")

printed = Claim(
    source=SOURCE, statement=Holds(1 + n * x <= (1 + x) ** n), given=[x >= -1],
    parameters=PARAMETERS,
)  # fmt: skip
all_reals = Claim(
    source=SOURCE, statement=Holds(1 + n * x <= (1 + x) ** n), parameters=PARAMETERS
)
reversed_ = Claim(
    source=SOURCE, statement=Holds((1 + x) ** n <= 1 + n * x), given=[x >= 0],
    parameters=PARAMETERS,
)  # fmt: skip
