"""Mean, median and standard deviation.

Setting    X with finitely many values, m its least median.
Claim      (E X - m)^2 <= Var X.
False      with constant 1/2: two values of nearly equal weight are apart by a full deviation.
"""

from sympy import symbols

from boundcheck import Claim, Holds
from boundcheck.quantities import laws
from boundcheck.worlds import scalar_laws

from . import FOLKLORE, mean, variance

middle = symbols("middle", real=True)
SETTING = {
    "source": FOLKLORE.at("mean and median"),
    "worlds": scalar_laws(low=-1),
    "measure": {mean: laws.mean, middle: laws.median, variance: laws.variance},
}

printed = Claim(statement=Holds((mean - middle) ** 2 <= variance), **SETTING)
halved = Claim(statement=Holds((mean - middle) ** 2 <= variance / 2), **SETTING)
