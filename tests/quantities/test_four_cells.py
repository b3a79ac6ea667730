"""The four-squares law: quadrature, norms and simulated curves."""

import numpy
import pytest
from flint import arb, fmpq

from boundcheck.quantities.four_cells import (
    cell_margin,
    feature_curves,
    interpolation_norm,
    kernel_curves,
    positive_cell,
    quadrature,
    regularisation_distance,
)


def test_quadrature_integrates_polynomials_of_the_law():
    grid, mass = quadrature(5)
    assert mass.sum() == pytest.approx(1, abs=1e-14)
    # E x^2 over [.1, 1] is (1 - .001) / 2.7.
    assert (mass * grid[:, 0] ** 2).sum() == pytest.approx(0.999 / 2.7, abs=1e-14)
    assert (mass * positive_cell("cross", grid)).sum() == pytest.approx(0.5, abs=1e-14)


def test_margin_is_exact():
    assert cell_margin() == fmpq(3, 10)


def test_norm_of_two_opposite_points_by_hand():
    norm = interpolation_norm(1, fmpq(1), arb(1))
    expected = (2 / (1 - (arb(fmpq(-1, 50)).exp()))).sqrt()
    # Both are balls at 53 bits after a condition number of about 100.
    assert norm.overlaps(expected)


def test_norms_grow_without_end():
    values = [float(interpolation_norm(k, fmpq(1, 2), arb(1)).mid()) for k in (1, 2, 4, 8)]
    assert values[2] > 10 * values[1] and values[3] > 10 * values[2]


def test_enclosure_of_the_minimiser_is_narrow():
    ball = regularisation_distance("half", 0.5, fmpq(1, 1000), 4)
    assert float(ball.rad()) < 1e-6
    assert 0.5 < float(ball.mid()) < 2


def test_curves_fall_and_are_reproducible():
    first = feature_curves(numpy.random.default_rng(1), "half", 0.5, 50, 3, (20, 400))
    again = feature_curves(numpy.random.default_rng(1), "half", 0.5, 50, 3, (20, 400))
    assert numpy.array_equal(first[0], again[0])
    assert first[1][:, 1].mean() < first[1][:, 0].mean()
    full = kernel_curves(numpy.random.default_rng(1), "half", 0.5, 2, (20, 400))
    assert full.shape == (2, 2) and full[:, 1].mean() < 0.05
