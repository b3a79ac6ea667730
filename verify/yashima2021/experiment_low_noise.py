"""The data of section 5 and the strong low-noise condition.

Setting    P(Y = 1 | x) is 4/5 on two squares and 1/5 on the other two.
"""

from sympy import Rational

from boundcheck import Claim, Holds
from boundcheck.expressions import parameter
from boundcheck.settings.four_squares import margin
from boundcheck.worlds import Real

from . import ARXIV

delta = parameter("delta", Real(0, "1/2", open_low=True))

printed = Claim(
    ARXIV.at("section 5; AISTATS section 5"),
    Holds(margin > Rational(3, 10)),
    reading="the condition with its strict inequality, as both editions print it; the margin of "
    "the data equals the stated delta",
)

repaired = Claim(
    ARXIV.at("section 5, any delta below 3/10"),
    Holds(margin > delta),
    given=[delta < Rational(3, 10)],
)
