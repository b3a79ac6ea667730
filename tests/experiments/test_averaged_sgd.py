"""Block-wise averaged SGD against the printed recursion, features against their kernels."""

import math

import numpy
import pytest

from boundcheck.experiments import averaged_sgd as sgd

SINGLE = 2.0**-24  # unit roundoff of float32
WIDTH, GAMMA, LAMBDA = 0.5, 40.0, 0.05


def recorded(rng, runs, iterations):
    """All points and labels of the runs, and a sampler that hands them out in order."""
    points = rng.uniform(-1, 1, (runs, iterations, 2)).astype(numpy.float32)
    labels = rng.integers(0, 2, (runs, iterations)) * 2.0 - 1
    position = 0

    def draw(size):
        nonlocal position
        position += size
        part = slice(position - size, position)
        return points[:, part], labels[:, part]

    return points, labels, draw


def naive(phi, labels, schedule):
    """One run step by step in double precision: averages at the checkpoints, and max ||g_t||."""
    largest = 0.0
    g, total, mass = numpy.zeros(phi.shape[1]), numpy.zeros(phi.shape[1]), 2 * schedule.gamma
    averages = []
    for t in range(1, schedule.iterations + 1):
        eta = 2 / (schedule.lambda_ * (schedule.gamma + t))
        slope = -labels[t - 1] / (1 + math.exp(labels[t - 1] * (phi[t - 1] @ g)))
        g = (1 - eta * schedule.lambda_) * g - eta * slope * phi[t - 1]
        total = total + 2 * (schedule.gamma + t) * g  # weight of g_{t+1} up to a factor 2
        mass += 2 * (schedule.gamma + t)
        largest = max(largest, float(numpy.linalg.norm(g)))
        if t in schedule.checkpoints:
            averages.append(total / mass)
    return numpy.array(averages), largest


FEATURES = {
    "complex": lambda rng, runs: sgd.FourierFeatures.draw(rng, runs, 20, WIDTH, real=False),
    "real": lambda rng, runs: sgd.FourierFeatures.draw(rng, runs, 20, WIDTH, real=True),
    "taylor": lambda rng, runs: sgd.taylor_features(WIDTH, 8),
}


@pytest.mark.parametrize("block", [1, 7, 64])
@pytest.mark.parametrize("kind", FEATURES)
def test_blocks_reproduce_the_step_by_step_recursion(kind, block):
    rng, runs, iterations = numpy.random.default_rng(0), 3, 150
    apply = FEATURES[kind](rng, runs)
    dimension = 64 if kind == "taylor" else apply.dimension
    points, labels, draw = recorded(rng, runs, iterations)
    schedule = sgd.Schedule(GAMMA, LAMBDA, iterations, (1, 10, 64, 65, 150))
    found = sgd.run_batch(draw, apply, dimension, runs, schedule, lambda mean: mean, block)
    assert found.shape == (5, runs, dimension)
    phi = apply(points, slice(0, runs)).astype(float)  # the same features, exactly
    for place in range(runs):
        expected, largest = naive(phi[place], labels[place], schedule)
        # Errors of g after step T, with u the unit roundoff and |phi| <= reach. A step's share of
        # g is eta_t s_T / s_t times the slope, and sum_t eta_t s_T / s_t <= 1 / lambda.
        # (1) Sums of at most `block` rounded terms, added to v once per block: (block + blocks +
        # 4) u reach / lambda. (2) Values phi . v from D + block rounded terms move a slope by a
        # quarter of their error; the steps, being non-expansive, only add these up.
        reach = float(numpy.linalg.norm(phi[place], axis=1).max())
        sums = block + iterations // block + 5 + 4
        values = (dimension + block) * largest * reach / 4
        tol = SINGLE * (sums + values) * reach / LAMBDA
        assert abs(found[:, place] - expected).max() <= tol
        # Without the weight of g_1 the first average would double.
        assert tol < abs(expected[0]).max() / 20


def test_schedule_is_the_recursion():
    schedule = sgd.Schedule(GAMMA, LAMBDA, 30, (30,))
    eta, scale, weight = schedule.steps()
    assert eta[0] == pytest.approx(2 / (LAMBDA * (GAMMA + 1)), rel=1e-15)
    # 1 - eta_t lambda = (gamma + t - 2) / (gamma + t) telescopes.
    assert scale[-1] == pytest.approx(GAMMA * (GAMMA - 1) / ((GAMMA + 30) * (GAMMA + 29)))
    assert (weight == 2 * (GAMMA + numpy.arange(1, 31))).all()  # twice gamma + t for g_{t+1}


def test_checkpoints_and_grouping_change_nothing(monkeypatch):
    def averages(checkpoints, cache):
        monkeypatch.setattr(sgd, "CACHE", cache)
        rng = numpy.random.default_rng(3)
        apply = sgd.FourierFeatures.draw(rng, 5, 10, WIDTH, real=True)
        _, _, draw = recorded(rng, 5, 90)
        schedule = sgd.Schedule(GAMMA, LAMBDA, 90, checkpoints)
        return sgd.run_batch(draw, apply, 10, 5, schedule, lambda mean: mean, 32)[-1]

    together = averages((90,), 1e9)
    scale = abs(together).max()
    assert abs(averages((90,), 1.0) - together).max() < 1e-5 * scale  # one run at a time
    assert abs(averages((3, 50, 51, 90), 1e9) - together).max() < 1e-5 * scale


def gaussian(left, right):
    distance = ((left[:, None] - right[None]) ** 2).sum(axis=-1)
    return numpy.exp(-distance / (2 * WIDTH**2))


def test_taylor_features_are_the_gaussian_kernel():
    rng = numpy.random.default_rng(4)
    points = numpy.concatenate([rng.uniform(-1, 1, (40, 2)), [[1, 1], [1, -1], [-1, -1], [0, 0]]])
    tolerance = 1e-7
    order = sgd.taylor_order(WIDTH, tolerance=tolerance)
    phi = sgd.taylor_features(WIDTH, order)(points[None], slice(0, 1))[0].astype(float)
    # The neglected part per coordinate is a Poisson tail below tolerance / 4; ||phi|| <= 1, each
    # coordinate rounded three times.
    assert abs(phi @ phi.T - gaussian(points, points)).max() <= tolerance + 8 * SINGLE
    short = sgd.taylor_features(WIDTH, order // 3)(points[None], slice(0, 1))[0].astype(float)
    assert abs(short @ short.T - gaussian(points, points)).max() > 1e-3


@pytest.mark.parametrize("real", [True, False])
def test_fourier_features_converge_to_the_gaussian_kernel(real):
    rng, draws = numpy.random.default_rng(5), 40_000
    points = rng.uniform(-1, 1, (6, 2))
    apply = sgd.FourierFeatures.draw(rng, 1, draws, WIDTH, real=real)
    phi = apply(points[None], slice(0, 1))[0].astype(float)
    assert phi.shape == (6, apply.dimension) == (6, draws * (1 if real else 2))
    # A mean of terms in [-2, 2] (real) or [-1, 1] (complex): Hoeffding at 1e-9 for 36 pairs.
    reach = 4 if real else 2
    tol = reach * math.sqrt(math.log(2 * 36 / 1e-9) / (2 * draws)) + 1e-5
    assert abs(phi @ phi.T - gaussian(points, points)).max() <= tol < 0.1
    if not real:  # |exp(i w.x)|^2 = 1: the diagonal is exact
        assert (phi**2).sum(axis=1) == pytest.approx(numpy.ones(6), rel=1e-5)


def test_real_and_complex_features_share_their_frequencies():
    for real in (True, False):
        apply = sgd.FourierFeatures.draw(numpy.random.default_rng(6), 2, 5, WIDTH, real=real)
        own = numpy.random.default_rng(6).standard_normal((2, 5, 2)) / WIDTH
        assert apply.frequencies == pytest.approx(own, rel=1e-6)
    point = numpy.array([[[0.3, -0.8]]] * 2)
    values = apply(point, slice(0, 2))[:, 0]
    angles = own @ [0.3, -0.8]
    expected = numpy.concatenate([numpy.cos(angles), numpy.sin(angles)], axis=1) / math.sqrt(5)
    assert abs(values - expected).max() < 10 * 4 * SINGLE * max(1, abs(angles).max())


@pytest.mark.parametrize("real", [True, False])
def test_values_on_a_grid_are_those_at_its_points(real):
    rng = numpy.random.default_rng(7)
    apply = sgd.FourierFeatures.draw(rng, 3, 30, WIDTH, real=real)
    coefficients = rng.normal(size=(3, apply.dimension))
    first, second = numpy.linspace(-1, 1, 9), numpy.linspace(-0.5, 1, 7)
    grid = apply.on_grid(apply.tables(first, second), coefficients)
    points = numpy.stack(numpy.meshgrid(first, second, indexing="ij"), axis=-1).reshape(-1, 2)
    phi = apply(numpy.broadcast_to(points, (3, *points.shape)), slice(0, 3)).astype(float)
    direct = (phi @ coefficients[:, :, None])[:, :, 0].reshape(3, 9, 7)
    # Each term c_j / M^(1/2) times a phase below |w| + 2 pi, rounded to single a few times.
    phase = abs(apply.frequencies).sum(axis=2).max() + 2 * math.pi
    reach = abs(coefficients).sum(axis=1).max() * math.sqrt(2 / 30)
    assert abs(grid - direct).max() <= 6 * phase * SINGLE * reach < abs(direct).max() / 100


def test_taylor_values_on_a_grid_are_those_at_its_points():
    rng, order = numpy.random.default_rng(8), 9
    coefficients = rng.normal(size=(2, order**2))
    first, second = numpy.linspace(-1, 1, 5), numpy.linspace(-1, 0.5, 4)
    grid = sgd.taylor_on_grid(WIDTH, order, coefficients, first, second)
    points = numpy.stack(numpy.meshgrid(first, second, indexing="ij"), axis=-1).reshape(-1, 2)
    phi = sgd.taylor_features(WIDTH, order)(points[None], slice(0, 1))[0].astype(float)
    direct = (coefficients @ phi.T).reshape(2, 5, 4)
    reach = abs(coefficients).sum(axis=1).max()
    assert abs(grid - direct).max() <= 4 * SINGLE * reach < abs(direct).max() / 100


def test_checkpoints_are_increasing_and_end_at_the_last_iteration():
    found = sgd.geometric_checkpoints(12_000, 25)
    assert found[0] == 1 and found[-1] == 12_000 and list(found) == sorted(set(found))
