"""Experiments on four squares: the law, independence of workers, errors against test samples."""

import math
from dataclasses import replace

import numpy
import pytest

from boundcheck.experiments.averaged_sgd import FourierFeatures, Schedule, has_numba, run
from boundcheck.experiments.four_squares import LAYOUTS, Experiment, curves, evaluate, simulate

SMALL = Experiment(width=0.4, features=(30,), iterations=400, runs=4, points=5)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_law(layout):
    experiment = replace(SMALL, layout=layout)
    points, labels = experiment.draw(numpy.random.default_rng(0), 40_000)
    assert abs(points).min() >= 0.1 and abs(points).max() <= 1 and points.dtype == numpy.float32
    side = experiment.side(points)
    expected = numpy.where(points[:, 0] * points[:, 1] < 0, 1, -1) if layout == "cross" else (
        numpy.sign(points[:, 0]))  # fmt: skip
    assert (side == expected).all()
    tol = math.sqrt(math.log(2 / 1e-9) / (2 * 40_000))  # Hoeffding at 1e-9
    assert abs((labels == side).mean() - 0.8) <= tol
    for corner in (points > 0).all(axis=1), (points[:, 0] > 0) & (points[:, 1] < 0):
        assert abs(corner.mean() - 0.25) <= tol
    assert abs(abs(points).mean() - 0.55) <= tol


@pytest.mark.parametrize("features", [30, None])
def test_results_do_not_depend_on_workers_or_on_what_else_ran(features):
    one = curves(SMALL, features, seed=3)
    many = curves(SMALL, features, seed=3, jobs=3)
    later = curves(SMALL, features, seed=3, runs=2, first=2)
    assert (one.low == many.low).all() and (one.high == many.high).all()
    assert (later.low == one.low[2:]).all()
    assert (curves(SMALL, features, seed=4).low != one.low).any()


@pytest.mark.parametrize("kind", ["real", "complex"])
def test_errors_and_losses_are_those_of_a_test_sample(kind):
    experiment = replace(SMALL, kind=kind)
    rng = numpy.random.default_rng([5, 30, 0])  # the stream of run 0
    features = FourierFeatures.draw(rng, 30, experiment.width, real=kind == "real")
    points, labels = experiment.draw(rng, experiment.iterations)
    schedule = Schedule(
        experiment.gamma, experiment.lambda_, experiment.iterations, experiment.checkpoints
    )
    averages = run(points, labels, features, schedule)
    test, answers = experiment.draw(numpy.random.default_rng(1), 100_000)
    values = features(test.astype(float)) @ averages.T
    wrong = (numpy.sign(values) != experiment.side(test)[:, None]).mean(axis=0)
    margin = answers[:, None] * values
    found = evaluate(experiment, simulate(experiment, 30, 5, 0), loss=True)
    gap, size = 0.6, 2 * len(experiment.checkpoints)
    tol = math.sqrt(math.log(2 * size / 1e-9) / (2 * 100_000))
    assert (found.low[0] - gap * tol <= gap * wrong).all()
    assert (gap * wrong <= found.high[0] + gap * tol).all()
    assert ((found.high - found.low)[0] <= 0.1 * found.low[0] + 1e-7).all()
    reach = float(numpy.logaddexp(0, -margin).max())
    loss = numpy.logaddexp(0, -margin).mean(axis=0) - experiment.least_loss
    assert (abs(loss - found.loss[0]) <= found.loss_error[0] + reach * tol).all()
    assert wrong.min() > 0.001  # there was something to see


def test_the_full_kernel_is_the_limit_of_many_features():
    few, many, kernel = (
        curves(replace(SMALL, runs=6), m, seed=1).error[:, -1].mean() for m in (3, 2000, None)
    )
    assert abs(many - kernel) < abs(few - kernel)


@pytest.mark.skipif(not has_numba(), reason="numba is not installed")
def test_numpy_gives_the_same_curves():
    experiment = replace(SMALL, iterations=1500)
    fast, slow = (curves(experiment, 30, compiled=compiled) for compiled in (True, False))
    # Single precision moves values by about 1e-6 of their size; boundaries, hence areas, as much.
    assert abs(fast.error - slow.error).max() <= 1e-4 + abs(fast.high - fast.low).max()
    assert (fast.error > 0.01).any()
