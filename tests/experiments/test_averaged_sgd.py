"""Both loops of averaged SGD against the printed recursion, features against their kernels."""

import math

import numpy
import pytest

from boundcheck.experiments import averaged_sgd as sgd

SINGLE = 2.0**-24  # unit roundoff of float32
WIDTH, GAMMA, LAMBDA = 0.5, 40.0, 0.05
LOOPS = [False, pytest.param(True, marks=pytest.mark.skipif(
    not sgd.has_numba(), reason="numba is not installed"))]  # fmt: skip


def data(rng, iterations):
    """Points and labels of one run."""
    points = rng.uniform(-1, 1, (iterations, 2)).astype(numpy.float32)
    return points, rng.integers(0, 2, iterations) * 2.0 - 1


def naive(phi, labels, schedule):
    """One run step by step in double precision on scaled features: averages at the checkpoints."""
    g, total, mass = numpy.zeros(phi.shape[1]), numpy.zeros(phi.shape[1]), 2 * schedule.gamma
    averages = []
    for t in range(1, schedule.iterations + 1):
        eta = 2 / (schedule.lambda_ * (schedule.gamma + t))
        slope = -labels[t - 1] / (1 + math.exp(labels[t - 1] * (phi[t - 1] @ g)))
        g = (1 - eta * schedule.lambda_) * g - eta * slope * phi[t - 1]
        total = total + 2 * (schedule.gamma + t) * g  # weight of g_{t+1} up to a factor 2
        mass += 2 * (schedule.gamma + t)
        if t in schedule.checkpoints:
            averages.append(total / mass)
    return numpy.array(averages)


FEATURES = {
    "complex": lambda rng: sgd.FourierFeatures.draw(rng, 20, WIDTH, real=False),
    "real": lambda rng: sgd.FourierFeatures.draw(rng, 21, WIDTH, real=True),
    "taylor": lambda rng: sgd.TaylorFeatures(WIDTH, 8),
}


@pytest.mark.parametrize("compiled", LOOPS)
@pytest.mark.parametrize("kind", FEATURES)
def test_loops_follow_the_recursion(kind, compiled):
    rng = numpy.random.default_rng(0)
    features = FEATURES[kind](rng)
    points, labels = data(rng, 150)
    schedule = sgd.Schedule(GAMMA, LAMBDA, 150, (1, 10, 64, 65, 150))
    found = sgd.run(points, labels, features, schedule, compiled=compiled)
    assert found.shape == (5, *features.shape)
    root = features.weight**0.5
    phi = features(points.astype(float)) * root
    expected = naive(phi, labels, schedule) * root  # on unscaled features
    # With features wrong by e each, |phi| <= r by e' = e D^(1/2) root: every iterate has norm at
    # most r / lambda, so a slope is wrong by r e' / (2 lambda), and a step by that and e'.
    reach, size = numpy.linalg.norm(phi, axis=1).max(), phi.shape[1]
    error = features.feature_error() if kind != "taylor" else 1e-15 * 150
    wrong = error * root * size**0.5
    tol = wrong * (1 + reach**2 / (2 * LAMBDA)) / LAMBDA * root
    assert abs(found.reshape(5, -1) - expected).max() <= tol
    # Without the weight of g_1 the first average would double.
    assert tol < abs(expected[0]).max() / 20


@pytest.mark.skipif(not sgd.has_numba(), reason="numba is not installed")
@pytest.mark.parametrize("width", [0.1, 0.5])
def test_compiled_cosines_are_within_their_stated_error(width):
    from boundcheck.experiments.compiled import turn_cosines

    rng = numpy.random.default_rng(1)
    features = sgd.FourierFeatures.draw(rng, 5000, width, real=True)
    point = numpy.array([0.73, -0.41], numpy.float32)
    found = numpy.empty(5000, numpy.float32)
    turn_cosines(*point, *features.turns, features.phases, found)
    turns = point.astype(float) @ features.turns + features.phases
    apart = abs(found - numpy.cos(2 * math.pi * turns)).max()
    # A wrong last coefficient of the polynomial would show at 1e-4.
    assert SINGLE / 4 < apart <= features.feature_error() < 1e-4


def test_double_precision_is_another_way_and_close():
    rng = numpy.random.default_rng(2)
    features = FEATURES["real"](rng)
    points, labels = data(rng, 300)
    schedule = sgd.Schedule(GAMMA, LAMBDA, 300, (300,))
    single = sgd.run(points, labels, features, schedule)
    double = sgd.run(points, labels, features, schedule, double=True)
    expected = naive(features(points.astype(float)) * features.weight**0.5, labels, schedule)
    assert abs(double - expected * features.weight**0.5).max() < 1e-10
    assert 0 < abs(single - double).max() < 1e-4 * abs(double).max()


def test_schedule_is_the_recursion():
    schedule = sgd.Schedule(GAMMA, LAMBDA, 30, (30,))
    eta, scale, weight = schedule.steps()
    assert eta[0] == pytest.approx(2 / (LAMBDA * (GAMMA + 1)), rel=1e-15)
    # 1 - eta_t lambda = (gamma + t - 2) / (gamma + t) telescopes.
    assert scale[-1] == pytest.approx(GAMMA * (GAMMA - 1) / ((GAMMA + 30) * (GAMMA + 29)))
    assert (weight == 2 * (GAMMA + numpy.arange(1, 31))).all()  # twice gamma + t for g_{t+1}


def gaussian(left, right):
    distance = ((left[:, None] - right[None]) ** 2).sum(axis=-1)
    return numpy.exp(-distance / (2 * WIDTH**2))


def test_taylor_features_are_the_gaussian_kernel():
    rng = numpy.random.default_rng(4)
    points = numpy.concatenate([rng.uniform(-1, 1, (40, 2)), [[1, 1], [1, -1], [-1, -1], [0, 0]]])
    features = sgd.TaylorFeatures.of(WIDTH)
    phi = features(points)
    # The neglected part per coordinate is a Poisson tail below 1e-9 / 4.
    assert abs(phi @ phi.T - gaussian(points, points)).max() <= 1e-9 + 1e-13
    short = sgd.TaylorFeatures(WIDTH, features.order // 3)(points)
    assert abs(short @ short.T - gaussian(points, points)).max() > 1e-3


@pytest.mark.parametrize("real", [True, False])
def test_fourier_features_converge_to_the_gaussian_kernel(real):
    rng, draws = numpy.random.default_rng(5), 40_000
    points = rng.uniform(-1, 1, (6, 2))
    features = sgd.FourierFeatures.draw(rng, draws, WIDTH, real=real)
    assert features.shape == (draws * (1 if real else 2),)
    phi = features(points)
    kernel = features.weight * phi @ phi.T
    # A mean of terms in [-2, 2] (real) or [-1, 1] (complex): Hoeffding at 1e-9 for 36 pairs.
    reach = 4 if real else 2
    tol = reach * math.sqrt(math.log(2 * 36 / 1e-9) / (2 * draws)) + 1e-5
    assert abs(kernel - gaussian(points, points)).max() <= tol < 0.1
    if not real:  # |exp(i w.x)|^2 = 1: the diagonal is exact
        assert numpy.diagonal(kernel) == pytest.approx(numpy.ones(6), rel=1e-5)


def test_real_and_complex_features_share_their_frequencies():
    real, both = (
        sgd.FourierFeatures.draw(numpy.random.default_rng(6), 5, WIDTH, real=real)
        for real in (True, False)
    )
    assert (both.turns[:, :5] == real.turns).all() and (both.turns[:, 5:] == real.turns).all()
    angles = 2 * math.pi * (numpy.array([0.3, -0.8]) @ real.turns.astype(float))
    values = both(numpy.array([[0.3, -0.8]]))[0]
    assert values == pytest.approx(numpy.concatenate([numpy.cos(angles), numpy.sin(angles)]))


@pytest.mark.parametrize("kind", FEATURES)
def test_values_on_a_grid_and_bounds_of_derivatives(kind, monkeypatch):
    rng = numpy.random.default_rng(7)
    features = FEATURES[kind](rng)
    coefficients = rng.normal(size=(3, *features.shape))
    axis = numpy.linspace(-1, 1, 9)
    grid = features.on_grid(coefficients, axis)
    points = numpy.stack(numpy.meshgrid(axis, axis, indexing="ij"), axis=-1).reshape(-1, 2)
    direct = (features(points) @ coefficients.reshape(3, -1).T).T.reshape(3, 9, 9)
    # Phases are stored in single precision and used in double on both sides.
    assert abs(grid - direct).max() <= 1e-11 * abs(direct).max()
    monkeypatch.setattr(sgd, "has_numba", lambda: False)
    assert abs(features.on_grid(coefficients, axis) - grid).max() <= 1e-12 * abs(grid).max()
    fine = features.on_grid(coefficients, numpy.linspace(-1, 1, 401))
    slope = abs(numpy.diff(fine, axis=1)).max(axis=(1, 2)) * 200
    bounds = features.derivative_bounds(coefficients, 1)
    assert (slope <= bounds[0]).all() and (bounds[0] < 50 * slope).all()


def test_checkpoints_are_increasing_and_end_at_the_last_iteration():
    found = sgd.geometric_checkpoints(12_000, 25)
    assert found[0] == 1 and found[-1] == 12_000 and list(found) == sorted(set(found))
    assert sgd.geometric_checkpoints(12_000, 5, first=10)[0] == 10
    assert sgd.geometric_checkpoints(4, 5, first=10) == (4,)
