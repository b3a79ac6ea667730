"""Least variance proxies against closed forms and against values of the generating function."""

import itertools
import math

import numpy
import pytest
from flint import arb, fmpq, fmpq_mat

from boundcheck.settings.subgaussian import largest_proxy, variance_proxy

HALF = fmpq(1, 2)
SIGNS = fmpq_mat([[a, b] for a, b in itertools.product((1, -1), repeat=2)])


def floats(points, weights):
    table = [[float(x.p) / float(x.q) for x in row] for row in points.tolist()]
    return numpy.array(table), numpy.array([float(w.p) / float(w.q) for w in weights])


@pytest.mark.parametrize("chance", [2, 3, 10, 200])
def test_two_values_have_the_proxy_of_kearns_and_saul(chance):
    q = 1 / chance
    known = 0.25 if q == 0.5 else (1 - 2 * q) / (2 * math.log((1 - q) / q))
    weights = (1 - fmpq(1, chance), fmpq(1, chance))
    found = variance_proxy(fmpq_mat([[3], [5]]), weights)
    assert float(found.lower()) <= 4 * known <= float(found.upper())
    assert float(found.rad()) < 0.001 * known * 4
    # Floats look at lengths a factor 1.23 apart, at which a flat maximum loses below a hundredth.
    assert variance_proxy.batch(*floats(fmpq_mat([[3], [5]]), weights)) == pytest.approx(
        4 * known, rel=0.01
    )


def test_a_constant_has_none_and_signs_have_one_in_every_direction():
    assert variance_proxy(fmpq_mat([[2, 1], [2, 1]]), (HALF, HALF)) == 0
    found = variance_proxy(SIGNS, (fmpq(1, 4),) * 4)
    assert found.contains(1) and float(found.rad()) < 0.02


def test_no_argument_of_the_generating_function_exceeds_the_proxy():
    rng = numpy.random.default_rng(4)
    for seed in range(3):
        points = fmpq_mat(3, 2, [fmpq(int(x), 4) for x in rng.integers(-8, 9, 6)])
        weights = tuple(fmpq(w, 7) for w in ((1, 2, 4), (5, 1, 1), (2, 2, 3))[seed])
        found, (values, chances) = variance_proxy(points, weights), floats(points, weights)
        centred = values - chances @ values
        a = rng.normal(size=(4000, 2)) * rng.uniform(0.05, 4, size=(4000, 1))
        ratios = 2 * numpy.log(numpy.exp(a @ centred.T) @ chances) / (a**2).sum(1)
        top = numpy.linalg.eigvalsh((centred * chances[:, None]).T @ centred)[-1]
        assert max(ratios.max(), top) <= float(found.upper())
        assert max(ratios.max(), top) >= 0.9 * float(found.lower())
        assert float(found.rad()) < 0.05 * float(found.mid())


def test_independent_coordinates_have_the_largest_of_theirs():
    table = fmpq_mat([[0, 1], [0, 4]])
    laws = ((HALF, HALF), (HALF, HALF))
    found = largest_proxy(table, laws)
    assert arb(found).contains(4) and float(arb(found).rad()) < 0.01
    assert largest_proxy(fmpq_mat([[1, 1]]), ((HALF, HALF),)) == 0
    chances = numpy.array([[0.5, 0.5]] * 2)
    assert largest_proxy.batch(floats(table, laws[0])[0], chances) == pytest.approx(4, rel=0.01)
