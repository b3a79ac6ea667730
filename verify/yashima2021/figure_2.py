"""Figure 2: classification error against loss along averaged SGD with 1000 features.

Setting    section 5; excess over the Bayes rule of one run at iterations 300 and 12000, the areas
           enclosed.
Claim      in most runs the error falls by ten times the factor of the loss.
Elsewhere  the same for a narrow and a wide kernel, and for likelier labels side by side.
"""

from dataclasses import replace

from sympy import Rational

from boundcheck import Claim, Holds
from boundcheck.experiments.evidence import more_than
from boundcheck.experiments.four_squares_shares import falls_faster

from . import ARXIV
from ._experiment import DRAWN, WIDTHS

RUNS, EARLY, FACTOR = 24, 300, 10


def at(experiment, where):
    """The claim at one choice of what is not printed."""
    return Claim(
        ARXIV.at("Figure 2; AISTATS Figure 2"),
        Holds(
            more_than("faster", falls_faster.of(experiment, RUNS, EARLY, FACTOR), Rational(1, 2))
        ),
        uses=("yashima2021/theorem_3:arxiv",),
        reading=f"Much faster: by a further factor of ten between iterations {EARLY} and 12000, in "
        f"most runs ({RUNS} with fixed seeds, exact binomial interval); {where}, which the text "
        "does not print.",
        cost=1000,
    )


printed = at(DRAWN, "width 3/10 and diagonal squares")
narrow = at(replace(DRAWN, width=WIDTHS[0]), "width 1/10 and diagonal squares")
wide = at(replace(DRAWN, width=WIDTHS[-1]), "width 1 and diagonal squares")
side_by_side = at(replace(DRAWN, layout="half"), "width 3/10 and squares side by side")
