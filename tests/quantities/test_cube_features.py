"""Closed forms on the cube against matrices built from a finite law of features."""

from itertools import product

import numpy
import pytest

from boundcheck.exact import to_float
from boundcheck.quantities.cube_features import (
    characteristic,
    cube_difference,
    leading_difference,
    linear_norm,
)


def features(d, values):
    """Every (w, beta): entries of w from a symmetric list, five phases.

    Products of four cosines have harmonics of the phase up to four, which five points average out.
    """
    vertices = numpy.array(list(product((-1, 1), repeat=d)), dtype=float)
    columns = [
        numpy.sqrt(2) * numpy.cos(vertices @ numpy.array(w) + 2 * numpy.pi * k / 5)
        for w in product([*values, *(-v for v in values)], repeat=d)
        for k in range(5)
    ]
    return vertices, numpy.array(columns)


@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize("ridge", [0.01, 0.3])
def test_both_forms_agree_with_matrices(d, ridge):
    values = (0.3, 1.1)
    vertices, columns = features(d, values)
    count = len(vertices)
    operator = columns.T @ columns / len(columns) / count
    system = operator + ridge * numpy.eye(count)
    y = vertices[:, 0]
    alpha = numpy.linalg.solve(system, y)
    images = columns * (columns @ alpha)[:, None] / count - operator @ alpha
    errors = ridge * numpy.linalg.solve(system, images.T)
    expected = (errors**2).sum() / len(columns) / count
    at_2, at_4 = (numpy.mean([numpy.cos(t * v) for v in values]) for t in (2, 4))
    # Sums of at most 2^3 * 4^3 * 5 terms of order one in double precision.
    assert leading_difference(at_2, at_4, d, ridge) == pytest.approx(expected, rel=1e-10)
    norm = alpha @ operator @ alpha / count
    assert linear_norm(at_2, d, ridge) == pytest.approx(norm, rel=1e-10)


def test_bandwidths_are_the_average_distances():
    """Vertices of the square: squared distances 0, 4, 4, 8 and l1 distances 0, 2, 2, 4."""
    assert to_float(characteristic("RBF", 2, 2)) == pytest.approx(numpy.exp(-4 / (2 * 4)))
    assert to_float(characteristic("Laplace", 2, 2)) == pytest.approx(numpy.exp(-2 / 2))


def test_exact_value_is_a_ball_around_the_float():
    at_2, at_4 = numpy.exp(-4 / (4 * 8)), numpy.exp(-16 / (4 * 8))
    expected = leading_difference(at_2, at_4, 8, 1 / 20)
    assert to_float(cube_difference("RBF", 8, 400, 1)) == pytest.approx(expected, rel=1e-9)
