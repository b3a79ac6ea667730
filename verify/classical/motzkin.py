"""Motzkin's polynomial: non-negative, though no sum of squares.

Setting    real x, y.
Claim      3 x^2 y^2 <= x^4 y^2 + x^2 y^4 + 1, with equality at |x| = |y| = 1.
False      without the 1; with 4 for 3.
"""

from sympy import symbols

from boundcheck import Claim, Holds
from boundcheck.worlds import Real

from . import MOTZKIN

x, y = symbols("x y", real=True)
SETTING = {"source": MOTZKIN.at("example"), "parameters": {x: Real(-3, 3), y: Real(-3, 3)}}

printed = Claim(statement=Holds(3 * x**2 * y**2 <= x**4 * y**2 + x**2 * y**4 + 1), **SETTING)
without_one = Claim(statement=Holds(3 * x**2 * y**2 <= x**4 * y**2 + x**2 * y**4), **SETTING)
four = Claim(statement=Holds(4 * x**2 * y**2 <= x**4 * y**2 + x**2 * y**4 + 1), **SETTING)
