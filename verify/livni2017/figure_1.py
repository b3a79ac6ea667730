"""Figure 1: three random-feature methods at equal feature budget.

Setting    toy data of section 6: D = 550, ..., 800, T = 200, one pass; r features shared by all
           points, k per point, or m per round; step sizes and schedules explored for each.
Claim      with the same number of features Algorithm 1 attains the lowest loss.
"""

import numpy
from sympy import And, symbols

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
lowest = And(shrinking < fixed, shrinking < doubly)


def losses(fixed_features, own_features):
    """Mean online losses of the three methods on fresh data, each at its best step size."""

    def rule(look, rng, size):
        dimension, rounds, samples = (int(look(name)) for name in ("D", "T", "m"))
        table = []
        for _ in range(size):
            x, y = toy_data(dimension, rounds, rng)
            table.append(
                (
                    shrinking_gradient(x, y, samples, rng),
                    fixed_random(x, y, fixed_features(samples, rounds), rng),
                    doubly_stochastic(x, y, own_features(samples, rounds), rng),
                )
            )
        return dict(zip(("shrinking", "fixed", "doubly"), numpy.array(table).T, strict=True))

    return Sampled(("shrinking", "fixed", "doubly"), rule, over="the data and the features")


setting = dict(
    parameters={
        D: Choice((550, 600, 650, 700, 750, 800)), T: Choice((200,)), m: Choice((1, 5, 10)),
    },
    uses=("livni2017/experiment_assumptions:printed", "livni2017/algorithm_1:repaired"),
)  # fmt: skip

printed = Claim(
    source=NOTES.at("Figure 1"),
    statement=WithProbability(0.5, And(shrinking < fixed, m * T <= r, m <= k)),
    draw=losses(lambda m, T: m * T, lambda m, T: m),
    undefined={r, k},
    reading="The sizes r, k, m, the bound B, the step sizes and which loss is shown are not given, "
    "nor what counts as a feature calculated.",
    cost=400,
    **setting,
)

# One way to count: calls of the feature generator, r = k T = m T.
equal_calls = Claim(
    source=NOTES.at("Figure 1, equal calls of the generator"),
    statement=WithProbability(0.5, lowest),
    draw=losses(lambda m, T: m * T, lambda m, T: m),
    reading="Lower in at least half of all data sets; labels scaled to [-1, 1], B = 1, descent "
    "step, loss of f_t before round t, best of 13 step sizes in two schedules for each method.",
    cost=400,
    **setting,
)

# Another: feature values per point, 2 m for Algorithm 1 (x_i and x_t) against r for shared ones.
equal_evaluations = Claim(
    source=NOTES.at("Figure 1, equal evaluations against shared features"),
    statement=WithProbability(0.5, shrinking < fixed),
    draw=losses(lambda m, T: 2 * m, lambda m, T: 1),
    reading="Feature values computed per round: r for shared features, 2 m for Algorithm 1.",
    cost=400,
    **setting,
)
