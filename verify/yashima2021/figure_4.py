"""Figure 4: random features against the full kernel at equal numbers of parameter updates.

Setting    section 5; M updates per iteration with M features, t updates at iteration t with the
           kernel, so that t iterations cost t (t + 1)/2.
Claim      at a relatively small error both M = 500 and M = 1000 need fewer updates than the kernel:
           after the 8 million updates of 4000 kernel iterations they end below it more often than
           above.
Large error  the restriction to a small error is needed: after the 500,500 updates of 1000 kernel
           iterations M = 1000 is above the kernel more often than below.
"""

from functools import cache

from sympy import And, Rational, symbols

from boundcheck import Claim, Holds
from boundcheck.experiments.evidence import Share, more_than
from boundcheck.experiments.four_squares import curves

from . import ARXIV
from ._experiment import DRAWN

below_500, below_1000, above_1000 = symbols("below_500 below_1000 above_1000", real=True)
RUNS, LATE, EARLY = 160, 4000, 1000


@cache
def errors(features, kernel_iterations):
    """Bounds of the excess error of every run after as many updates, at most 12000 iterations."""
    updates = kernel_iterations * (kernel_iterations + 1) // 2
    horizon = kernel_iterations if features is None else min(
        updates // features, DRAWN.iterations)  # fmt: skip
    found = curves(DRAWN, features, runs=RUNS, checkpoints=(horizon,))
    return found.low[:, 0], found.high[:, 0]


def pairs_below(features, kernel_iterations):
    """Pairs of runs in which the features end below the kernel, among those that differ."""
    (low, high), (kernel_low, kernel_high) = (
        errors(m, kernel_iterations) for m in (features, None)
    )
    lower, higher = int((high < kernel_low).sum()), int((low > kernel_high).sum())
    return Share(lower, lower + higher)


def pairs_above():
    """Pairs in which 1000 features end above the kernel after few updates."""
    below = pairs_below(1000, EARLY)
    return Share(below.trials - below.hits, below.trials)


READING = (
    f"Width 3/10 and diagonal squares, which the text does not print; {RUNS} pairs of runs with "
    "fixed seeds, exact binomial intervals for the pairs that differ."
)

printed = Claim(
    source=ARXIV.at("Figure 4; AISTATS Figure 4"),
    statement=Holds(And(below_500 > Rational(1, 2), below_1000 > Rational(1, 2))),
    measure={
        below_500: more_than(lambda: pairs_below(500, LATE), 0.5),
        below_1000: more_than(lambda: pairs_below(1000, LATE), 0.5),
    },
    uses=("yashima2021/complexity:printed", "yashima2021/computational_gain:printed"),
    reading=READING,
    cost=1000,
)

large_error = Claim(
    source=ARXIV.at("Figure 4, at a larger error"),
    statement=Holds(above_1000 > Rational(1, 2)),
    measure={above_1000: more_than(pairs_above, 0.5)},
    reading=READING,
    cost=1000,
)
