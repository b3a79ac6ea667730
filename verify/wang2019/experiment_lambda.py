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

left = symbols("left", real=True)
FEATURES = 100

printed = Claim(
    source=NOTES.at("Sections 6.1-6.3"),
    statement=Holds(c / sqrt(n) > 2 * b / sqrt(n) * sqrt(log(FEATURES))),
    worlds=Space(c=Choice((fmpq(1, 5), fmpq(1), fmpq(5))), b=Choice((fmpq(1), fmpq(2)))),
    parameters={n: Integer(200, searched=10**4)},
    uses=("wang2019/theorem_1:printed",),
    reading="The experiments are said to verify Theorem 1, so its condition should hold at least "
    "for a delta as close to one as one likes; b is 2 as in Section 3.1 or 1 as for the printed "
    "cosine.",
)  # fmt: skip


def caption_of_left_column(n):
    """lambda in the captions (a), (d), (g), (j)."""
    return fmpq(2, 10) / square_root(fmpq(n))


columns = Claim(
    source=NOTES.at("Section 6.2 against the captions of Figures 1 and 2"),
    statement=Holds(Eq(left, 5 / sqrt(n))),
    worlds=Space(n=Choice((5000, 10**4))),
    measure={left: caption_of_left_column},
)
