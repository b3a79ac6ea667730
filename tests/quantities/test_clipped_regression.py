"""Noisy samples given by cells: estimators of batches against definitions, and cases by hand."""

import itertools

import numpy as np
import pytest
from flint import fmpq, fmpq_mat

from boundcheck.errors import Undecided
from boundcheck.quantities import clipped_regression as quantities
from boundcheck.quantities.operators import diagonal
from boundcheck.worlds.space import float_value

SCALES = (fmpq(1), fmpq(1, 2))
WORLD = {
    "gram": diagonal(SCALES),
    "f": (fmpq(1, 2), fmpq(-1, 4)),
    "noise": (fmpq(-1), fmpq(1, 2)),
    "noise_weights": (fmpq(1, 3), fmpq(2, 3)),
    "rho": (fmpq(1, 4), fmpq(3, 4)),
    "lambda_": fmpq(1, 3),
}


def cells_of(total):
    every = itertools.product(range(total + 1), repeat=4)
    return [cells for cells in every if sum(cells) == total]


@pytest.mark.parametrize("across", [fmpq(0), fmpq(1, 2), fmpq(7, 10)])
@pytest.mark.parametrize("name", ["estimator_error", "clipped_estimator_error", "estimator_risk"])
def test_batches_match_definitions(name, across):
    paired = getattr(quantities, name)
    world = {**WORLD, "gram": fmpq_mat(2, 2, [1, across, across, fmpq(1, 2)])}
    batch = cells_of(3)
    floats = {key: float_value(value) for key, value in world.items()}
    floats["cells"] = np.array(batch)
    fast = paired.estimator(*[floats[argument] for argument in paired.arguments])
    for cells, value in zip(batch, fast, strict=True):
        exact = paired(*[{**world, "cells": cells}[argument] for argument in paired.arguments])
        # Bisection leaves 2^-36 of the radius, squares of values below 2 at most 8 times that.
        assert value == pytest.approx(float(exact), abs=1e-8)


def test_target_risk_is_the_mean_squared_noise():
    for cells in cells_of(3):
        exact = quantities.target_risk(cells, WORLD["f"], WORLD["noise"])
        assert exact == quantities.mean_noise_square(cells, WORLD["noise"])
    batch = np.array(cells_of(3))
    fast = quantities.mean_noise_square.estimator(batch, float_value(WORLD["noise"]))
    assert fast[0] == pytest.approx(
        float(quantities.mean_noise_square(tuple(batch[0].tolist()), WORLD["noise"]))
    )


def test_one_noisy_point_by_hand():
    # f* = 0, one draw with noise 1, lambda = 1: (f - 1)^2 + |f| is least at 1/2.
    one = fmpq(1)
    world = (fmpq_mat(1, 1, [1]), (1, 0), (fmpq(0),), (one, -one))
    assert quantities.estimator_error(*world, (one,), one) == fmpq(1, 4)
    assert quantities.estimator_empirical(*world, one) == fmpq(1, 4)
    assert quantities.estimator_objective(*world, one) == fmpq(3, 4)
    assert quantities.estimator_norm(*world, one) == fmpq(1, 2)


def test_batches_refuse_many_correlated_atoms():
    size = 7
    with pytest.raises(Undecided, match="at most 6 atoms"):
        quantities.estimator_error.estimator(
            np.ones((size, size)), np.ones((1, size), dtype=int), np.zeros(size), np.ones(1),
            np.ones(size) / size, 0.5,
        )  # fmt: skip
