"""Moments of features and the exact law of sign features on the circle."""

import itertools
import math

import numpy as np
import pytest
from flint import arb, fmpq, fmpq_mat

from boundcheck.quantities import features as F
from boundcheck.quantities.operators import operator_norm

PHI = fmpq_mat(3, 2, [1, fmpq(1, 3), -1, 2, 0, fmpq(1, 2)])
RHO = (fmpq(1, 2), fmpq(1, 3), fmpq(1, 6))
ANGLES = (fmpq(0), fmpq(1, 7), fmpq(2, 5), fmpq(9, 10))


def floats(values):
    return np.array([float(arb(v).mid()) for v in values])


def test_empirical_moment_is_unbiased():
    total = fmpq_mat(2, 2)
    for sample in itertools.product(range(3), repeat=2):
        chance = RHO[sample[0]] * RHO[sample[1]]
        total += F.empirical_moment(PHI, sample) * chance
    assert total == F.population_moment(PHI, RHO)


def test_centred_square_is_the_variance():
    mean = F.population_moment(PHI, RHO)
    raw = fmpq_mat(2, 2)
    for a, weight in enumerate(RHO):
        outer = F.outer_of_row(PHI, a)
        raw += outer * outer * weight
    assert F.centred_square(PHI, RHO) == raw - mean * mean


@pytest.mark.parametrize("quantity", [F.moment_deviation, F.moment_excess])
def test_moment_estimators_agree_with_definitions(quantity):
    samples = np.array([(0, 1, 1), (2, 2, 0)])
    phi = floats(PHI.entries()).reshape(3, 2)
    estimate = quantity.estimator(phi, floats(RHO), samples)
    exact = floats([quantity(PHI, RHO, tuple(map(int, row))) for row in samples])
    # Symmetric 2 x 2 eigenproblems of size one: backward error of a few units of 1e-16.
    np.testing.assert_allclose(estimate, exact, atol=1e-13)


def test_worst_excess_is_the_largest_over_feature_draws():
    tau = (fmpq(1, 2), fmpq(1, 2))
    draws = [(0, 0), (0, 1), (1, 1)]
    singles = [F.drawn_excess(PHI, RHO, features, (0, 1)) for features in draws]
    worst = F.worst_moment_excess(PHI, RHO, tau, 2, (0, 1))
    assert float(arb(worst).mid()) == pytest.approx(max(floats(singles)), abs=1e-13)


def test_circle_patterns_average_to_the_kernel():
    law = F.circle_patterns(ANGLES)
    assert sum((p for p, _ in law), fmpq(0)) == 1
    size = len(ANGLES)
    mean = fmpq_mat(size, size)
    for p, signs in law:
        mean += fmpq_mat(size, size, [u * v for u in signs for v in signs]) * p
    assert mean == F.circle_kernel(ANGLES)


def test_circle_kernel_is_the_arcsine_kernel():
    gram = F.circle_kernel(ANGLES)
    for i, j in itertools.combinations(range(len(ANGLES)), 2):
        cosine = math.cos(2 * math.pi * float(arb(ANGLES[i] - ANGLES[j]).mid()))
        expected = 2 / math.pi * math.asin(cosine)
        # asin loses accuracy near 1 only; cosines here stay below 0.82, so 1e-14 is generous.
        assert float(arb(gram[i, j]).mid()) == pytest.approx(expected, abs=1e-14)


def test_norm_of_a_repeated_draw():
    assert float(operator_norm(F.drawn(PHI, (2, 0))).mid()) == pytest.approx(2.0)
