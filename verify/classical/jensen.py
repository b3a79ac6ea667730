"""Jensen gaps.

Setting    X with finitely many values in [a, b], a > 0, E f(X) - f(E X) for convex f.
Claim      for f(x) = x^2 the gap is at most (b - a)^2 / 4 = max f'' (b - a)^2 / 8; for f = -log it
           is between 0 and (b - a)^2 / (8 a^2).
False      E log X >= log E X; the gap of x^2 at most (b - a)^2 / 8.
"""

from sympy import log, symbols

from boundcheck import Claim, Holds
from boundcheck.exact import logarithm
from boundcheck.quantities import laws
from boundcheck.worlds import scalar_laws

from . import JENSEN, high, low, mean, second

mean_log = symbols("mean_log", real=True)


def average_log(x, p):
    """E log X over the atoms of positive weight."""
    return sum(w * logarithm(u) for u, w in zip(x, p, strict=True) if w)


SETTING = {
    "source": JENSEN.at("inequality"),
    "worlds": scalar_laws(low="1/10", high=3),
    "measure": {
        mean: laws.mean, second: laws.second_moment, mean_log: average_log,
        low: laws.least_value, high: laws.greatest_value,
    },
}  # fmt: skip

square_gap = Claim(statement=Holds(second - mean**2 <= (high - low) ** 2 / 4), **SETTING)
log_gap = Claim(
    statement=Holds(log(mean) - mean_log <= (high - low) ** 2 / (8 * low**2)), **SETTING
)
printed = Claim(statement=Holds(mean_log <= log(mean)), **SETTING)
reversed_ = Claim(statement=Holds(mean_log >= log(mean)), **SETTING)
square_gap_halved = Claim(statement=Holds(second - mean**2 <= (high - low) ** 2 / 8), **SETTING)
