"""Integral operators of sampled features: definition against estimator and second routes."""

import time

import numpy
import pytest
from flint import fmpq, fmpq_mat

from boundcheck.exact import precision
from boundcheck.quantities import feature_operators
from boundcheck.quantities.feature_operators import (
    extreme_eigenvalue,
    extreme_eigenvector,
    integral_norm,
    range_projection,
    root_kernel,
    unit_ball_distance,
)
from boundcheck.quantities.operators import diagonal, quadratic_form
from boundcheck.worlds import as_floats, feature_worlds, symmetric_matrices
from boundcheck.worlds.space import float_value


def worlds(seed, number):
    rng = numpy.random.default_rng(seed)
    for _ in range(number):
        world, _ = feature_worlds(4, 4).sample(rng)
        trials = int(rng.integers(1, 30))
        counts = tuple(int(c) for c in rng.multinomial(trials, [1 / world["K"]] * world["K"]))
        yield world, as_floats(world), counts, trials, rng


def kernel(world, weights):
    return world["phi"] * diagonal(weights) * world["phi"].transpose()


def kernels(world, counts, trials):
    return kernel(world, world["tau"]), kernel(world, [fmpq(c, trials) for c in counts])


def symmetric_form(floats, weights):
    root = numpy.sqrt(floats["rho"])[:, None] * floats["phi"]
    return (root * weights) @ root.T


def root_of(matrix):
    values, vectors = numpy.linalg.eigh(matrix)
    return (vectors * numpy.sqrt(numpy.maximum(values, 0))) @ vectors.T


def test_deviation_of_definition_estimator_and_dense_norm_agree():
    for world, floats, counts, trials, _ in worlds(0, 40):
        true, sampled = kernels(world, counts, trials)
        exact = integral_norm(true - sampled, world["rho"])
        weights = floats["tau"] - numpy.array(counts) / trials
        gap = (floats["phi"] * weights) @ floats["phi"].T
        dense = numpy.linalg.norm(symmetric_form(floats, weights), 2)
        assert float(exact.mid()) == pytest.approx(dense, abs=1e-12)
        assert integral_norm.estimator(gap, floats["rho"]) == pytest.approx(dense, abs=1e-12)


def test_square_root_is_that_of_the_symmetric_form():
    for world, floats, _, _, _ in worlds(1, 20):
        root = root_kernel(kernel(world, world["tau"]), world["rho"])
        scale = numpy.sqrt(floats["rho"])
        dense = numpy.array([float(v.mid()) for v in root.entries()]).reshape(root.nrows(), -1)
        # A root amplifies rounding of the symmetric form to its square root.
        expected = root_of(symmetric_form(floats, floats["tau"]))
        assert numpy.abs(dense * scale[:, None] * scale - expected).max() < 1e-6


def test_unit_ball_distance_is_the_largest_difference_of_support_functions():
    for world, floats, counts, trials, rng in worlds(2, 25):
        true, sampled_kernel = kernels(world, counts, trials)
        ball = unit_ball_distance(true, sampled_kernel, world["rho"])
        first = symmetric_form(floats, floats["tau"])
        second = symmetric_form(floats, numpy.array(counts) / trials)
        u = rng.standard_normal((20_000, world["n"]))
        u /= numpy.linalg.norm(u, axis=1)[:, None]
        forms = [numpy.einsum("bi,ij,bj->b", u, a, u).clip(0) for a in (first, second)]
        sampled = numpy.abs(numpy.sqrt(forms[0]) - numpy.sqrt(forms[1])).max()
        low, high = float(ball.lower()), float(ball.upper())
        assert sampled <= high + 1e-7
        assert high <= numpy.linalg.norm(root_of(first) - root_of(second), 2) * 1.05 + 1e-6
        dense = [float_value(matrix) for matrix in (true, sampled_kernel)]
        fast = unit_ball_distance.estimator(*dense, floats["rho"])
        assert fast <= high + 1e-6
        assert low <= high


def test_extreme_eigenvector_gives_its_own_eigenvalue():
    rng = numpy.random.default_rng(3)
    for _ in range(20):
        world, _ = symmetric_matrices(3).sample(rng)
        value, vector = extreme_eigenvalue(world["A"]), extreme_eigenvector(world["A"])
        form = quadratic_form(world["A"], vector)
        assert abs(float(form.mid()) - float(value.mid())) < 1e-9 * max(1, abs(float(value.mid())))


def test_a_hundred_thousand_operator_norms_take_about_a_second():
    rng = numpy.random.default_rng(4)
    phi, weights = rng.uniform(-1, 1, (8, 8)), numpy.full(8, 1 / 8)
    counts = rng.multinomial(100, weights, size=20_000)
    start = time.perf_counter()
    integral_norm.estimator((phi * (weights - counts / 100)[:, None, :]) @ phi.T, weights)
    # The target is 0.2 s; five times as much is allowed on a loaded machine.
    assert time.perf_counter() - start < 1.0


def test_a_distance_is_computed_once_for_equal_kernels(monkeypatch):
    """The mutants of a claim meet its worlds again, as other objects."""
    seen = []
    monkeypatch.setattr(feature_operators, "_KEPT", {})
    found = feature_operators._distance
    monkeypatch.setattr(
        feature_operators, "_distance", lambda *kernels: seen.append(kernels) or found(*kernels)
    )

    def distance(corner):
        first, second = fmpq_mat(2, 2, [2, 1, 1, corner]), fmpq_mat(2, 2, [1, 0, 0, 1])
        return feature_operators.unit_ball_distance(first, second, (fmpq(1, 2), fmpq(1, 2)))

    assert distance(2).overlaps(distance(2)) and len(seen) == 1
    with precision(200):
        distance(2)
    distance(3)
    assert len(seen) == 3


def test_points_without_mass_change_nothing_in_l2():
    for world, floats, _, _, _ in worlds(5, 10):
        true, rho = kernel(world, world["tau"]), (*world["rho"], fmpq(0))
        n = true.nrows()
        # A further point, with the features of the first one.
        more = fmpq_mat(n + 1, n + 1, [true[i % n, j % n] for i in range(n + 1)
                                       for j in range(n + 1)])  # fmt: skip
        for made in (root_kernel, range_projection):
            small, large = made(true, world["rho"]), made(more, rho)
            assert all(large[i, j] == small[i, j] or large[i, j].overlaps(small[i, j])
                       for i in range(n) for j in range(n))  # fmt: skip
            assert all(large[i, n] == 0 and large[n, i] == 0 for i in range(n + 1))
            if (floats["rho"] > 0).all():
                values = made.estimator(float_value(more), numpy.append(floats["rho"], 0.0))
                assert (values[n] == 0).all() and (values[:, n] == 0).all()
