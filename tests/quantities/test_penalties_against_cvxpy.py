"""Penalised estimators against cvxpy on random, rank-deficient and near-singular kernels.

Clarabel stops at a duality gap of 1e-8 max(1, objective) with residuals of 1e-8; the objectives
here are at most 6 and Lipschitz in the residuals with constants at most 20, so 1e-6 leaves a factor
of three. The float factor of the kernel moves values of functions of norm r by 1e-8 r at most (the
root of the rounding 1e-16), hence objectives by 1e-6 for the norms below 50 that occur.
"""

import itertools

import numpy as np
import pytest
from flint import fmpq, fmpq_mat

from boundcheck.quantities import clipped_minimisers as square, regularised
from boundcheck.quantities.rkhs import apply, ridge_weights

from .penalty_worlds import KINDS, drawn, factor, hostile_gram, rational

cvxpy = pytest.importorskip("cvxpy", reason="pip install 'boundcheck[test]'")

SOLVER = 1e-6
CASES = [(kind, seed) for kind in KINDS for seed in range(3)]


def solved(objective, constraints=()):
    """(least value, whether the constraints can be met)."""
    problem = cvxpy.Problem(cvxpy.Minimize(objective), list(constraints))
    problem.solve(solver=cvxpy.CLARABEL)
    return problem.value if problem.status in ("optimal", "optimal_inaccurate") else np.inf


def sample(kind, seed):
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    gram = hostile_gram(rng, kind)
    counts, sums = drawn(rng)
    return rng, gram, counts, sums, fmpq(1, int(rng.integers(2, 40)))


def fit_terms(counts, sums):
    shares = np.array(counts) / sum(counts)
    return shares, np.array([float(s / c) for c, s in zip(counts, sums, strict=True)])


def fit(values, counts, sums):
    shares, means = fit_terms(counts, sums)
    return float(shares @ (np.array([float(v) for v in values]) - means) ** 2)


@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_square_loss_with_unsquared_norm(kind, seed):
    _, gram, counts, sums, weight = sample(kind, seed)
    values, norm = square.square_minimiser(gram, counts, sums, weight)
    ours = fit(values, counts, sums) + float(weight * norm)
    shares, means = fit_terms(counts, sums)
    b, table = cvxpy.Variable(3), factor(gram)
    value = shares @ cvxpy.square(table @ b - means) + float(weight) * cvxpy.norm(b, 2)
    assert ours == pytest.approx(solved(value), abs=SOLVER)
    # Strong convexity: sum_i share_i gap_i^2 is at most the excess objective, share_i >= 1/6.
    reached = table @ b.value
    assert [float(v) for v in values] == pytest.approx(reached, abs=(6 * SOLVER) ** 0.5)


@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_ridge(kind, seed):
    rng, gram, _, _, weight = sample(kind, seed)
    y = tuple(rational(rng, -2, 2) for _ in range(3))
    a = ridge_weights(gram, y, weight)
    values = apply(gram, a)
    ours = sum((v - t) ** 2 for v, t in zip(values, y, strict=True)) / 3
    ours += weight * sum(v * c for v, c in zip(values, a, strict=True))
    b = cvxpy.Variable(3)
    targets = np.array([float(v) for v in y])
    value = cvxpy.sum_squares(factor(gram) @ b - targets) / 3
    reached = solved(value + float(weight) * cvxpy.sum_squares(b))
    assert float(ours) == pytest.approx(reached, abs=SOLVER)


@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_clipped_square_loss(kind, seed):
    _, gram, counts, sums, weight = sample(kind, seed)
    found = square.clipped_minimisers(gram, counts, sums, weight)
    ours = [
        fit([regularised.truncate(v) for v in values], counts, sums) + float(weight * norm)
        for values, norm in found
    ]
    shares, means = fit_terms(counts, sums)
    b, table = cvxpy.Variable(3), factor(gram)
    reached = []
    for sides in itertools.product((-1, 0, 1), repeat=3):
        value, limits = float(weight) * cvxpy.norm(b, 2), []
        for j, side in enumerate(sides):
            at = table[j] @ b
            inside = (at <= 1, at >= -1)
            limits += inside if side == 0 else [side * at >= 1]
            value += shares[j] * (cvxpy.square(at - means[j]) if side == 0
                                  else (side - means[j]) ** 2)  # fmt: skip
        reached.append(solved(value, limits))
    assert ours == pytest.approx([min(reached)] * len(ours), abs=SOLVER)


@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_piecewise_linear_losses(kind, seed):
    rng, gram, counts, _, weight = sample(kind, seed)
    places = [sorted(rng.choice(np.arange(-64, 65), 2, replace=False)) for _ in range(3)]
    knots = fmpq_mat(3, 2, [fmpq(int(k), 32) for row in places for k in row])
    losses = fmpq_mat(3, 2, [rational(rng) for _ in range(6)])
    seen = regularised.frequencies(counts)
    found = regularised.penalised_minimisers(gram, counts, knots, losses, weight)
    ours = [
        float(regularised.mean_loss(knots, losses, values, seen) + weight * norm)
        for values, norm in found
    ]
    b, table = cvxpy.Variable(3), factor(gram)
    reached = []
    for pieces in itertools.product(range(3), repeat=3):
        value, limits = float(weight) * cvxpy.norm(b, 2), []
        for j, piece in enumerate(pieces):
            at, share = table[j] @ b, float(seen[j])
            low, high = float(knots[j, 0]), float(knots[j, 1])
            left, right = float(losses[j, 0]), float(losses[j, 1])
            slope = (right - left) / (high - low)
            limits += [[at <= low], [at >= low, at <= high], [at >= high]][piece]
            value += share * [left, left + slope * (at - low), right][piece]
        reached.append(solved(value, limits))
    assert ours == pytest.approx([min(reached)] * len(ours), abs=SOLVER)
