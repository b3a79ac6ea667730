"""Popoviciu's inequality on variances.

Setting    X with finitely many values between a (least) and b (greatest).
Claim      Var X <= (b - a)^2 / 4.
False      with 1/5, and with 1/12 as for the uniform law.
"""

from boundcheck import Claim, Holds
from boundcheck.quantities import laws
from boundcheck.worlds import scalar_laws

from . import POPOVICIU, high, low, variance

SETTING = {
    "source": POPOVICIU.at("inequality"),
    "worlds": scalar_laws(low=-1),
    "measure": {variance: laws.variance, low: laws.least_value, high: laws.greatest_value},
}

printed = Claim(statement=Holds(variance <= (high - low) ** 2 / 4), **SETTING)
fifth = Claim(statement=Holds(variance <= (high - low) ** 2 / 5), **SETTING)
twelfth = Claim(statement=Holds(variance <= (high - low) ** 2 / 12), **SETTING)
