"""Repeats at once against one at a time, and against the certified estimators."""

import numpy as np
import pytest
from flint import fmpq

from boundcheck.quantities import batched_penalties as batched
from boundcheck.quantities.clipped_minimisers import clipped_minimisers, square_minimiser
from boundcheck.quantities.operators import diagonal
from boundcheck.quantities.rkhs import ridge_weights

from .penalty_worlds import KINDS, drawn, floats, hostile_gram, rational

# Values of k(x, x) are at most 3 and n lambda at least 3/40: condition numbers stay below 200, so
# solutions of size below 100 lose at most 100 * 200 * 1e-16.
CLOSE = 1e-11


@pytest.mark.parametrize("kind", KINDS)
def test_ridge_over_repeats_and_weights(kind):
    rng = np.random.default_rng(KINDS.index(kind))
    gram = hostile_gram(rng, kind)
    responses = [tuple(rational(rng, -2, 2) for _ in range(3)) for _ in range(4)]
    weights = (fmpq(1, 40), fmpq(1, 2))
    y = np.array([[float(v) for v in row] for row in responses])
    together = batched.ridge(floats(gram), y, [float(w) for w in weights])
    assert together.shape == (2, 4, 3)
    for k, weight in enumerate(weights):
        for i, row in enumerate(responses):
            exact = [float(v) for v in ridge_weights(gram, row, weight)]
            assert together[k, i] == pytest.approx(exact, abs=CLOSE)
            alone = batched.ridge(floats(gram), y[i : i + 1], float(weight))[0]
            assert together[k, i] == pytest.approx(alone, abs=CLOSE)


@pytest.mark.parametrize("kind", KINDS)
def test_unsquared_penalty_over_repeats(kind):
    rng = np.random.default_rng(KINDS.index(kind))
    gram = hostile_gram(rng, kind)
    table = floats(gram)
    responses = [tuple(rational(rng, -2, 2) for _ in range(3)) for _ in range(6)]
    responses.append((fmpq(0),) * 3)
    y = np.array([[float(v) for v in row] for row in responses])
    for weight in (fmpq(1, 40), fmpq(1, 3), fmpq(5)):
        together, norms = batched.norm_penalty(table, y, float(weight))
        for i, row in enumerate(responses):
            values, norm = square_minimiser(gram, (1, 1, 1), row, weight)
            # Values of the same function; the kernel's rounding enters them by its root.
            assert table @ together[i] == pytest.approx([float(v) for v in values], abs=1e-6)
            assert norms[i] == pytest.approx(float(norm), abs=1e-6)
            alone, radius = batched.norm_penalty(table, y[i : i + 1], float(weight))
            assert together[i] == pytest.approx(alone[0], abs=1e-9)
            assert norms[i] == pytest.approx(radius[0], abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_clipped_problem_over_repeats(kind):
    rng = np.random.default_rng(KINDS.index(kind))
    gram, weight = hostile_gram(rng, kind), fmpq(1, int(rng.integers(2, 30)))
    samples = [drawn(rng) for _ in range(12)]
    counts = np.array([counts for counts, _ in samples])
    sums = np.array([[float(s) for s in row] for _, row in samples])
    norms, values = batched.batched_clipped(floats(gram), counts, sums, float(weight))

    def objective(heights, norm, count, total):
        heights = np.clip(heights, -1, 1)
        return count @ heights**2 - 2 * total @ heights + count.sum() * float(weight) * norm

    for i, (count, total) in enumerate(samples):
        found = clipped_minimisers(gram, count, total, weight)
        least = [
            objective(np.array([float(v) for v in item[0]]), float(item[1]), counts[i], sums[i])
            for item in found
        ]
        # Objectives, because minimisers may tie; the kernel's rounding enters by its root.
        ours = objective(values[i], norms[i], counts[i], sums[i])
        assert ours == pytest.approx(min(least), abs=1e-6)


def test_diagonal_kernels_by_bisection():
    rng = np.random.default_rng(8)
    scales = (fmpq(1), fmpq(1, 2), fmpq(1, 3))
    counts = rng.multinomial(6, [1 / 3] * 3, size=25)
    sums = counts * rng.integers(-8, 9, size=counts.shape) / 8
    table = np.array([1, 0.5, 1 / 3])
    norms, values = batched.batched_orthogonal(counts, sums, table, 0.25)
    others, heights = batched.batched_clipped(np.diag(table), counts, sums, 0.25)
    # Bisection stops at 2^-36 of a range below 3; heights move at most 8 times as fast.
    assert norms == pytest.approx(others, abs=1e-9)
    assert values == pytest.approx(heights, abs=1e-8)
    for i, (c, s) in enumerate(zip(counts, sums, strict=True)):
        exact = tuple(fmpq(int(v * 8), 8) for v in s)
        ((found, norm),) = clipped_minimisers(
            diagonal(scales), tuple(int(v) for v in c), exact, fmpq(1, 4)
        )
        assert norms[i] == pytest.approx(float(norm), abs=1e-9)
        assert values[i] == pytest.approx([float(h) for h in found], abs=1e-8)


def test_the_root_by_hand():
    # One term: k z^2 / (k r + half)^2 = 1 at r = (sqrt(k) |z| - half) / k; none below zero.
    roots = batched.norm_root(
        np.array([[4.0], [4.0]]), np.array([[3.0], [0.1]]), np.ones(2), np.zeros(2)
    )
    assert roots == pytest.approx([5 / 4, 0])
