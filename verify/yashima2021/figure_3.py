"""Figure 3: classification error of averaged SGD by the number of features.

Setting    section 5; excess error of a run after 12000 iterations, its area enclosed.
Claim      with M = 100 features runs do not reach the Bayes rule exactly (at least one in ten), and
           they end above runs with M = 1000 more often than below.
Elsewhere  the same for a narrow and a wide kernel, and for likelier labels side by side.
"""

from dataclasses import replace

from sympy import And, Rational

from boundcheck import Claim, Holds
from boundcheck.experiments.evidence import more_than
from boundcheck.experiments.four_squares_shares import few_above_many, not_exact

from . import ARXIV
from ._experiment import DRAWN, WIDTHS

RUNS = 100


def at(experiment, where):
    """The claim at one choice of what is not printed."""
    return Claim(
        ARXIV.at("Figure 3; AISTATS Figure 3"),
        Holds(
            And(
                more_than("inexact", not_exact.of(experiment, RUNS), Rational(1, 10)),
                more_than("above", few_above_many.of(experiment, RUNS), Rational(1, 2)),
            )
        ),
        uses=("yashima2021/theorem_3:arxiv",),
        reading=f"Exact convergence: error equal to that of the Bayes rule; {RUNS} runs with fixed "
        f"seeds for either M, exact binomial intervals; {where}, which the text does not print.",
        cost=1000,
    )


printed = at(DRAWN, "width 3/10 and diagonal squares")
narrow = at(replace(DRAWN, width=WIDTHS[0]), "width 1/10 and diagonal squares")
wide = at(replace(DRAWN, width=WIDTHS[-1]), "width 1 and diagonal squares")
side_by_side = at(replace(DRAWN, layout="half"), "width 3/10 and squares side by side")
