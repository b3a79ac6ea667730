"""Ridge predictions and their mean squared difference, by independent routes."""

import itertools
import math

import numpy as np
import pytest
from flint import fmpq, fmpq_mat

from boundcheck.errors import Undefined
from boundcheck.quantities import ridge as R
from boundcheck.quantities.operators import dot, entries

PHI = fmpq_mat(3, 2, [1, fmpq(1, 3), -1, 2, 0, fmpq(1, 2)])
RHO = (fmpq(1, 2), fmpq(1, 3), fmpq(1, 6))
TAU = (fmpq(1, 4), fmpq(3, 4))
SAMPLE, Y, LAMBDA = (0, 1, 1), (fmpq(1), fmpq(-2), fmpq(1, 2)), fmpq(1, 7)


def floats(values):
    return np.array([int(v.p) / int(v.q) for v in map(fmpq, values)])


PHI_F = floats(PHI.entries()).reshape(3, 2)


@pytest.mark.parametrize("test", range(3))
@pytest.mark.parametrize("features", [(0,), (1, 1), (0, 1, 1, 0)])
def test_dual_prediction_equals_primal_prediction(features, test):
    s = len(features)
    rows = fmpq_mat(3, s, [PHI[a, k] for a in SAMPLE for k in features])
    # sqrt(s) times the primal features with lambda times s predict the same.
    row = [PHI[test, k] for k in features]
    primal = R.primal_prediction(rows, Y, LAMBDA * s, row)
    assert primal == R.dual_prediction(rows, Y, LAMBDA * s, row)
    assert primal == R.rfm_prediction(PHI, features, SAMPLE, Y, LAMBDA, test)


def test_minimiser_has_zero_gradient():
    rows = fmpq_mat(3, 2, PHI.entries())
    weights = R.ridge_minimiser(rows, Y, LAMBDA)
    step = fmpq(1, 1000)
    at = R.ridge_objective(rows, Y, LAMBDA, weights)
    for k in range(2):
        moved = [w + (step if j == k else 0) for j, w in enumerate(weights)]
        back = [w - (step if j == k else 0) for j, w in enumerate(weights)]
        up = R.ridge_objective(rows, Y, LAMBDA, moved)
        down = R.ridge_objective(rows, Y, LAMBDA, back)
        # A quadratic has equal differences on both sides exactly where its gradient is zero.
        assert up == down > at


def test_feature_draws_are_a_probability_law():
    law = list(R.feature_draws(TAU, 4))
    assert sum((p for p, _ in law), fmpq(0)) == 1
    assert all(sum(counts) == 4 for _, counts in law)
    mean = sum((p * counts[1] for p, counts in law), fmpq(0))
    assert mean == 3


def test_mean_over_draws_equals_mean_over_sequences():
    s = 3
    total = fmpq(0)
    for features in itertools.product(range(2), repeat=s):
        chance = math.prod((TAU[k] for k in features), start=fmpq(1))
        for test, weight in enumerate(RHO):
            gap = R.squared_difference(PHI, TAU, features, SAMPLE, Y, LAMBDA, test)
            total += chance * weight * gap
    assert total == R.mean_squared_difference(PHI, RHO, TAU, SAMPLE, Y, s, LAMBDA)


def test_estimator_agrees_with_definition():
    samples = np.array([SAMPLE, (2, 2, 0)])
    estimate = R.mean_squared_difference.estimator(
        PHI_F, floats(RHO), floats(TAU), samples, floats(Y), 2, 1 / 7
    )
    exact = [
        R.mean_squared_difference(PHI, RHO, TAU, tuple(map(int, row)), Y, 2, LAMBDA)
        for row in samples
    ]
    # Systems of size 3 with condition number below 100: errors stay below 1e-13 relative.
    np.testing.assert_allclose(estimate, floats(exact), rtol=1e-12)


def test_forms_in_the_targets():
    column = fmpq_mat(3, 1, list(Y))
    form = R.difference_form(PHI, RHO, TAU, SAMPLE, 2, LAMBDA)
    direct = R.mean_squared_difference(PHI, RHO, TAU, SAMPLE, Y, 2, LAMBDA)
    assert (column.transpose() * form * column)[0, 0] == direct
    norm = R.norm_form(PHI, TAU, SAMPLE, LAMBDA)
    expected = R.training_norm(PHI, TAU, SAMPLE, Y, LAMBDA)
    assert (column.transpose() * norm * column)[0, 0] == expected


def test_in_sample_difference_weights_training_points_by_how_often_they_occur():
    direct = sum(
        (
            p * R.squared_difference(PHI, TAU, _sequence(counts), SAMPLE, Y, LAMBDA, a) / 3
            for p, counts in R.feature_draws(TAU, 2)
            for a in SAMPLE
        ),
        fmpq(0),
    )
    assert direct == R.in_sample_difference(PHI, TAU, SAMPLE, Y, 2, LAMBDA)


def _sequence(counts):
    return tuple(k for k, number in enumerate(counts) for _ in range(number))


def test_terms_of_the_decomposition():
    features, test = (0, 1), 2
    term = R.feature_term(PHI, features, SAMPLE, LAMBDA, test)
    assert term.rank() <= 1
    gram = R.training_gram(PHI, TAU, SAMPLE)
    alpha = R.ridge_solution(gram, Y, LAMBDA)
    assert R.shifted(gram, LAMBDA) * alpha == fmpq_mat(3, 1, list(Y))
    assert R.training_norm(PHI, TAU, SAMPLE, Y, LAMBDA) == R.ridge_norm(gram, alpha)
    image = entries(gram * alpha)
    assert R.square_norm(PHI, TAU, SAMPLE, Y, LAMBDA) == dot(image, image)
    terms = [R.vector_gap_term(PHI, TAU, features, SAMPLE, Y, LAMBDA, a) for a in range(3)]
    mean = R.mean_vector_gap(PHI, RHO, TAU, features, SAMPLE, Y, LAMBDA)
    assert mean == dot(RHO, terms)


def test_a_singular_system_has_no_solution():
    with pytest.raises(Undefined, match="singular"):
        R.ridge_solution(fmpq_mat(2, 2), (fmpq(1), fmpq(1)), fmpq(0))
