"""Figure 1: three random-feature methods at equal feature budget.

Setting    toy data of section 6: D = 550, ..., 800, T = 200, one pass; r features shared by all
           points, k per point, or m per round; step sizes and schedules chosen for each method.
Claim      with the same number of features calculated Algorithm 1 attains a lower loss than both
           other methods, at every D; m = 20.
Many features  the same for m = 200.
Per point  the same with r = k = m features for every point.
Equal draws  not so if as many features are drawn in the whole pass: fixed ones do better.
Real points  not so on pixels of images, m = 20: fixed random features have the lower loss.
"""

from sympy import And, Rational

from boundcheck import Claim, Holds
from boundcheck.experiments.evidence import more_than
from boundcheck.experiments.feature_budgets import lower

from . import NOTES
from ._experiment import DIGITS, TOY

FEW, MANY = TOY.samples
HALF = Rational(1, 2)


def place(experiment, budget, m):
    """How the print was read."""
    return (
        f"{experiment.runs} streams with fixed seeds, m = {m}, r = "
        f"{experiment.features('fixed', budget, m)} and k = "
        f"{experiment.features('stochastic', budget, m)}, equal features {budget}; Algorithm 1 "
        "takes a descent step; the loss is the mean one of the functions played, and lower means "
        "in most streams, by exact binomial intervals. The text gives neither m, B, the scale of "
        "the labels nor which loss is shown."
    )


def as_printed(budget, m):
    """Algorithm 1 below both other methods."""
    return Claim(
        NOTES.at("Figure 1"),
        Holds(
            And(
                more_than("below_fixed", lower.of(TOY, budget, m, "shrinking", "fixed"), HALF),
                more_than(
                    "below_doubly", lower.of(TOY, budget, m, "shrinking", "stochastic"), HALF
                ),
            )
        ),
        uses=("livni2017/algorithm_1:repaired",),
        reading=place(TOY, budget, m),
        cost=1000,
    )


def against(experiment, budget, m):
    """Fixed random features below Algorithm 1."""
    return Claim(
        NOTES.at("Figure 1, against its wording"),
        Holds(
            more_than("fixed_below", lower.of(experiment, budget, m, "fixed", "shrinking"), HALF)
        ),
        uses=("livni2017/algorithm_1:repaired",),
        reading=place(experiment, budget, m),
        cost=1000,
    )


printed = as_printed("computed", FEW)
many_features = as_printed("computed", MANY)
per_point = as_printed("per point", FEW)
equal_draws = against(TOY, "drawn", FEW)
real_points = against(DIGITS, "computed", FEW)
