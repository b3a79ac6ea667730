"""Theorem 1: random feature ridge regression predicts as kernel ridge regression does.

Setting    law of points, features with psi^2 <= b and E_v psi psi = kappa, n independent training
           points, s independent features, a test point of the law of the training points.
Claim      if lambda >= (2 b / sqrt(n)) sqrt(log(s / delta)), then with probability at least
           1 - delta over the training set alone
           E_{x', V}[(f~ - f)^2] <= (4 b / s) ||K^(1/2) (K + n lambda I)^-1 y||^2.
Every target  the same for all targets at once.
Repaired   lambda >= b / 4 makes it hold for every training set: as population moments are at most
           b I, then E_{x'} Delta_1 <= b K~ (K~ + n lambda I)^-2 <= b I / (4 n lambda) <= I / n.
"""

from sympy import log, sqrt, symbols

from boundcheck import Claim, Holds, WithProbability
from boundcheck.claim import Rescaling
from boundcheck.quantities import quantity
from boundcheck.quantities.features import peak
from boundcheck.quantities.operators import smallest_eigenvalue
from boundcheck.quantities.ridge import (
    difference_form,
    labels,
    mean_squared_difference,
    norm_form,
    ridge_norm,
    ridge_solution,
    training_gram,
)
from boundcheck.worlds import Choice, Indices, Integer, Real, Vector

from . import (
    BOUNDS,
    LEVELS,
    NOTES,
    b,
    delta,
    designs,
    least_ridge,
    mse,
    n,
    norm,
    ridge,
    s,
    top,
    unit,
)

WORLDS = designs().and_fields(
    targets=Vector("m", -2, 2),
    n=Choice((1, 1, 1, 2, 3)),
    s=Choice((1, 1, 2)),
    b=BOUNDS,
    delta=LEVELS,
    **{"lambda": least_ridge(2)},
)
TRAINING = Indices("sample", "rho", "n", over="the training set")


def _norm_estimate(phi, tau, sample, targets, lambda_):
    import numpy

    table = (phi * tau) @ phi.T
    gram = table[sample[..., :, None], sample[..., None, :]]
    size = sample.shape[-1]
    system = gram + size * lambda_ * numpy.eye(size)
    alpha = numpy.linalg.solve(system, targets[sample][..., None])
    return (numpy.swapaxes(alpha, -1, -2) @ gram @ alpha)[..., 0, 0]


@quantity(estimator=_norm_estimate)
def right_side(phi, tau, sample, targets, lambda_):
    """||K^(1/2) (K + n lambda I)^-1 y||^2 for targets that belong to the points."""
    gram = training_gram(phi, tau, sample)
    return ridge_norm(gram, ridge_solution(gram, labels(targets, sample), lambda_))


def _difference_estimate(phi, rho, tau, sample, targets, s, lambda_):
    y = targets[sample]
    return mean_squared_difference.estimator(phi, rho, tau, sample, y, s, lambda_)


@quantity(estimator=_difference_estimate)
def difference(phi, rho, tau, sample, targets, s, lambda_):
    """E over x' and the features of (f~ - f)^2."""
    y = labels(targets, sample)
    return mean_squared_difference(phi, rho, tau, sample, y, s, lambda_)


least = symbols("least", real=True)


def smallest_gap(phi, rho, tau, sample, b, s, lambda_):
    """Smallest eigenvalue of (4 b / s) N - M, the forms in y of the two sides."""
    bound = norm_form(phi, tau, sample, lambda_) * (4 * b / s)
    gap = bound - difference_form(phi, rho, tau, sample, s, lambda_)
    return gap[0, 0] if gap.nrows() == 1 else smallest_eigenvalue(gap)


MEASURE = {mse: difference, norm: right_side, top: peak}
BOUND = mse <= 4 * b / s * norm

printed = Claim(
    source=NOTES.at("Theorem 1"),
    statement=WithProbability(1 - delta, BOUND),
    given=[unit, top <= b, ridge >= 2 * b / sqrt(n) * sqrt(log(s / delta))],
    worlds=WORLDS,
    measure=MEASURE,
    draw=TRAINING,
    rescalings=(
        Rescaling("features by s, b and lambda by s^2", {"phi": 1, "b": 2, "lambda": 2}),
        Rescaling("targets by s", {"targets": 1}),
    ),
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

every_target = Claim(
    source=NOTES.at("Theorem 1"),
    statement=WithProbability(1 - delta, least >= 0),
    given=[unit, top <= b, ridge >= 2 * b / sqrt(n) * sqrt(log(s / delta))],
    worlds=WORLDS,
    measure={least: smallest_gap, top: peak},
    draw=TRAINING,
    reading="The bound for all targets at once: the worst ones are an eigenvector of the gap "
    "between the two quadratic forms in y.",
    cost=0.25,
)

repaired = Claim(
    source=NOTES.at("Theorem 1"),
    statement=Holds(BOUND),
    given=[top <= b, ridge >= b / 4],
    worlds=designs().and_fields(targets=Vector("m", -2, 2)),
    parameters={
        n: Integer(1, searched=3), s: Integer(1, searched=2), b: Real(0, None, open_low=True),
        ridge: Real(0, None, open_low=True),
    },
    measure=MEASURE,
    draw=TRAINING,
    cost=2.0,
)
