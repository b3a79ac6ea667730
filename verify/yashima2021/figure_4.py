"""Figure 4: random features against the full kernel at equal numbers of parameter updates.

Setting    section 5; M updates per iteration with M features, t updates at iteration t with the
           kernel, so that t iterations cost t (t + 1)/2.
Claim      at a relatively small error both M = 500 and M = 1000 need fewer updates than the kernel:
           after the 8 million updates of 4000 kernel iterations they end below it more often than
           above.
Large error  the restriction to a small error is needed: after the 500,500 updates of 1000 kernel
           iterations M = 1000 is above the kernel more often than below.
"""

from sympy import And, Rational

from boundcheck import Claim, Holds
from boundcheck.experiments.evidence import more_than
from boundcheck.experiments.four_squares_shares import above_kernel, below_kernel

from . import ARXIV
from ._experiment import DRAWN

RUNS, LATE, EARLY = 160, 4000, 1000
HALF = Rational(1, 2)
READING = (
    f"Width 3/10 and diagonal squares, which the text does not print; {RUNS} pairs of runs with "
    "fixed seeds, exact binomial intervals for the pairs that differ."
)

printed = Claim(
    ARXIV.at("Figure 4; AISTATS Figure 4"),
    Holds(
        And(
            more_than("below_500", below_kernel.of(DRAWN, 500, LATE, RUNS), HALF),
            more_than("below_1000", below_kernel.of(DRAWN, 1000, LATE, RUNS), HALF),
        )
    ),
    uses=("yashima2021/complexity:printed", "yashima2021/computational_gain:printed"),
    reading=READING,
    cost=1000,
)

large_error = Claim(
    ARXIV.at("Figure 4, at a larger error"),
    Holds(more_than("above_1000", above_kernel.of(DRAWN, 1000, EARLY, RUNS), HALF)),
    reading=READING,
    cost=1000,
)
