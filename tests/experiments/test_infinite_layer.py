"""Vectorised passes against a loop that follows the printed lines, on the same random numbers."""

import math

import numpy
import pytest

from boundcheck.experiments import infinite_layer as layer

T, D = 12, 7


def streams(count=2, dimension=D, rounds=T, seed=0):
    rng = numpy.random.default_rng(seed)
    return sparse(rng, count, rounds, dimension, min(3, rounds))


def sparse(rng, count, rounds, dimension, support):
    x = layer.clipped_points(rng, count, rounds, dimension)
    return (x, *layer.sparse_labels(rng, x, support))


def literal(x, y, step, bound, samples, rng, runs, place, update):
    """Algorithms 1 and 2 line by line for run `place` of `runs` that share a generator."""
    alpha, estimates, functions = numpy.zeros(len(y)), [], []
    for t in range(len(y)):
        functions.append(float(alpha @ (x @ x[t])) / x.shape[1])
        total, estimate = float(numpy.abs(alpha).sum()), 0.0
        if t:
            uniforms = rng.random((runs, samples))[place]
            coordinates = rng.integers(x.shape[1], size=(runs, samples))[place]
        if total:
            law = numpy.cumsum(numpy.abs(alpha))
            draws = []
            for u, w in zip(uniforms, coordinates, strict=True):
                i = next(i for i in range(len(y)) if law[i] > u * law[-1])
                draws.append(numpy.sign(alpha[i]) * x[i, w] * x[t, w])
            estimate = total / samples * sum(draws)
        estimates.append(estimate)
        if abs(estimate) < 16 * bound:
            alpha = alpha.copy()
            alpha[t] = update * step[t] * (y[t] - estimate)
        else:
            alpha = alpha / 4
    return numpy.array(functions), numpy.array(estimates), alpha


@pytest.mark.parametrize("update", [layer.PRINTED, layer.DESCENT])
@pytest.mark.parametrize("bound", [1.0, 1e-3])  # the second one shrinks in most rounds
def test_shrinking_gradient_follows_the_printed_lines(bound, update):
    x, y, _ = streams()
    steps = numpy.array([[0.3] * T, [2.0] * T, [1 / math.sqrt(t + 1) for t in range(T)]])
    found = layer.shrinking_gradient(
        x, y, steps=steps, bound=bound, samples=5, rng=numpy.random.default_rng(1), update=update
    )
    if bound < 1:
        assert (abs(found.estimates) >= 16 * bound).mean() > 0.3
    for place in range(6):
        stream, row = divmod(place, 3)
        functions, estimates, alpha = literal(
            x[stream],
            y[stream],
            steps[row],
            bound,
            5,
            numpy.random.default_rng(1),
            6,
            place,
            update,
        )
        # Sums of at most T products in another order, errors amplified by at most
        # (1 + eta max |x|^2)^T: far below 1e-9 of their size.
        size = 1 + abs(alpha).max()
        assert abs(found.predictions[stream, row] - functions).max() < 1e-9 * size
        assert abs(found.estimates[stream, row] - estimates).max() < 1e-9 * size
        assert abs(found.coefficients[stream, row] - alpha).max() < 1e-9 * size
        loss = ((x[stream] @ x[stream].T / D @ alpha - y[stream]) ** 2).mean() / 2
        assert found.final[stream, row] == pytest.approx(loss, rel=1e-9)


def test_measuring_changes_no_draw():
    x, y, norm = streams()
    options = {"steps": numpy.full((2, T), 0.5), "bound": norm, "samples": 3}
    with_values, without = (
        layer.shrinking_gradient(x, y, rng=numpy.random.default_rng(2), measure=m, **options)
        for m in (True, False)
    )
    assert (with_values.estimates == without.estimates).all()
    assert without.predictions is None and without.final is None


def test_state_survives_shrinking_in_every_round():
    # B = 0 shrinks always but in rounds with E_t = 0 exactly; a long run passes below FAINT.
    x, y, _ = streams(1, 3, rounds=400)
    steps = numpy.ones((1, 400))
    found = layer.shrinking_gradient(
        x,
        y,
        steps=steps,
        bound=1e-12,
        samples=4,
        rng=numpy.random.default_rng(3),
        update=layer.PRINTED,
    )
    assert numpy.isfinite(found.coefficients).all() and numpy.isfinite(found.estimates).all()
    shrunk = abs(found.estimates[0, 0]) >= 16e-12
    assert shrunk.sum() > 50
    # A shrunk round leaves no coefficient; a kept one leaves -eta (y - E) over 4^(later shrinks).
    later = numpy.cumsum(shrunk[::-1])[::-1]
    expected = numpy.where(shrunk, 0.0, -(y[0] - found.estimates[0, 0])) / 4.0 ** (later - shrunk)
    assert found.coefficients[0, 0] == pytest.approx(expected, rel=1e-9, abs=1e-300)


def test_draws_follow_the_law_of_the_coefficients():
    state = layer._Coefficients(1, 5)
    for value in (0.5, -1.0, 0.0, 2.5):
        state.update(numpy.array([value]), numpy.array([True]))
    draws = 100_000
    place, sign = state.draw(numpy.random.default_rng(5).random((1, draws)))
    # Hoeffding at 1e-9 for each frequency; a shifted index would miss by at least 0.12.
    tol = math.sqrt(math.log(2 / 1e-9) / (2 * draws))
    for index, chance in enumerate((0.125, 0.25, 0.0, 0.625)):
        assert abs((place == index).mean() - chance) <= (tol if chance else 0)
    assert set(zip(place[0].tolist(), sign[0].tolist(), strict=True)) == {(0, 1), (1, -1), (3, 1)}


def naive_descent(x, y, step, weights):
    """Gradient descent on explicit features: a point i is x_i weights_i as centre, x_t as test."""
    f, played = numpy.zeros(x.shape[1]), []
    for t in range(len(y)):
        played.append(float(f @ x[t]))
        f = f + step[t] * (y[t] - played[-1]) * weights[t] * x[t]
    return numpy.array(played), float(((x @ f - y) ** 2).mean() / 2)


@pytest.mark.parametrize("method", ["fixed", "stochastic"])
def test_gradient_passes_follow_explicit_features(method):
    x, y, _ = streams()
    steps = numpy.array([[0.3] * T, [0.1] * T])
    run = layer.fixed_random if method == "fixed" else layer.doubly_stochastic
    found = run(x, y, steps=steps, features=4, rng=numpy.random.default_rng(6))
    shape = (2,) if method == "fixed" else (2, T)
    counts = layer.feature_counts(numpy.random.default_rng(6), shape, 4, D)
    for stream in range(2):
        weights = numpy.broadcast_to(counts[stream] / 4, (T, D))
        for row in range(2):
            played, final = naive_descent(x[stream], y[stream], steps[row], weights)
            assert found.predictions[stream, row] == pytest.approx(played, rel=1e-9, abs=1e-12)
            assert found.final[stream, row] == pytest.approx(final, rel=1e-9)


@pytest.mark.parametrize("features", [5, 4 * D])
def test_feature_counts_add_up_and_are_uniform(features):
    counts = layer.feature_counts(numpy.random.default_rng(7), (300, 20), features, D)
    assert counts.shape == (300, 20, D) and (counts.sum(axis=-1) == features).all()
    draws = 6000 * features
    tol = math.sqrt(math.log(2 / 1e-9) / (2 * draws))  # Hoeffding, per coordinate
    assert abs(counts.sum(axis=(0, 1)) / draws - 1 / D).max() < tol


def test_estimates_are_unbiased_for_the_function():
    # One stream, many copies with a common first step: alpha^(2) is the same in all of them.
    x, y, _ = streams(1, rounds=2)
    copies, samples = 4000, 5
    found = layer.shrinking_gradient(
        x,
        y,
        steps=numpy.full((copies, 2), 0.7),
        bound=1.0,
        samples=samples,
        rng=numpy.random.default_rng(9),
    )
    exact = found.predictions[0, 0, 1]
    # |E| <= ||alpha||_1 max |x_1w x_2w|: Hoeffding for copies * samples draws at 1e-9.
    reach = abs(0.7 * y[0, 0]) * abs(x[0, 0] * x[0, 1]).max()
    tol = 2 * reach * math.sqrt(math.log(2 / 1e-9) / (2 * copies * samples))
    assert abs(found.estimates[0, :, 1].mean() - exact) < tol < abs(exact) / 2


def test_streams_are_what_the_experiment_describes():
    x, y, norm = sparse(numpy.random.default_rng(0), 3, 50, 80, 5)
    assert x.min() == 0 and abs((x > 0).mean() - 0.5) < 0.05
    assert abs(y).max(axis=1) == pytest.approx(numpy.ones(3))
    for points, labels, size in zip(x, y, norm, strict=True):
        # D > T: labels = X a has many solutions, of which the sparse one is in the points' span.
        coefficients = numpy.linalg.solve(points @ points.T, labels)
        assert (abs(coefficients) > 1e-9).sum() == 5
        # f = D a in L2(mu): ||f|| = D^(1/2) |a|, and |<f, Phi(x)>| <= ||f|| ||Phi(x)||.
        assert size == pytest.approx(math.sqrt(80) * numpy.linalg.norm(coefficients @ points))
        assert (abs(labels) <= size * numpy.linalg.norm(points, axis=1) / math.sqrt(80)).all()
