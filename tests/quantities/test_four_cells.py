"""The four-squares law: quadrature, norms, regularised minimisers."""

from itertools import pairwise

import numpy
import pytest
from flint import arb, fmpq
from sympy import Integer, Rational

from boundcheck import exact
from boundcheck.expressions import batch, parameter
from boundcheck.expressions.scope import unknown
from boundcheck.quantities.four_cells import (
    gaussian_kernel,
    minimiser_coefficients,
    positive_cell,
    quadrature,
    regularisation_distance,
)
from boundcheck.settings import four_squares
from boundcheck.worlds import Integer as Integers

K = parameter("k", Integers(1, searched=9))


def value(expression, **names):
    return arb(exact.compiled(expression)(names.__getitem__))


def jump_norm(k, width, gap):
    return value(four_squares.jump_norm(K, width, gap, Integer(1)), k=k)


def test_quadrature_integrates_polynomials_of_the_law():
    grid, mass = quadrature(5)
    assert mass.sum() == pytest.approx(1, abs=1e-14)
    # E x^2 over [.1, 1] is (1 - .001) / 2.7.
    assert (mass * grid[:, 0] ** 2).sum() == pytest.approx(0.999 / 2.7, abs=1e-14)
    assert (mass * positive_cell("cross", grid)).sum() == pytest.approx(0.5, abs=1e-14)


def test_jump_norm_is_below_the_norm_of_every_interpolant():
    # 0 at nine points of [-1, 0] and 1 at 1/2: the interval has as good as been prescribed.
    width, gap = 0.5, 0.5
    points = numpy.concatenate([numpy.linspace(-1, 0, 9), [gap]])
    gram = numpy.exp(-((points[:, None] - points) ** 2) / (2 * width**2))
    values = numpy.zeros(10)
    values[-1] = 1
    norm = float(values @ numpy.linalg.solve(gram, values)) ** 0.5
    low = [float(jump_norm(k, Rational(1, 2), Rational(1, 2)).mid()) for k in (1, 2, 3)]
    assert low[0] == pytest.approx(1) and low[1] == pytest.approx(2 / 3**0.5)
    assert max(low) < norm


def test_jump_norms_double_from_the_stated_order_on():
    for width in (Rational(1, 5), Integer(1)):
        first = int(8 / (25 * width**2)) + 1
        values = [float(jump_norm(k, width, Rational(1, 5)).mid()) for k in range(first, first + 9)]
        assert all(b >= 2 * a for a, b in pairwise(values))
    gap = Rational(1, 5)
    assert jump_norm(1, gap, gap) > jump_norm(2, Rational(1, 10), gap)


@pytest.mark.parametrize("width", [0.4, 1.0])
def test_bounds_at_the_corner_hold_for_a_quadrature_law(width):
    lambda_, (grid, _) = Rational(1, 1000), quadrature(8)
    c = minimiser_coefficients("cross", width, 0.001, 8)
    norm = float(c @ gaussian_kernel(grid, grid, width) @ c) ** 0.5
    # A symmetric law with the same margin: the same stationarity and the same symmetry.
    most = value(four_squares.norm_bound.of(lambda_))
    ceiling = float(most.upper())
    assert norm <= ceiling < 10
    floats = batch.compiled(four_squares.norm_bound.of(lambda_))(unknown)
    assert float(floats) == pytest.approx(ceiling, rel=1e-12)
    corner = gaussian_kernel(numpy.array([[0.1, 0.1]]), grid, width)[0] @ c
    distance = four_squares.corner_distance(Rational(round(10 * width), 10), lambda_)
    least = float(value(distance, norm_bound=most).lower())
    assert least <= numpy.log(4) - abs(corner)
    assert least > numpy.log(4) / 2


def test_enclosure_of_the_minimiser_is_narrow():
    ball = regularisation_distance("half", 0.5, fmpq(1, 1000), 4)
    assert float(ball.rad()) < 1e-6
    assert 0.5 < float(ball.mid()) < 2
