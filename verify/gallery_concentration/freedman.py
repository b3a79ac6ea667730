"""Freedman's inequality: a martingale is large while its conditional variances are small.

Setting    M_k the sum of martingale differences that the past may shape in law and size, each at
           most R; V_k the sum of their conditional variances; t, v > 0.
"""

from sympy import And, exp

from boundcheck import Claim, Holds
from boundcheck.expressions import greatest, parameter
from boundcheck.settings.adapted import P, adapted, deviation, edge, ever, j, martingale, variation
from boundcheck.settings.scalar_laws import t
from boundcheck.worlds import Real

from . import AT_ZERO, TROPP_FREEDMAN

HERE = TROPP_FREEDMAN.at("Theorem 1.1")
x = adapted("x")
v = parameter("v", Real(0, None, open_low=True, searched=(0, 3)), units={"value": 2})
R = greatest(deviation(x, edge), edge)
tail = P(ever(And(martingale(x, j + 1) >= t, variation(x, j + 1) <= v)))

printed = Claim(HERE, Holds(tail <= exp(-(t**2) / (2 * (v + R * t / 3)))), reading=AT_ZERO)
without_range = Claim(HERE, Holds(tail <= exp(-(t**2) / (2 * v))))
