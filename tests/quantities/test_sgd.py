"""Averaging: weights, the recursion and the counts of operations."""

import numpy
import pytest
from flint import fmpq

from boundcheck.errors import Undefined
from boundcheck.exact import to_float
from boundcheck.quantities import sgd


@pytest.mark.parametrize("gamma", [fmpq(0), fmpq(1, 3), fmpq(500)])
def test_weights_sum_to_one_and_the_recursion_reproduces_them(gamma):
    rng = numpy.random.default_rng(0)
    for horizon in range(1, 8):
        assert sum(sgd.averaging_weights(horizon, gamma), fmpq(0)) == 1
        iterates = tuple(fmpq(int(v), 7) for v in rng.integers(-50, 50, horizon + 1))
        average = sgd.weighted_average(iterates, gamma)
        assert average == sgd.recursive_average(iterates, gamma)
        floats = numpy.array([to_float(v) for v in iterates])
        estimate = sgd.weighted_average.estimator(floats, to_float(gamma))
        assert estimate == pytest.approx(to_float(average))


def test_a_vanishing_normaliser_is_no_value():
    with pytest.raises(Undefined):
        sgd.averaging_weight(1, 1, fmpq(-1, 2))


def test_costs_of_a_pass_are_sums_over_steps():
    assert sgd.kernel_total(10) == sum(sgd.kernel_evaluations(t) for t in range(1, 11))
    assert sgd.feature_total(4, 10) == sum(sgd.feature_evaluations(4) for _ in range(10))
