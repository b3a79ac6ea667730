"""Figure 3: classification error of averaged SGD by the number of features.

Setting    section 5; excess error of a run after 12000 iterations, its area enclosed.
Claim      with M = 100 features runs do not reach the Bayes rule exactly (at least one in ten), and
           they end above runs with M = 1000 more often than below.
Elsewhere  the same for a narrow and a wide kernel, and for likelier labels side by side.
"""

from dataclasses import replace
from functools import cache

from sympy import And, Rational, symbols

from boundcheck import Claim, Holds
from boundcheck.experiments.evidence import Share, more_than
from boundcheck.experiments.four_squares import curves

from . import ARXIV
from ._experiment import DRAWN, WIDTHS

inexact, above = symbols("inexact above", real=True)
RUNS = 100


@cache
def last_errors(experiment, features):
    """Bounds of the excess error of every run after the last iteration."""
    found = curves(experiment, features, runs=RUNS, checkpoints=(experiment.iterations,))
    return found.low[:, 0], found.high[:, 0]


def runs_not_exact(experiment):
    """Runs with the fewest features that end above the Bayes rule for certain."""
    low, _ = last_errors(experiment, experiment.features[0])
    return Share(int((low > 0).sum()), RUNS)


def pairs_above(experiment):
    """Pairs of runs in which few features end above many, among those that differ."""
    (few_low, few_high), (many_low, many_high) = (
        last_errors(experiment, experiment.features[place]) for place in (0, -1)
    )
    higher, lower = (few_low > many_high).sum(), (few_high < many_low).sum()
    return Share(int(higher), int(higher + lower))


def at(experiment, where):
    """The claim at one choice of what is not printed."""
    return Claim(
        source=ARXIV.at("Figure 3; AISTATS Figure 3"),
        statement=Holds(And(inexact > Rational(1, 10), above > Rational(1, 2))),
        measure={
            inexact: more_than(lambda: runs_not_exact(experiment), 0.1),
            above: more_than(lambda: pairs_above(experiment), 0.5),
        },
        uses=("yashima2021/theorem_3:arxiv",),
        reading=f"Exact convergence: error equal to that of the Bayes rule; {RUNS} runs with fixed "
        f"seeds for either M, exact binomial intervals; {where}, which the text does not print.",
        cost=1000,
    )


printed = at(DRAWN, "width 3/10 and diagonal squares")
narrow = at(replace(DRAWN, width=WIDTHS[0]), "width 1/10 and diagonal squares")
wide = at(replace(DRAWN, width=WIDTHS[-1]), "width 1 and diagonal squares")
side_by_side = at(replace(DRAWN, layout="half"), "width 3/10 and squares side by side")
