"""Theorem 1: random feature ridge regression predicts as kernel ridge regression does.

Setting    law of points, features with psi^2 <= b and E_v psi psi = kappa, n independent training
           points, s independent features, a test point of the law of the training points.
Claim      if lambda >= (2 b / sqrt(n)) sqrt(log(s / delta)), then with probability at least
           1 - delta over the training set alone
           E_{x', V}[(f~ - f)^2] <= (4 b / s) ||K^(1/2) (K + n lambda I)^-1 y||^2.
Every target  the same for all targets at once.
Repaired   lambda >= b / 4 makes it hold for every training set: as population moments are at most
           b I, then E_{x'} Delta_1 <= b K~ (K~ + n lambda I)^-2 <= b I / (4 n lambda) <= I / n.
On event   lambda and constants as printed: for every training set the bound holds for the mean
           over those features that satisfy (18), an event of training set and features together.
Over sets  with probability over the training set alone, log(100 s^2 sqrt(n) / delta) in lambda and
           24 for 4 (proof in `_theorem_1`); log(2 s / delta) and 4 are not known to fail.
"""

from sympy import log, sqrt

from boundcheck import Claim, Holds, WithProbability
from boundcheck.expressions import outer, smallest_eigenvalue
from boundcheck.settings.random_features import (
    E_features,
    E_test,
    b,
    delta,
    drawn,
    peak,
    ridge,
    s,
    x,
)

from . import NOTES

n, K, R, R_ = drawn.n, drawn.K, drawn.R, drawn.R_
difference = E_features(E_test((drawn.f_(x) - drawn.f(x)) ** 2))
bound = difference <= 4 * b / s * drawn.norm
CONDITIONS = [peak <= b, ridge >= 2 * b / sqrt(n) * sqrt(log(s / delta))]

printed = Claim(
    NOTES.at("Theorem 1"),
    WithProbability(1 - delta, bound),
    given=CONDITIONS,
    uses=(
        "wang2019/event_18:as_used",
        "wang2019/combination_23:printed",
        "wang2019/delta_2:printed",
        "wang2019/delta_3:printed",
    ),
    reading="The probability is over the training set only, x' and the features are integrated "
    "out; training points are independent, and targets belong to the points.",
    cost=0.25,
)
gap = R_ * drawn.k_(x) - R * drawn.k(x)
every_target = Claim(
    NOTES.at("Theorem 1"),
    WithProbability(
        1 - delta,
        smallest_eigenvalue(4 * b / s * R * K * R - E_features(E_test(outer(gap, gap)))) >= 0,
    ),
    given=CONDITIONS,
    reading="The bound for all targets at once: the two sides are quadratic forms in y, and the "
    "smallest eigenvalue of their difference is not below zero.",
    cost=0.25,
)
repaired = Claim(
    NOTES.at("Theorem 1"),
    Holds(bound),
    given=[peak <= b, ridge >= b / 4],
    cost=2.0,
)


def over_sets(constant, failures, *steps):
    """The bound with a constant, given lambda with a number of failures in the logarithm."""
    return Claim(
        NOTES.at("Theorem 1"),
        WithProbability(1 - delta, difference <= constant * b / s * drawn.norm),
        given=[peak <= b, ridge >= 2 * b / sqrt(n) * sqrt(log(failures / delta))],
        uses=steps,
        cost=1.0,
    )


repaired_level = over_sets(4, 2 * s)
repaired_over_sets = over_sets(
    24, 100 * s**2 * sqrt(n), "wang2019/event_18:printed", "wang2019/lemma_5:printed",
    "wang2019/theorem_1:step_one_feature", "wang2019/theorem_1:step_sizes",
    "wang2019/theorem_1:step_event_over_sets", "wang2019/theorem_1:step_failures",
    "wang2019/theorem_1:step_total",
)  # fmt: skip
