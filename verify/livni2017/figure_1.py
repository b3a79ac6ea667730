"""Figure 1: three random-feature methods at equal feature budget.

Setting    toy data of section 6: D = 550, ..., 800, T = 200, one pass; r features shared by all
           points, k per point, or m per round; step sizes and schedules explored for each.
Claim      with the same number of features Algorithm 1 attains the lowest loss.
"""

import numpy
from sympy import And, Eq, Rational, symbols

from boundcheck import Claim, WithProbability
from boundcheck.quantities.feature_methods import (
    doubly_stochastic,
    fixed_random,
    shrinking_gradient,
    toy_data,
)
from boundcheck.worlds import Choice, Sampled

from . import NOTES, T, m

D, r, k, shrinking, fixed, doubly = symbols("D r k shrinking fixed doubly", real=True)


def losses(look, rng, size):
    """Mean online losses of the three methods on fresh data, each at its best step size."""
    dimension, rounds, samples = (int(look(name)) for name in ("D", "T", "m"))
    table = []
    for _ in range(size):
        x, y = toy_data(dimension, rounds, rng)
        table.append(
            (
                shrinking_gradient(x, y, samples, rng),
                fixed_random(x, y, samples * rounds, rng),
                doubly_stochastic(x, y, samples, rng),
            )
        )
    return dict(zip(("shrinking", "fixed", "doubly"), numpy.array(table).T, strict=True))


printed = Claim(
    source=NOTES.at("Figure 1"),
    statement=WithProbability(Rational(1, 2), And(shrinking < fixed, shrinking < doubly)),
    given=[Eq(r, m * T), Eq(k, m)],
    parameters={
        D: Choice((550, 600, 650, 700, 750, 800)), T: Choice((200,)), m: Choice((1, 5, 10)),
    },
    draw=Sampled(("shrinking", "fixed", "doubly"), losses, over="the data and the features"),
    undefined={r, k},
    uses=("livni2017/experiment_assumptions:printed", "livni2017/algorithm_1:repaired"),
    reading="The sizes r, k, m, the bound B, the step sizes, the scale of the labels and which "
    "loss is shown are not given, nor what counts as a feature calculated; counted by calls of "
    "the generator the budget is r = k T = m T.",
    cost=400,
)  # fmt: skip
