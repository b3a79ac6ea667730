"""The Gruess inequality.

Setting    X, Y on finitely many atoms with ranges (greatest minus least value) r, s.
"""

from sympy import Abs

from boundcheck import Claim, Holds
from boundcheck.settings.scalar_laws import Cov, k, largest, smallest, values

from . import GRUSS

HERE = GRUSS.at("inequality")
x, y = values(), values(name="y", unit="other value")
r, s = largest(x) - smallest(x), largest(y) - smallest(y)

printed = Claim(HERE, Holds(Abs(Cov(x[k], y[k])) <= r * s / 4))
fifth = Claim(HERE, Holds(Abs(Cov(x[k], y[k])) <= r * s / 5))
