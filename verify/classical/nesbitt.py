"""Nesbitt's inequality.

Setting    a, b, c > 0.
"""

from sympy import Rational

from boundcheck import Claim, Holds
from boundcheck.expressions import parameter
from boundcheck.worlds import Real

from . import NESBITT

a, b, c = (parameter(name, Real(None, None, searched=(-4, 4))) for name in "abc")
form = a / (b + c) + b / (c + a) + c / (a + b)
POSITIVE = {s: Real(0, None, open_low=True, searched=(0, 4)) for s in (a, b, c)}

printed = Claim(NESBITT.at("problem"), Holds(Rational(3, 2) <= form), domains=POSITIVE)
upper = Claim(NESBITT.at("an upper bound"), Holds(form <= 2), domains=POSITIVE)
all_signs = Claim(
    NESBITT.at("for all signs"),
    Holds(Rational(3, 2) <= form),
    given=[(b + c) ** 2 > 0, (c + a) ** 2 > 0, (a + b) ** 2 > 0],
)
