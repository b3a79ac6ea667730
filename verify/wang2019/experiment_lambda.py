"""Sections 6.1-6.2: the three ridge parameters against the condition of Theorem 1.

Setting    lambda = c / sqrt(n) with c one of 1/5, 1, 5; s = 100; psi^2 <= b.
Claim      lambda >= (2 b / sqrt(n)) sqrt(log(s / delta)) for some delta < 1, that is
           lambda > (2 b / sqrt(n)) sqrt(log s), so that Theorem 1 applies.
Columns    the left columns of Figures 1 and 2 are said to have lambda = 5 / sqrt(n); their
           captions say 0.2 / sqrt(n).
"""

from flint import fmpq
from sympy import Eq, log, sqrt, symbols

from boundcheck import Claim, Holds
from boundcheck.exact import square_root
from boundcheck.worlds import Choice, Integer, Space

from . import NOTES, b, c, n
from ._experiment import FEATURES, GROWING, RIDGES, ROWS, TRAINING

left = symbols("left", real=True)

printed = Claim(
    source=NOTES.at("Sections 6.1-6.3"),
    statement=Holds(c / sqrt(n) > 2 * b / sqrt(n) * sqrt(log(FEATURES))),
    worlds=Space(c=Choice(RIDGES), b=Choice((fmpq(1), fmpq(2)))),
    parameters={n: Integer(GROWING[0], searched=ROWS)},
    uses=("wang2019/theorem_1:printed",),
    reading="The experiments are said to verify Theorem 1, so its condition should hold at least "
    "for a delta as close to one as one likes; b is 2 as in Section 3.1 or 1 as for the printed "
    "cosine.",
)  # fmt: skip


def caption_of_left_column(n):
    """lambda in the captions (a), (d), (g), (j)."""
    return RIDGES[0] / square_root(fmpq(n))


columns = Claim(
    source=NOTES.at("Section 6.2 against the captions of Figures 1 and 2"),
    statement=Holds(Eq(left, 5 / sqrt(n))),
    worlds=Space(n=Choice((TRAINING["cpusmall"], ROWS))),
    measure={left: caption_of_left_column},
)
