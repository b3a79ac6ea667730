"""Motzkin's polynomial: non-negative, though no sum of squares.

Setting    real x, y.
"""

from boundcheck import Claim, Holds
from boundcheck.expressions import parameter
from boundcheck.worlds import Real

from . import MOTZKIN

HERE = MOTZKIN.at("example")
x, y = (parameter(name, Real(None, None, searched=(-3, 3))) for name in "xy")

printed = Claim(HERE, Holds(3 * x**2 * y**2 <= x**4 * y**2 + x**2 * y**4 + 1))
without_one = Claim(HERE, Holds(3 * x**2 * y**2 <= x**4 * y**2 + x**2 * y**4))
four = Claim(HERE, Holds(4 * x**2 * y**2 <= x**4 * y**2 + x**2 * y**4 + 1))
