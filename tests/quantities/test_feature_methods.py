"""Three random-feature methods on the toy data: where all features are seen they coincide."""

import numpy
import pytest

from boundcheck.quantities.feature_methods import (
    doubly_stochastic,
    fixed_random,
    shrinking_gradient,
    step_grid,
    toy_data,
)


def test_the_toy_data_are_clipped_and_their_labels_scaled():
    x, y = toy_data(60, 20, numpy.random.default_rng(0))
    assert x.shape == (20, 60) and x.min() == 0 and numpy.abs(y).max() == 1


def test_the_grid_holds_constant_and_decreasing_steps():
    steps = step_grid(4)
    half = steps.shape[1] // 2
    assert (steps[0, :half] == steps[3, :half]).all()
    assert numpy.allclose(steps[3, half:], steps[0, half:] / 2)


def test_with_one_coordinate_every_method_is_exact_descent():
    rng = numpy.random.default_rng(1)
    x, y = rng.random((12, 1)) + 0.1, rng.uniform(-1, 1, 12)
    losses = []
    for steps in step_grid(12).T:
        f, total = 0.0, 0.0
        for value, label, step in zip(x[:, 0], y, steps, strict=True):
            total += (f * value - label) ** 2 / 2
            f += step * (label - f * value) * value
        losses.append(total / 12)
    expected = pytest.approx(min(losses), rel=1e-12)
    assert fixed_random(x, y, 3, rng) == expected
    assert doubly_stochastic(x, y, 3, rng) == expected
    # With mixed signs its estimate is exact only on average; one label sign keeps it exact in
    # runs that do not overshoot, so the best of the grid is at most a little above.
    assert shrinking_gradient(x, numpy.abs(y), 2000, rng) < 1.2 * fixed_random(
        x, numpy.abs(y), 3, rng
    )
