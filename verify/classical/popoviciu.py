"""Popoviciu's inequality on variances.

Setting    X with finitely many values between a (least) and b (greatest).
"""

from boundcheck import Claim, Holds
from boundcheck.settings.scalar_laws import Var, k, largest, smallest, values

from . import POPOVICIU

HERE = POPOVICIU.at("inequality")
x = values()
X, a, b = x[k], smallest(x), largest(x)

printed = Claim(HERE, Holds(Var(X) <= (b - a) ** 2 / 4))
fifth = Claim(HERE, Holds(Var(X) <= (b - a) ** 2 / 5))
twelfth = Claim(HERE, Holds(Var(X) <= (b - a) ** 2 / 12))
