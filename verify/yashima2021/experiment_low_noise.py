"""The data of section 5 and the strong low-noise condition.

Setting    P(Y = 1 | x) is 4/5 on two squares and 1/5 on the other two.
Claim      |P(Y = 1 | x) - 1/2| > delta almost surely with delta = 3/10.
"""

from sympy import Rational, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.four_cells import cell_margin
from boundcheck.worlds import Real

from . import ARXIV, delta

margin = symbols("margin", real=True)

printed = Claim(
    source=ARXIV.at("section 5; AISTATS section 5"),
    statement=Holds(margin > Rational(3, 10)),
    measure={margin: cell_margin},
    uses=("yashima2021/margin:printed",),
    reading="the condition with its strict inequality, as both editions print it; the margin of "
    "the data equals the stated delta",
)

repaired = Claim(
    source=ARXIV.at("section 5, any delta below 3/10"),
    statement=Holds(margin > delta),
    given=[delta < Rational(3, 10)],
    parameters={delta: Real(0, "1/2", open_low=True)},
    measure={margin: cell_margin},
)
