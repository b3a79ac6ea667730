"""Elementary inequalities that tail bounds rest on.

Setting    real x, integer n >= 1, a probability p strictly between 0 and 1.
"""

from sympy import And, E, Rational, cosh, exp, log

from boundcheck import Claim, Holds
from boundcheck.expressions import parameter
from boundcheck.worlds import Integer, Real

from . import FOLKLORE

HERE = FOLKLORE.at("exponential bounds")
x = parameter("x", Real(None, None, searched=(-5, 5)))
n = parameter("n", Integer(1, searched=9))
p = parameter("p", Real(0, 1))
taylor = 1 - x + x**2 / 2
bennett = (1 + x) * log(1 + x) - x

hyperbolic = Claim(HERE, Holds(cosh(x) <= exp(x**2 / 2)))
hyperbolic_third = Claim(HERE, Holds(cosh(x) <= exp(x**2 / 3)))
second_order = Claim(HERE, Holds(exp(-x) <= taylor), given=[x >= 0])
second_order_all = Claim(HERE, Holds(exp(-x) <= taylor))
bernstein_form = Claim(HERE, Holds(bennett >= x**2 / (2 + 2 * x / 3)), given=[x >= 0])
bernstein_half = Claim(HERE, Holds(bennett >= x**2 / (2 + x / 2)), given=[x >= 0])
compound = Claim(HERE, Holds((1 + Rational(1) / n) ** n <= E))
coin_entropy = Claim(
    HERE, Holds(-p * log(p) - (1 - p) * log(1 - p) <= log(2)), given=[And(0 < p, p < 1)]
)
