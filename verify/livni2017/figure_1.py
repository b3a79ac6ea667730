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
from boundcheck.worlds import Choice, Integer, Sampled

from . import NOTES, T, m

D, r, k, shrinking, fixed, doubly = symbols("D r k shrinking fixed doubly", real=True)
features_fixed, features_doubly, features_shrinking = symbols(
    "features_fixed features_doubly features_shrinking", real=True
)


def losses(look, rng, size):
    """Mean online losses of the three methods on fresh data, each at its best step size."""
    names = ("D", "T", "m", "r", "k")
    dimension, rounds, samples, shared, own = (int(look(name)) for name in names)
    table = []
    for _ in range(size):
        x, y = toy_data(dimension, rounds, rng)
        table.append(
            (
                shrinking_gradient(x, y, samples, rng),
                fixed_random(x, y, shared, rng),
                doubly_stochastic(x, y, own, rng),
            )
        )
    return dict(zip(("shrinking", "fixed", "doubly"), numpy.array(table).T, strict=True))


printed = Claim(
    source=NOTES.at("Figure 1"),
    statement=WithProbability(Rational(1, 2), And(shrinking < fixed, shrinking < doubly)),
    given=[Eq(features_fixed, features_shrinking), Eq(features_doubly, features_shrinking)],
    parameters={
        D: Choice((550, 600, 650, 700, 750, 800)), T: Choice((200,)), m: Integer(1, 200),
        r: Integer(1, 40_000), k: Integer(1, 200),
    },
    draw=Sampled(("shrinking", "fixed", "doubly"), losses, over="the data and the features"),
    undefined={features_fixed, features_doubly, features_shrinking},
    uses=("livni2017/experiment_assumptions:printed", "livni2017/algorithm_1:repaired"),
    reading="r, k and m are chosen so that equally many features are calculated, but neither their "
    "values nor what counts as one are given: draws of w or values psi(x; w), per point or in the "
    "whole pass. The step sizes, B, the scale of the labels and which loss is shown are open too.",
    cost=400,
)  # fmt: skip
