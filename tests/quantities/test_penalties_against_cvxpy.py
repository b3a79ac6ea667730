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
from boundcheck.quantities.certified_penalties import (
    convex_loss,
    objective_bounds,
    unsquared_minimiser,
)
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
    third = (fmpq(1, 3),) * 3
    low, high = objective_bounds(gram, y, third, weight, a, loss="square", squared=True)
    assert low == high  # the slopes of the fit are dual feasible and exact
    b = cvxpy.Variable(3)
    targets = np.array([float(v) for v in y])
    value = cvxpy.sum_squares(factor(gram) @ b - targets) / 3
    reached = solved(value + float(weight) * cvxpy.sum_squares(b))
    assert float(high) == pytest.approx(reached, abs=SOLVER)


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


@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize("loss", ["square", "absolute", "hinge", "logistic"])
@pytest.mark.parametrize("kind", KINDS)
def test_bounds_on_the_least_objective(kind, loss, squared):
    rng = np.random.default_rng([KINDS.index(kind), squared])
    gram = hostile_gram(rng, kind, size=6)
    weight, shares = fmpq(1, 20), (fmpq(1, 6),) * 6
    labels = loss in ("hinge", "logistic")
    y = tuple(fmpq(int(rng.choice((-1, 1)))) if labels else rational(rng, -2, 2)
              for _ in range(6))  # fmt: skip
    b, fitted, table = cvxpy.Variable(6), cvxpy.Variable(6), factor(gram)
    targets = np.array([float(v) for v in y])
    margins = cvxpy.multiply(targets, fitted)
    value = {
        "square": lambda: cvxpy.square(fitted - targets),
        "absolute": lambda: cvxpy.abs(fitted - targets),
        "hinge": lambda: cvxpy.pos(1 - margins),
        "logistic": lambda: cvxpy.logistic(-margins),
    }[loss]()
    penalty = cvxpy.sum_squares(b) if squared else cvxpy.norm(b, 2)
    tie = fitted == table @ b
    reached = solved(cvxpy.sum(value) / 6 + float(weight) * penalty, [tie])
    # The multipliers of fitted = K a are slopes of the loss; their sign is the solver's affair.
    duals = np.sign(tie.dual_value @ table @ b.value) * tie.dual_value
    a = np.linalg.pinv(table.T) @ b.value
    low, high = objective_bounds(
        gram, y, shares, weight, a, loss=loss, squared=squared, duals=duals
    )
    assert float(low) - SOLVER <= reached <= float(high) + SOLVER
    # Primal and dual are both taken from a solution that is accurate to the solver's tolerance.
    assert 0 <= float(high - low) <= 10 * SOLVER


@pytest.mark.parametrize("kind", KINDS)
def test_logistic_loss_with_unsquared_norm(kind):
    rng = np.random.default_rng(KINDS.index(kind))
    gram = hostile_gram(rng, kind)
    rho, eta = (fmpq(1, 2), fmpq(1, 4), fmpq(1, 4)), (fmpq(1), fmpq(1, 8), fmpq(0))
    weight = fmpq(1, 30)
    fit_ = unsquared_minimiser(gram, rho, eta, weight, "logistic", fmpq(1), fmpq(1))
    ours = float(weight * fit_.norm)
    for p, e, v in zip(rho, eta, fit_.values, strict=True):
        up, down = (convex_loss("logistic", v, fmpq(s)) for s in (1, -1))
        ours += float(p * e * up + p * (1 - e) * down)
    b = cvxpy.Variable(3)
    at = factor(gram) @ b
    chances, labels = np.array([float(p) for p in rho]), np.array([float(e) for e in eta])
    value = cvxpy.multiply(chances * labels, cvxpy.logistic(-at))
    value += cvxpy.multiply(chances * (1 - labels), cvxpy.logistic(at))
    reached = solved(cvxpy.sum(value) + float(weight) * cvxpy.norm(b, 2))
    assert ours == pytest.approx(reached, abs=SOLVER)
    # Balls of 64 bits cannot tell which side of a norm known to 1e-12 or so they are on.
    assert float(fit_.error) < 1e-10
    images = apply(gram, [v.mid().fmpq() if hasattr(v, "mid") else v for v in fit_.coefficients])
    for v, w in zip(fit_.values, images, strict=True):
        assert abs(float(v) - float(w)) < 1e-9
