"""Random features: predictions against the definitions, drawn kernels in two ways."""

import numpy
import pytest
from flint import fmpq

from boundcheck import exact
from boundcheck.expressions import operator_norm, trace
from boundcheck.expressions.batch import compiled
from boundcheck.expressions.names import seen_through
from boundcheck.settings import random_features as f
from boundcheck.worlds import Matrix, Space, Vector, Weights
from boundcheck.worlds.space import float_value


@pytest.fixture(scope="module")
def worlds():
    rng = numpy.random.default_rng(3)
    space = Space(rho=Weights(2), tau=Weights(3), psi=Matrix(2, 3), targets=Vector(2))
    sizes = {
        "m": 2, "N": 3, "n": 2, "s": 2, "X": (1, 0), "V": (2, 0), "times": (1, 0, 1), "test": 1,
        "lambda": fmpq(1, 3), "y": (fmpq(1), fmpq(-1, 2)),
    }  # fmt: skip
    return [{**space.sample(rng)[0], **sizes} for _ in range(4)]


def value(expr, world):
    return exact.compiled(seen_through(expr))(world.__getitem__)


CASES = {
    "predictions": f.fixed.f(f.test) - f.fixed.f_(f.test),
    "features": f.fixed_features.f_(f.test),
    "norm": f.fixed.norm.meaning.definition,
    "excess": f.fixed_features.excess,
    "mean": f.E_features(f.E_test((f.fixed.f_(f.x) - f.fixed.f(f.x)) ** 2)),
    "training": f.fixed.E_training(f.fixed.f),
    "moments": operator_norm(f.fixed_features.Xi) + trace(f.fixed_features.moment),
}


@pytest.mark.parametrize("name", CASES)
def test_exact_and_batch_are_the_same(name, worlds):
    values = [exact.to_float(value(CASES[name], world)) for world in worlds]
    stacked = {k: numpy.array([float_value(w[k]) for w in worlds]) for k in worlds[0]}
    floats = compiled(seen_through(CASES[name]))(stacked.__getitem__)
    # Values of order one, condition numbers below 10^4: 1e-9 is 10^3 roundings.
    numpy.testing.assert_allclose(floats, values, rtol=1e-9, atol=1e-9)


def test_the_drawn_kernel_is_the_same_from_counts_and_from_the_draw(worlds):
    for world in worlds:
        assert value(f.fixed.K_, world) == value(f.fixed_features.K_, world)
        assert value(f.fixed.f_(f.test), world) == value(f.fixed_features.f_(f.test), world)


def test_the_drawn_kernel_is_unbiased(worlds):
    for world in worlds:
        assert value(f.E_features(f.fixed.K_), world) == value(f.fixed.K, world)


def test_a_prediction_solves_the_ridge_problem(worlds):
    for world in worlds:
        psi, weights = world["psi"], world["tau"]
        kappa = [
            [sum((weights[v] * psi[a, v] * psi[b, v] for v in range(3)), fmpq(0)) for b in (0, 1)]
            for a in (0, 1)
        ]
        alpha = value(f.fixed.alpha, world)
        penalty = 2 * world["lambda"]
        for place, at in enumerate(world["X"]):
            fitted = [kappa[at][b] * a for b, a in zip(world["X"], alpha, strict=True)]
            assert sum(fitted) + penalty * alpha[place] == world["y"][place]
