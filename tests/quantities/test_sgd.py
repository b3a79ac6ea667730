"""The recursion of averages: against the weights it stands for, and exact against floats."""

import numpy
import pytest
from flint import fmpq

from boundcheck.errors import Undefined
from boundcheck.exact import to_float
from boundcheck.quantities import sgd


@pytest.mark.parametrize("gamma", [fmpq(0), fmpq(1, 3), fmpq(500)])
def test_the_recursion_reproduces_the_weights_exactly_and_in_floats(gamma):
    rng = numpy.random.default_rng(0)
    for T in range(1, 8):
        weights = [2 * (gamma + t) / ((2 * gamma + T) * (T + 1)) for t in range(T + 1)]
        iterates = tuple(fmpq(int(v), 7) for v in rng.integers(-50, 50, T + 1))
        average = sgd.recursive_average(iterates, gamma)
        assert average == sum((w * b for w, b in zip(weights, iterates, strict=True)), fmpq(0))
        floats = numpy.array([[to_float(v) for v in iterates]] * 2)
        estimate = sgd.recursive_average.estimator(floats, numpy.array([to_float(gamma)] * 2))
        # T steps of convex combinations of numbers below 10: an error of 10^-13 at most.
        assert estimate == pytest.approx([to_float(average)] * 2, abs=1e-13)


def test_a_vanishing_normaliser_is_no_value():
    with pytest.raises(Undefined):
        sgd.recursive_average((fmpq(1), fmpq(2)), fmpq(-1, 2))
