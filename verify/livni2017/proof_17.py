"""(17): the comparator's loss.

Claim      inf over ||f*|| < B of sum_t l_t(f*) is at most sum_t l_t(0), which is at most T.
"""

from sympy import And, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.online_comparators import best_in_ball

from . import AT_LEAST_ONE, NOTES, B, T, runs

best, at_zero = symbols("best at_zero", real=True)

setting = dict(
    given=[B >= 1],
    worlds=runs(rounds=5, points=3, atoms=3),
    parameters={B: AT_LEAST_ONE},
    measure={best: best_in_ball, at_zero: lambda y: sum(label**2 for label in y) / 2},
    cost=6,
)

printed = Claim(
    source=NOTES.at("(17)"),
    statement=Holds(And(best <= at_zero, at_zero <= T)),
    reading="The minimum over an open ball is its infimum.",
    **setting,
)

sharpened = Claim(
    source=NOTES.at("(17), with labels in [-1, 1]"),
    statement=Holds(And(best <= at_zero, 2 * at_zero <= T)),
    **setting,
)
