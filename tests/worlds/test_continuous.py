"""Continuous worlds: the means of feature products are the stated kernels."""

import math

import numpy
import pytest
from flint import fmpq, fmpq_mat

from boundcheck.worlds.continuous import LAWS, SIGNS

DRAWS = 60_000


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
@pytest.mark.parametrize("d", [1, 2, 5])
def test_products_of_features_have_the_kernel_as_mean(law, d):
    rng = numpy.random.default_rng([7, d])
    x = rng.standard_normal((4, d))
    phi = law.features(x, *law.sample(rng, (DRAWS,), d, 1.3))
    products = phi[:, None, :] * phi[None, :, :]
    mean, kernel = products.mean(-1), law.kernel(x, x, 1.3)
    if law.bound is not None:
        assert abs(phi).max() <= law.bound + 1e-12
        # Products lie in [-b^2, b^2]: Hoeffding and a union over 16 entries, error below 1e-9.
        tol = 2 * law.bound**2 * math.sqrt(math.log(32 / 1e-9) / (2 * DRAWS))
    else:
        # Rectifiers: variance of a product at most 4 * 3 (|x||z|/s^2)^2 / 4; 7 deviations.
        lengths = (x**2).sum(1) / 1.3**2
        tol = 7 * numpy.sqrt(3 * numpy.outer(lengths, lengths) / DRAWS).max()
    assert abs(mean - kernel).max() < tol


def test_draws_read_the_world_and_have_a_batch_axis_first():
    world = {"points": fmpq_mat(2, 3, [1, 0, 0, 0, fmpq(1, 2), 0]), "s": 7, "scale": fmpq(2)}
    for law in LAWS:
        draw = law.draw("points", "s", "scale")
        batch = draw.sample(world.__getitem__, numpy.random.default_rng(0), 5)
        assert draw.names == ("phi",) and batch["phi"].shape == (5, 2, 7)
        assert draw.count(world.__getitem__) == math.inf


def test_sign_kernel_is_exact_on_orthogonal_and_opposite_points():
    x = numpy.array([[1.0, 0, 0, 0], [0, 2.0, 0, 0], [-3.0, 0, 0, 0]])
    assert numpy.allclose(SIGNS.kernel(x, x, 1.0), [[1, 0, -1], [0, 1, 0], [-1, 0, 1]])
