"""Nesbitt's inequality.

Setting    a, b, c > 0.
Claim      3/2 <= a/(b + c) + b/(c + a) + c/(a + b).
False      the sum is at most 2; the claim for all real numbers with non-zero denominators.
"""

from sympy import Rational, symbols

from boundcheck import Claim, Holds
from boundcheck.worlds import Real

from . import NESBITT

a, b, c = symbols("a b c", real=True)
form = a / (b + c) + b / (c + a) + c / (a + b)
POSITIVE = {"given": [a > 0, b > 0, c > 0], "parameters": {s: Real(0, 4) for s in (a, b, c)}}

printed = Claim(
    source=NESBITT.at("problem"), statement=Holds(Rational(3, 2) <= form), **POSITIVE
)
upper = Claim(source=NESBITT.at("an upper bound"), statement=Holds(form <= 2), **POSITIVE)
all_signs = Claim(
    source=NESBITT.at("for all signs"), statement=Holds(Rational(3, 2) <= form),
    given=[(b + c) ** 2 > 0, (c + a) ** 2 > 0, (a + b) ** 2 > 0],
    parameters={s: Real(-4, 4) for s in (a, b, c)},
)  # fmt: skip
