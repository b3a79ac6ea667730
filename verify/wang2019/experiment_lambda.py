"""Sections 6.1-6.2: the three ridge parameters against the condition of Theorem 1.

Setting    lambda = c / sqrt(n) with c one of 1/5, 1, 5; s = 100; psi^2 <= b.
Claim      lambda >= (2 b / sqrt(n)) sqrt(log(s / delta)) for some delta < 1, that is
           lambda > (2 b / sqrt(n)) sqrt(log s), so that Theorem 1 applies.
Columns    the left columns of Figures 1 and 2 are said to have lambda = 5 / sqrt(n); their
           captions say 0.2 / sqrt(n).
"""

from sympy import Eq, Rational, log, sqrt

from boundcheck import Claim, Holds
from boundcheck.expressions import define, parameter, world
from boundcheck.worlds import Choice, Integer

from . import NOTES
from ._experiment import FEATURES, GROWING, RIDGES, ROWS, TRAINING

LEAST, LARGEST = (Rational(int(c.p), int(c.q)) for c in (RIDGES[0], RIDGES[-1]))
n = parameter("n", Integer(GROWING[0], searched=ROWS))
c = world("c", Choice(RIDGES), rank=0, says="Factor of the ridge parameter.")
b = world("b", Choice((1, 2)), rank=0, says="Bound on psi^2.")
SIZES = (TRAINING["cpusmall"], ROWS)
rows = world("rows", Choice(SIZES), rank=0, says="Training points of the figures.")
caption = define("caption", LEAST / sqrt(rows), says="lambda in captions (a), (d), ...")

printed = Claim(
    NOTES.at("Sections 6.1-6.3"),
    Holds(c / sqrt(n) > 2 * b / sqrt(n) * sqrt(log(FEATURES))),
    uses=("wang2019/theorem_1:printed",),
    reading="The experiments are said to verify Theorem 1, so its condition should hold at least "
    "for a delta as close to one as one likes; b is 2 as in Section 3.1 or 1 as for the printed "
    "cosine.",
)
columns = Claim(
    NOTES.at("Section 6.2 against the captions of Figures 1 and 2"),
    Holds(Eq(caption, LARGEST / sqrt(rows))),
)
