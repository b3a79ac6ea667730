"""Areas of wrong signs against closed forms; bounds that hold and are narrow; both evaluations."""

import math

import numpy
import pytest

from boundcheck.experiments import areas, averaged_sgd

NODES = 24


def patches(*functions, delta=0.0):
    """Polynomials through the values of functions of (x, y) on [-1, 1]^2."""
    x, y = numpy.meshgrid(areas.nodes(NODES), areas.nodes(NODES), indexing="ij")
    values = numpy.stack([numpy.broadcast_to(f(x, y), x.shape) for f in functions])
    return areas.Patches.through(values, numpy.full(len(functions), delta))


CIRCLE = math.pi * 0.36 / 4  # share of [-1, 1]^2 inside radius 0.6


def shares(found, signs, **options):
    given = {"relative": 0.0, "absolute": 1e-6} | options
    return areas.wrong_shares(found, numpy.array(signs, float), **given)


@pytest.mark.parametrize("compiled", [True, False])
def test_the_area_of_a_circle(compiled, monkeypatch):
    if compiled and not averaged_sgd.has_numba():
        pytest.skip("numba is not installed")
    monkeypatch.setattr(averaged_sgd, "has_numba", lambda: compiled)
    circle = patches(lambda x, y: x**2 + y**2 - 0.36, lambda x, y: x**2 + y**2 - 0.36)
    low, high = shares(circle, [1, -1])
    for least, most, exact in zip(low, high, (CIRCLE, 1 - CIRCLE), strict=True):
        assert least <= exact <= most <= least + 1e-6


def test_lines_and_functions_without_a_zero():
    found = patches(lambda x, y: x + 0.5 * y, lambda x, y: 2 + x * y, lambda x, y: -2 + 0 * x)
    low, high = shares(found, [1, 1, 1])
    assert low == pytest.approx([0.5, 0, 1], abs=1e-9)
    assert (high[1:] == low[1:]).all()  # no doubt at all, not a small one


def test_an_error_of_the_function_widens_the_bounds_by_its_share():
    line = patches(lambda x, y: x, delta=0.01)
    low, high = shares(line, [1])
    # |x| <= 0.01 may be either sign: a strip of width 0.02 out of 2.
    assert low[0] == pytest.approx(0.495, abs=1e-3) and high[0] == pytest.approx(0.505, abs=1e-3)
    assert low[0] <= 0.495 and high[0] >= 0.505


def test_tolerances_are_those_of_a_group():
    pair = (lambda x, y: x**2 + y**2 - 0.36, lambda x, y: x**2 + y**2 - 1e-4)
    low, high = shares(patches(*pair), [1, 1], relative=0.1, absolute=0.0, group=2)
    assert (high - low).sum() <= 0.1 * low.sum()
    assert high[1] - low[1] > 0.1 * low[1]  # the small one needs no precision of its own
    alone = shares(patches(pair[1]), [1], relative=0.1, absolute=0.0)
    assert alone[1][0] - alone[0][0] <= 0.1 * alone[0][0]


def test_shares_of_half_planes_are_those_of_a_fine_grid():
    rng = numpy.random.default_rng(0)
    slope, other, level = rng.uniform(-1, 1, (3, 200))
    level *= 2
    grid = (numpy.arange(200) + 0.5) / 100 - 1
    direct = [
        (a * grid[:, None] + b * grid < c).mean()
        for a, b, c in zip(slope, other, level, strict=True)
    ]
    # A line meets at most 400 cells of 40,000.
    assert abs(areas.negative_share(slope, other, level) - direct).max() <= 400 / 40_000
    assert areas.negative_share(*numpy.zeros((2, 2)), numpy.array([-1.0, 1.0])).tolist() == [0, 1]


def test_interpolation_error_bounds_the_error():
    size, w = 8, 3.0
    x, y = numpy.meshgrid(areas.nodes(size), areas.nodes(size), indexing="ij")
    found = areas.Patches.through(numpy.cos(w * x + w * y)[None], numpy.zeros(1))
    bound = areas.interpolation_error(size, 1.0, *numpy.full((2, 1), w**size))[0]
    points = numpy.linspace(-0.999, 0.999, 101)
    table, _ = areas.basis(points, size)
    exact = numpy.cos(w * points[:, None] + w * points)
    apart = abs(table @ found.coefficients[0] @ table.T - exact).max()
    assert bound / 20 < apart <= bound


@pytest.mark.parametrize("tolerance", [1e-2, 1e-4])
def test_mean_losses_are_within_their_bound(tolerance):
    found = patches(lambda x, y: 2 * x, lambda x, y: 0 * x)
    signs = numpy.array([-1.0, 1.0])
    mean, bound = areas.logistic_means(found, signs, 0.8, tolerance)
    fine = numpy.linspace(-1, 1, 200_001)
    fine = (fine[1:] + fine[:-1]) / 2
    margin = -2 * fine
    exact = (0.8 * numpy.logaddexp(0, -margin) + 0.2 * numpy.logaddexp(0, margin)).mean()
    assert abs(mean[0] - exact) <= bound[0] <= tolerance
    assert mean[1] == pytest.approx(math.log(2), abs=1e-12)
