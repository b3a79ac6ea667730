"""Mean, median and standard deviation.

Setting    X with finitely many values, m its least median.
"""

from boundcheck import Claim, Holds
from boundcheck.settings.scalar_laws import E, Var, k, median, values

from . import FOLKLORE

HERE = FOLKLORE.at("mean and median")
x = values()
X, m = x[k], median(x)

printed = Claim(HERE, Holds((E(X) - m) ** 2 <= Var(X)))
halved = Claim(HERE, Holds((E(X) - m) ** 2 <= Var(X) / 2))
