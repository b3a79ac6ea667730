"""The Bhatia-Davis inequality on variances.

Setting    X with finitely many values between a (least) and b (greatest).
"""

from boundcheck import Claim, Holds
from boundcheck.settings.scalar_laws import E, Var, k, largest, smallest, values

from . import BHATIA_DAVIS

HERE = BHATIA_DAVIS.at("Theorem 1")
x = values()
X, a, b = x[k], smallest(x), largest(x)

printed = Claim(HERE, Holds(Var(X) <= (b - E(X)) * (E(X) - a)))
reversed_ = Claim(HERE, Holds(Var(X) >= (b - E(X)) * (E(X) - a)))
