"""Estimators with an unsquared norm penalty against dense grids and Nelder-Mead."""

import numpy as np
import pytest
from flint import fmpq, fmpq_mat
from scipy.optimize import minimize

from boundcheck.quantities import regularised
from boundcheck.quantities.clipped_minimisers import clipped_minimisers
from boundcheck.quantities.complexity import composed_complexity
from boundcheck.quantities.operators import diagonal
from boundcheck.quantities.rkhs import gram_of


def rational(rng, low=-1.0, high=1.0):
    return fmpq(int(rng.integers(int(low * 64), int(high * 64) + 1)), 64)


def line_world(rng, atoms=3, knots=3):
    features = fmpq_mat(atoms, 1, [rational(rng) for _ in range(atoms)])
    rows = [sorted(rng.choice(np.arange(-64, 65), knots, replace=False)) for _ in range(atoms)]
    places = fmpq_mat(atoms, knots, [fmpq(int(k), 32) for row in rows for k in row])
    losses = fmpq_mat(atoms, knots, [rational(rng) for _ in range(atoms * knots)])
    counts = tuple(int(c) for c in rng.multinomial(4, [1 / atoms] * atoms))
    return features, places, losses, counts


@pytest.mark.parametrize("seed", range(30))
def test_piecewise_linear_problem_beats_a_grid(seed):
    rng = np.random.default_rng(seed)
    features, knots, losses, counts = line_world(rng)
    gram, weight = gram_of(features), fmpq(1, 7)
    seen = regularised.frequencies(counts)

    def objective(values, norm):
        return float(regularised.mean_loss(knots, losses, values, seen) + weight * norm)

    found = regularised.penalised_minimisers(gram, counts, knots, losses, weight)
    best = {objective(*minimiser) for minimiser in found}
    assert max(best) - min(best) < 1e-15
    u = [features[j, 0] for j in range(3)]
    for step in range(-400, 401):
        t = fmpq(step, 20)
        assert objective(tuple(t * v for v in u), abs(t)) >= min(best) - 1e-12


def clipped_objective(gram, counts, sums, weight):
    """The objective over coefficients, up to the constant sum of squared responses."""
    table = np.array(gram.tolist(), dtype=float)
    counts, sums = np.array(counts, dtype=float), np.array([float(s) for s in sums])

    def value(coefficients):
        fitted = np.clip(table @ coefficients, -1, 1)
        norm = np.sqrt(max(coefficients @ table @ coefficients, 0))
        return (counts @ fitted**2 - 2 * sums @ fitted) / counts.sum() + weight * norm

    return value


@pytest.mark.parametrize("seed", range(30))
def test_clipped_problem_on_a_line_beats_a_grid(seed):
    rng = np.random.default_rng(seed)
    features, _, _, counts = line_world(rng)
    sums = tuple(c * rational(rng, -2, 2) for c in counts)
    weight = fmpq(1, 5)
    u = np.array([float(features[j, 0]) for j in range(3)])

    def value(t):
        fitted = np.clip(t * u, -1, 1)
        numbers = np.array(counts)
        total = numbers @ fitted**2 - 2 * np.array([float(s) for s in sums]) @ fitted
        return total / numbers.sum() + float(weight) * abs(t)

    found = clipped_minimisers(gram_of(features), counts, sums, weight)
    grid = min(value(t) for t in np.linspace(-20, 20, 4001))
    for values, norm in found:
        k = int(np.argmax(np.abs(u)))
        t = float(values[k]) / u[k] if u[k] else 0.0
        assert abs(t) == pytest.approx(float(norm), abs=1e-12)
        assert value(t) <= grid + 1e-12


@pytest.mark.parametrize("seed", range(20))
def test_orthogonal_problem_matches_general_minimisation(seed):
    rng = np.random.default_rng(seed)
    scales = [abs(rational(rng)) + fmpq(1, 16) for _ in range(3)]
    counts = tuple(int(c) for c in rng.multinomial(5, [1 / 3] * 3))
    sums = tuple(c * rational(rng, -2, 2) for c in counts)
    gram, weight = diagonal(tuple(scales)), fmpq(1, 8)
    ((values, norm),) = clipped_minimisers(gram, counts, sums, weight)
    value = clipped_objective(gram, counts, sums, float(weight))
    at = value(np.array([float(v) / float(d) for v, d in zip(values, scales, strict=True)]))
    starts = rng.normal(size=(6, 3))
    other = min(minimize(value, start, method="Nelder-Mead").fun for start in starts)
    # Nelder-Mead stops within 1e-4 of its own optimum; ours must not be above any value it saw.
    assert at <= other + 1e-9
    assert at >= other - 1e-3
    squares = sum(float(v) ** 2 / float(d) for v, d in zip(values, scales, strict=True))
    assert float(norm) == pytest.approx(squares**0.5, abs=1e-9)


def test_one_atom_by_hand():
    # (f - 1)^2 + |f| / 2 is least at f = 3/4.
    ((values, norm),) = clipped_minimisers(
        fmpq_mat(1, 1, [1]), (1,), (fmpq(1),), fmpq(1, 2)
    )
    assert values == (fmpq(3, 4),) and norm == fmpq(3, 4)


def test_correlated_pair_by_hand():
    # k = [[1, 1/2], [1/2, 1]], one draw each, responses 1: by symmetry f = t (k_1 + k_2) with
    # f(x) = 3t/2 and ||f|| = sqrt(3) t, so t minimises (3t/2 - 1)^2 + lambda sqrt(3) t.
    half, weight = fmpq(1, 2), fmpq(1, 10)
    gram = fmpq_mat(2, 2, [1, half, half, 1])
    ((values, norm),) = clipped_minimisers(gram, (1, 1), (fmpq(1), fmpq(1)), weight)
    t = (3 - 3**0.5 / 10) / 4.5
    assert [float(v) for v in values] == pytest.approx([1.5 * t] * 2, abs=1e-15)
    assert float(norm) == pytest.approx(3**0.5 * t, abs=1e-15)


def test_a_value_beyond_one_costs_nothing():
    # Responses 1 at both points; pulling the weak point to 1 leaves the strong one above 1, so
    # the strong one is clipped: f = b k(., weak), f(strong) = 2 f(weak).
    gram = fmpq_mat(2, 2, [1, fmpq(1, 2), fmpq(1, 2), fmpq(1, 4)])
    ((values, _),) = clipped_minimisers(gram, (1, 1), (fmpq(1), fmpq(1)), fmpq(1, 100))
    assert values[0] > 1 and values[0] == 2 * values[1]


def test_losses_in_three_dimensions_by_hand():
    # Orthonormal k, l(t) = max(0, 1 - t) cut at t = -1, weights 1/3: f = t (1, 1, 1) has objective
    # (1 - t) + lambda sqrt(3) t, so all values are 1 below lambda = 1/sqrt(3) and 0 above.
    gram, table = diagonal((fmpq(1),) * 3), fmpq_mat(3, 2, [2, 0] * 3)
    knots = fmpq_mat(3, 2, [-1, 1] * 3)
    ((values, _),) = regularised.penalised_minimisers(gram, (1, 1, 1), knots, table, fmpq(1, 2))
    assert values == (fmpq(1),) * 3
    ((values, _),) = regularised.penalised_minimisers(gram, (1, 1, 1), knots, table, fmpq(3, 5))
    assert values == (fmpq(0),) * 3


@pytest.mark.parametrize("seed", range(25))
def test_piecewise_linear_problem_in_the_plane_beats_a_grid(seed):
    rng = np.random.default_rng(seed)
    _, knots, losses, _ = line_world(rng)
    features = fmpq_mat(3, 2, [rational(rng) for _ in range(6)])
    counts, weight = (2, 1, 1), fmpq(1, int(rng.integers(3, 30)))
    seen = regularised.frequencies(counts)
    found = regularised.penalised_minimisers(
        gram_of(features), counts, knots, losses, weight
    )
    best = min(
        float(regularised.mean_loss(knots, losses, values, seen) + weight * norm)
        for values, norm in found
    )
    u = np.array(features.tolist(), dtype=float)
    steps = np.linspace(-6, 6, 601)
    points = np.array(np.meshgrid(steps, steps)).reshape(2, -1).T
    total = float(weight) * np.linalg.norm(points, axis=1)
    for j in range(3):
        row = [float(knots[j, k]) for k in range(3)], [float(losses[j, k]) for k in range(3)]
        total += float(seen[j]) * np.interp(points @ u[j], *row)
    assert best <= total.min() + 1e-12
    # The grid comes within its step times the largest slope, 64 + weight, of any point inside.
    if all(float(norm) < 6 for _, norm in found):
        assert best >= total.min() - 0.015 * 66


def test_all_ties_are_returned():
    # l(t) = 1 - |t| on [-1, 1] and 0 outside: both -1 and 1 are least.
    found = regularised.penalised_minimisers(
        fmpq_mat(1, 1, [1]), (1,), fmpq_mat(1, 3, [-1, 0, 1]), fmpq_mat(1, 3, [0, 1, 0]),
        fmpq(1, 2),
    )  # fmt: skip
    assert {values[0] for values, _ in found} == {fmpq(-1), fmpq(1)}


@pytest.mark.parametrize("seed", range(10))
def test_composed_complexity_beats_a_grid(seed):
    rng = np.random.default_rng(seed)
    features, knots, losses, _ = line_world(rng)
    exact = float(composed_complexity(knots, losses, tuple(features.entries()), fmpq(3)))
    grid = np.linspace(-3, 3, 1201)
    curves = np.array(
        [
            np.interp(
                grid * float(features[i, 0]),
                [float(k) for k in (knots[i, 0], knots[i, 1], knots[i, 2])],
                [float(v) for v in (losses[i, 0], losses[i, 1], losses[i, 2])],
            )
            for i in range(3)
        ]
    )
    signs = np.array(np.meshgrid(*[[1, -1]] * 3)).reshape(3, -1).T
    approximate = (signs @ curves).max(axis=1).mean() / 3
    # Slopes are at most 2 / (1/32) = 64 per point and the grid step is 1/200.
    assert approximate - 1e-12 <= exact <= approximate + 64 / 200


@pytest.mark.parametrize("rank", [1, 2])
@pytest.mark.parametrize("seed", range(6))
def test_deviation_over_a_ball_beats_a_grid(seed, rank):
    rng = np.random.default_rng([seed, rank])
    _, knots, losses, _ = line_world(rng)
    features = fmpq_mat(3, rank, [rational(rng) for _ in range(3 * rank)])
    weights = tuple(rational(rng) for _ in range(3))
    exact = float(
        regularised.largest_deviation(gram_of(features), knots, losses, weights, fmpq(4))
    )
    angles, radii = np.meshgrid(np.linspace(0, 2 * np.pi, 721), np.linspace(0, 2, 201))
    points = np.array([radii * np.cos(angles), radii * np.sin(angles)])[:rank].reshape(rank, -1).T
    u = np.array(features.tolist(), dtype=float)
    total = 0
    for j in range(3):
        row = [float(knots[j, k]) for k in range(3)], [float(losses[j, k]) for k in range(3)]
        total = total + float(weights[j]) * np.interp(points @ u[j], *row)
    best = abs(total).max()
    # Grid points are at most 1/100 + 2 pi/720 < 0.02 apart; slopes are below 64, weights below 1.
    assert best - 1e-12 <= exact <= best + 0.02 * 64 * 3 * 2**0.5
