"""Three random-feature methods for least squares, one pass, on coordinates of a vector as features.

A feature is a uniform coordinate of x in R^D. Batches are arrays with the step size as last axis,
so that a whole grid of step sizes runs at once.
Source: Livni, Carmon and Globerson, ICML 2017, section 6.
"""

from __future__ import annotations

from typing import Any

STEPS = tuple(2.0**k for k in range(-6, 7))  # times 1 and times 1/sqrt(t): two schedules
SPARSITY = 5  # training points combined into the target; the paper says "sparse" only


def toy_data(D: int, T: int, rng: Any) -> tuple[Any, Any]:
    """Clipped Gaussian points (T, D) and labels a . x_i, a a random sparse combination of points.

    Labels are scaled to [-1, 1], the range that the theory asks for.
    """
    import numpy

    x = numpy.maximum(rng.standard_normal((T, D)), 0)
    chosen = rng.choice(T, SPARSITY, replace=False)
    y = x @ (rng.standard_normal(SPARSITY) @ x[chosen])
    return x, y / numpy.abs(y).max()


def step_grid(T: int) -> Any:
    """Step sizes (T, G): constant and decreasing as 1/sqrt(t)."""
    import numpy

    steps = numpy.array(STEPS)
    rounds = numpy.sqrt(numpy.arange(1, T + 1))[:, None]
    return numpy.concatenate([numpy.broadcast_to(steps, (T, len(steps))), steps / rounds], axis=1)


def fixed_random(x: Any, y: Any, r: int, rng: Any) -> float:
    """Least mean online loss over the grid: gradient descent on r features shared by all points."""
    import numpy

    T, D = x.shape
    features = x[:, rng.integers(D, size=r)] / numpy.sqrt(r)
    return _descent(y, step_grid(T), lambda t: features[:t] @ features[t])


def doubly_stochastic(x: Any, y: Any, k: int, rng: Any) -> float:
    """Each point keeps k features of its own for every later product with it."""
    import numpy

    T, D = x.shape
    own = rng.integers(D, size=(T, k))
    values = numpy.take_along_axis(x, own, axis=1)
    return _descent(y, step_grid(T), lambda t: (values[:t] * x[t][own[:t]]).mean(axis=1))


def _descent(y: Any, steps: Any, kernel_row: Any) -> float:
    """Online descent on estimated kernel rows k(x_1..t, x_t); diverged runs count as infinite."""
    import numpy

    alpha, losses = numpy.zeros(steps.shape), numpy.zeros(steps.shape[1])
    with numpy.errstate(over="ignore", invalid="ignore"):
        for t, label in enumerate(y):
            estimate = kernel_row(t) @ alpha[:t]
            losses += (estimate - label) ** 2 / 2
            alpha[t] = steps[t] * (label - estimate)
    return float(numpy.nan_to_num(losses, nan=numpy.inf).min() / len(y))


def shrinking_gradient(x: Any, y: Any, m: int, rng: Any, B: float = 1.0) -> float:
    """Algorithm 1 with a descent step: m fresh draws of (i, w) per round, loss of the exact f_t.

    The loss is that of <f_t, Phi(x_t)> itself, which favours the method over charging the estimate.
    """
    import numpy

    T, D = x.shape
    steps = step_grid(T)
    alpha, losses = numpy.zeros(steps.shape), numpy.zeros(steps.shape[1])
    kernel = x @ x.T / D
    with numpy.errstate(over="ignore", invalid="ignore"):
        for t, label in enumerate(y):
            losses += (kernel[t, :t] @ alpha[:t] - label) ** 2 / 2
            estimate = numpy.zeros(steps.shape[1])
            if t:
                masses = numpy.abs(alpha[:t])
                total = masses.sum(axis=0)
                cumulative = numpy.cumsum(masses, axis=0) / numpy.where(total > 0, total, 1)
                picks = rng.random((m, steps.shape[1]))
                i = (picks[:, None, :] > cumulative[None]).sum(axis=1).clip(max=t - 1)
                w = rng.integers(D, size=i.shape)
                signs = numpy.sign(numpy.take_along_axis(alpha[:t], i, axis=0))
                estimate = total * (signs * x[i, w] * x[t, w]).mean(axis=0)
            small = numpy.abs(estimate) < 16 * B
            alpha[:t] = numpy.where(small, alpha[:t], alpha[:t] / 4)
            alpha[t] = numpy.where(small, steps[t] * (label - estimate), 0)
    return float(numpy.nan_to_num(losses, nan=numpy.inf).min() / T)
