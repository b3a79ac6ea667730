"""Draws of features and ridge predictions at all points."""


import pytest
from flint import fmpq, fmpq_mat

from boundcheck.errors import Undefined
from boundcheck.quantities import ridge as R
from boundcheck.quantities.operators import diagonal

TAU = (fmpq(1, 4), fmpq(3, 4))


def test_feature_draws_are_a_probability_law():
    law = list(R.feature_draws(TAU, 4))
    assert sum((p for p, _ in law), fmpq(0)) == 1
    assert all(sum(counts) == 4 for _, counts in law)
    mean = sum((p * counts[1] for p, counts in law), fmpq(0))
    assert mean == 3


def test_a_singular_system_has_no_solution():
    with pytest.raises(Undefined, match="singular"):
        R.ridge_solution(fmpq_mat(2, 2), (fmpq(1), fmpq(1)), fmpq(0))


def test_predictions_solve_the_ridge_problem_at_the_training_points():
    table, sample, y = fmpq_mat(2, 2, [2, 1, 1, 3]), (1, 0), (fmpq(1), fmpq(-2))
    ridge = fmpq(1, 7)
    alpha = R.ridge_solution(R.block(table, sample, sample), y, ridge)
    fitted = R.predictions(table, sample, y, ridge)
    for place, at in enumerate(sample):
        assert fitted[at, 0] + 2 * ridge * alpha[place, 0] == y[place]


def test_the_drawn_table_is_unbiased():
    phi = fmpq_mat(2, 2, [1, 2, -1, 3])
    mean = fmpq_mat(2, 2)
    for chance, counts in R.feature_draws(TAU, 2):
        mean += R.table_of_counts(phi, counts) * chance
    assert mean == phi * diagonal(TAU) * phi.transpose()
