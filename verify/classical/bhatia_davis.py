"""The Bhatia-Davis inequality on variances.

Setting    X with finitely many values between a (least) and b (greatest).
Claim      Var X <= (b - E X)(E X - a).
False      the reverse: equality needs two values.
"""

from boundcheck import Claim, Holds
from boundcheck.quantities import laws
from boundcheck.worlds import scalar_laws

from . import BHATIA_DAVIS, high, low, mean, variance

SETTING = {
    "source": BHATIA_DAVIS.at("Theorem 1"),
    "worlds": scalar_laws(low=-1),
    "measure": {
        variance: laws.variance, mean: laws.mean, low: laws.least_value, high: laws.greatest_value,
    },
}  # fmt: skip

printed = Claim(statement=Holds(variance <= (high - mean) * (mean - low)), **SETTING)
reversed_ = Claim(statement=Holds(variance >= (high - mean) * (mean - low)), **SETTING)
