"""Jensen gaps.

Setting    X with finitely many values in [a, b], a > 0, E f(X) - f(E X) for convex f.
"""

from sympy import log

from boundcheck import Claim, Holds
from boundcheck.settings.scalar_laws import E, Var, k, largest, smallest, values

from . import JENSEN

HERE = JENSEN.at("inequality")
x = values(low=0, searched=("1/10", 3), open_low=True)
X, a, b = x[k], smallest(x), largest(x)

square_gap = Claim(HERE, Holds(Var(X) <= (b - a) ** 2 / 4))
log_gap = Claim(HERE, Holds(log(E(X)) - E(log(X)) <= (b - a) ** 2 / (8 * a**2)))
printed = Claim(HERE, Holds(E(log(X)) <= log(E(X))))
reversed_ = Claim(HERE, Holds(E(log(X)) >= log(E(X))))
square_gap_halved = Claim(HERE, Holds(Var(X) <= (b - a) ** 2 / 8))
