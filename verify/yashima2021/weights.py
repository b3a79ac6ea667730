"""The averaging weights of Algorithm 1 sum to one.

Setting    horizon T >= 1, offset gamma of the time index.
"""

from sympy import Eq, Sum, symbols

from boundcheck import Claim, Holds
from boundcheck.settings.averaged_sgd import T, gamma

from . import ARXIV

t = symbols("t", integer=True)
alpha = 2 * (gamma + t - 1) / ((2 * gamma + T) * (T + 1))

printed = Claim(
    ARXIV.at("Section 2.3, (15); AISTATS Section 2.3"),
    Holds(Eq(Sum(alpha, (t, 1, T + 1)), 1)),
    given=[2 * gamma + 1 > 0],
    reading="the offset keeps every learning rate and the normaliser positive",
)
