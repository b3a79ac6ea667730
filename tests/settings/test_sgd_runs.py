"""Runs of averaged SGD: exact against floats, and expectations known in advance."""

import numpy
import pytest
from flint import fmpq, fmpq_mat

from boundcheck import exact
from boundcheck.errors import Undecided
from boundcheck.expressions import average, batch, inner
from boundcheck.quantities import averaged_sgd as quantities
from boundcheck.settings import sgd_runs as runs
from boundcheck.settings.averaged_sgd import gram
from boundcheck.worlds.space import float_value

WORLD = {
    "n": 2, "gram": fmpq_mat(2, 2, [2, 1, 1, 1]), "rho": (fmpq(1, 3), fmpq(2, 3)),
    "eta": (fmpq(9, 10), fmpq(1, 5)), "start": (fmpq(1), fmpq(-1)), "lambda": fmpq(1, 2),
    "gamma": fmpq(3), "T": 2, "loss": "modified huber", "height": fmpq(2), "stretch": fmpq(1, 2),
}  # fmt: skip
WORLD["joint"] = quantities.joint_law(WORLD["rho"], WORLD["eta"])
mean = quantities.mean_average(
    gram, runs.rho, runs.eta, runs.start, runs.lam, runs.gamma, runs.T, *runs.loss.of
)
spread = quantities.rkhs_distance(gram, runs.average, runs.start)


def of(expr, world):
    return exact.to_float(exact.compiled(expr)(world.__getitem__))


def floats(world):
    return {key: float_value(value) for key, value in world.items()}


def test_the_law_of_the_samples_is_that_of_points_and_labels():
    assert WORLD["joint"] == (fmpq(3, 10), fmpq(1, 30), fmpq(2, 15), fmpq(8, 15))


@pytest.mark.parametrize("loss", ["modified huber", "logistic"])
def test_a_batch_of_draws_is_those_draws_one_by_one(loss):
    world = {**WORLD, "loss": loss}
    draws = [(0, 3), (1, 1), (2, 0)]
    found = batch.compiled(spread)({**floats(world), "samples": numpy.array(draws)}.__getitem__)
    values = [of(spread, {**world, "samples": draw}) for draw in draws]
    numpy.testing.assert_allclose(found, values, rtol=1e-12)
    assert len({round(value, 6) for value in values}) == 3
    one = batch.compiled(spread)({**floats(world), "samples": numpy.array(draws[0])}.__getitem__)
    assert float(one) == pytest.approx(values[0])


def test_a_batch_of_worlds_is_those_worlds_one_by_one():
    worlds = [{**WORLD, "samples": (0, 3)},
              {**WORLD, "samples": (2, 1), "lambda": fmpq(2), "gamma": fmpq(7),
               "loss": "smoothed hinge", "start": (fmpq(0), fmpq(3))}]  # fmt: skip
    stacked = {key: numpy.array([float_value(w[key]) for w in worlds]) for key in worlds[0]}
    found = batch.compiled(spread)(stacked.__getitem__)
    numpy.testing.assert_allclose(found, [of(spread, world) for world in worlds], rtol=1e-12)


def test_the_mean_over_paths_is_the_same_in_floats():
    worlds = [WORLD, {**WORLD, "lambda": fmpq(2), "T": 3, "loss": "smoothed hinge"},
              {**WORLD, "eta": (fmpq(1, 2),) * 2, "start": (fmpq(0),) * 2, "T": 300}]  # fmt: skip
    stacked = {key: numpy.array([float_value(w[key]) for w in worlds]) for key in worlds[0]}
    norm = inner(mean, mean)
    found = batch.compiled(norm)(stacked.__getitem__)
    numpy.testing.assert_allclose(found, [of(norm, world) for world in worlds], rtol=1e-12)
    assert float(batch.compiled(norm)(floats(WORLD).__getitem__)) == pytest.approx(found[0])
    long = batch.compiled(norm)(floats({**WORLD, "T": 9}).__getitem__)
    assert numpy.isnan(long)


def test_the_mean_over_paths_is_the_average_over_the_draw():
    """Two routes: enumeration step by step, and an average over sequences of samples."""
    u = runs.start
    by_draw = average(inner(runs.average, u), runs.samples)
    assert of(inner(mean, u), WORLD) == pytest.approx(of(by_draw, WORLD), rel=1e-14)


def test_the_expectation_vanishes_for_fair_labels_from_zero():
    fair = {**WORLD, "eta": (fmpq(1, 2),) * 2, "start": (fmpq(0),) * 2}
    arguments = [fair[name] for name in ("gram", "rho", "eta", "start", "lambda", "gamma", "T")]
    loss = [fair[name] for name in ("loss", "height", "stretch")]
    listed = quantities.all_averages(*arguments, *loss)
    assert any(any(mean) for _, mean in listed)
    assert [sum(p * mean[j] for p, mean in listed) for j in range(2)] == [0, 0]
    assert quantities.mean_average(*arguments[:-1], 300, *loss) == (0, 0)


def test_long_paths_are_not_listed():
    long = [WORLD[name] for name in ("gram", "rho", "eta", "start", "lambda", "gamma")]
    with pytest.raises(Undecided, match="long sample paths"):
        quantities.mean_average(*long, 5, "logistic", fmpq(1), fmpq(1))
