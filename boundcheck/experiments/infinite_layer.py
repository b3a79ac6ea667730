"""Online regression in one pass with sampled features: three methods, many runs at once.

A feature is a coordinate of x in R^D, uniform: k(x, x') = <x, x'> / D. Runs are the product of S
streams of data and G rows of step sizes, and everything is vectorised over both; the random draws
of the runs are independent.

Shrinking gradient   f_t = sum_i alpha_i Phi(x_i); <f_t, Phi(x_t)> is estimated from m draws of
                     (i, w), i with probability |alpha_i| / ||alpha||_1; an estimate of at least
                     16 B shrinks alpha to alpha / 4, any other one appends a coefficient.
Fixed random         r features, drawn once for all points.
Doubly stochastic    k features per training point, kept for all later products with it.

The state of a run of the shrinking gradient is scale * beta, so that shrinking is a scalar and the
running sums of |beta| only grow at their end: a draw of i is a binary search in them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

PRINTED, DESCENT = -1, 1  # sign of eta (y_t - E_t) in the update: as printed, and as analysed
FAINT = 2.0**-300  # scale below which a run's state is renormalised


@dataclass(frozen=True)
class Pass:
    """One pass over T points, for S streams and G rows of step sizes.

    Args:
        predictions: values f_t(x_t) of the functions played, (S, G, T); None if not measured.
        estimates: what the method itself computes for f_t(x_t), (S, G, T).
        final: mean over the T points of the squared loss of the last function, (S, G), or None.
        coefficients: alpha^(T+1), (S, G, T).
    """

    predictions: Any
    estimates: Any
    final: Any
    coefficients: Any


def clipped_points(rng: Any, streams: int, rounds: int, dimension: int) -> Any:
    """Standard Gaussian points with negative entries set to zero, (S, T, D)."""
    import numpy

    return numpy.maximum(rng.standard_normal((streams, rounds, dimension)), 0.0)


def sparse_labels(rng: Any, x: Any, support: int = 5) -> tuple[Any, Any]:
    """Labels of a sparse combination of the points of a stream, and the norm of the target.

    y_t = <a, x_t> with a = sum_i c_i x_i, `support` standard normal c_i, scaled to max |y_t| = 1.
    Args: x: (S, T, D).
    Returns: y (S, T), norm (S,): the norm D^(1/2) |a| of the target in L2(mu).
    """
    import numpy

    streams, rounds, dimension = x.shape
    shares = numpy.zeros((streams, rounds))
    for row in shares:
        row[rng.choice(rounds, support, replace=False)] = rng.standard_normal(support)
    a = (shares[:, None, :] @ x)[:, 0]
    y = (x @ a[:, :, None])[:, :, 0]
    largest = abs(y).max(axis=1)
    norm = dimension**0.5 * numpy.linalg.norm(a, axis=1) / largest
    return y / largest[:, None], norm


def feature_counts(rng: Any, shape: tuple[int, ...], features: int, dimension: int) -> Any:
    """How often each coordinate comes up among `features` uniform draws, (*shape, D)."""
    import numpy

    if features >= 4 * dimension:
        return rng.multinomial(features, numpy.full(dimension, 1 / dimension), size=shape)
    rows = int(numpy.prod(shape))
    draws = rng.integers(dimension, size=(rows, features))
    draws += numpy.arange(rows)[:, None] * dimension
    counts = numpy.bincount(draws.ravel(), minlength=rows * dimension)
    return counts.reshape(*shape, dimension)


def gradient_pass(kernel: Any, y: Any, steps: Any) -> Pass:
    """Online gradient descent alpha_t = eta_t (y_t - f_t(x_t)), f_t(x_t) = sum_i alpha_i K_it.

    Args: kernel: K_it, a point i as a centre against a point t, (S, T, T). y: (S, T). steps:
    (G, T). A run that diverges ends in infinities or nan.
    """
    import numpy

    streams, rounds = y.shape
    alpha = numpy.zeros((streams, len(steps), rounds))
    predictions = numpy.zeros_like(alpha)
    with numpy.errstate(over="ignore", invalid="ignore"):
        for t in range(rounds):
            values = (alpha[:, :, :t] @ kernel[:, :t, t, None])[:, :, 0]
            predictions[:, :, t] = values
            alpha[:, :, t] = steps[:, t] * (y[:, None, t] - values)
        final = ((alpha @ kernel - y[:, None]) ** 2).mean(axis=2) / 2
    return Pass(predictions, predictions, final, alpha)


def fixed_random(x: Any, y: Any, *, steps: Any, features: int, rng: Any) -> Pass:
    """Gradient descent on `features` coordinates drawn once per stream."""
    counts = feature_counts(rng, (len(x),), features, x.shape[2])
    kernel = (x * (counts / features)[:, None, :]) @ x.transpose(0, 2, 1)
    return gradient_pass(kernel, y, steps)


def doubly_stochastic(x: Any, y: Any, *, steps: Any, features: int, rng: Any) -> Pass:
    """Gradient descent with `features` coordinates drawn for each point, kept as its centre's."""
    counts = feature_counts(rng, x.shape[:2], features, x.shape[2])
    kernel = (x * (counts / features)) @ x.transpose(0, 2, 1)
    return gradient_pass(kernel, y, steps)


def shrinking_gradient(
    x: Any, y: Any, *, steps: Any, bound: Any, samples: int, rng: Any, update: int = DESCENT,
    measure: bool = True,
) -> Pass:  # fmt: skip
    """The shrinking gradient, literally: m = `samples` fresh draws of (i, w) per round and run.

    Args: x (S, T, D), y (S, T). steps: eta, (G, T). bound: B, a number or (S,). update: DESCENT,
        or PRINTED for -eta (y_t - E_t). measure: the exact values f_t(x_t), which no run sees and
        which take a T x T kernel matrix per stream.
    Draws per round after the first: rng.random then rng.integers, each (S G, m).
    """
    import numpy

    (streams, rounds, dimension), copies = x.shape, len(steps)
    kernel: Any = x @ x.transpose(0, 2, 1) / dimension if measure else None
    state = _Coefficients(streams * copies, rounds)
    flat = numpy.ascontiguousarray(x).reshape(-1)
    home = numpy.repeat(numpy.arange(streams) * rounds * dimension, copies)[:, None]
    limit = numpy.repeat(numpy.broadcast_to(16.0 * numpy.asarray(bound), streams), copies)
    shape = (streams, copies, rounds)
    predictions, estimates = numpy.zeros(shape), numpy.zeros(shape)
    for t in range(rounds):
        estimate = numpy.zeros(streams * copies)
        if t:
            uniforms = rng.random((streams * copies, samples))
            picks = rng.integers(dimension, size=(streams * copies, samples))
            picks += home  # the coordinate in the first point of the run's stream
            point, sign = state.draw(uniforms)
            product = flat.take(picks + t * dimension)
            point *= dimension
            picks += point
            product *= flat.take(picks)
            product *= sign
            estimate = state.norm * product.sum(axis=1) / samples
            if measure:
                values = state.beta.reshape(shape)[:, :, :t] @ kernel[:, :t, t, None]
                predictions[:, :, t] = values[:, :, 0] * state.scale.reshape(streams, copies)
        estimates[:, :, t] = estimate.reshape(streams, copies)
        new = update * steps[:, t] * (y[:, None, t] - estimates[:, :, t])
        state.update(new.reshape(-1), abs(estimate) < limit)
    alpha = (state.beta * state.scale[:, None]).reshape(shape)
    if not measure:
        return Pass(None, estimates, None, alpha)
    final = ((alpha @ kernel - y[:, None]) ** 2).mean(axis=2) / 2
    return Pass(predictions, estimates, final, alpha)


class _Coefficients:
    """alpha = scale * beta of many runs, with the running sums of |beta|."""

    def __init__(self, runs: int, rounds: int) -> None:
        import numpy

        width = 1 << (rounds - 1).bit_length()  # a power of two, so that searches stay in a row
        self.beta = numpy.zeros((runs, rounds))
        self.sums = numpy.full((runs, width), numpy.inf)
        self.scale = numpy.ones(runs)
        self.length = 0
        self.rows = numpy.arange(runs)[:, None]

    @property
    def norm(self) -> Any:
        """||alpha||_1, (runs,)."""
        return self.scale * self.sums[:, self.length - 1]

    def draw(self, uniforms: Any) -> tuple[Any, Any]:
        """Index i with probability |alpha_i| / ||alpha||_1 and its sign, each of uniforms' shape.

        i is the first index whose running sum exceeds u * total, which exists since u < 1. A run
        with alpha = 0 gets some index; its estimate is 0 by its norm.
        """
        import numpy

        target = uniforms * self.sums[:, self.length - 1, None]
        place = numpy.empty(uniforms.shape, numpy.intp)
        place[...] = self.rows * self.sums.shape[1]
        flat = self.sums.reshape(-1)
        step = (1 << (self.length - 1).bit_length()) >> 1
        while step:
            place += (flat[step - 1 :].take(place) <= target) * step
            step >>= 1
        place -= self.rows * self.sums.shape[1]
        return place, numpy.sign(self.beta.reshape(-1).take(place + self.rows * self.beta.shape[1]))

    def update(self, new: Any, kept: Any) -> None:
        """Append `new` where `kept`; append 0 and divide everything by 4 elsewhere."""
        import numpy

        t = self.length
        appended = numpy.where(kept, new / self.scale, 0.0)
        self.beta[:, t] = appended
        self.sums[:, t] = abs(appended) + (self.sums[:, t - 1] if t else 0.0)
        self.scale[~kept] /= 4
        faint = self.scale < FAINT
        if faint.any():
            self.beta[faint] *= self.scale[faint, None]
            self.sums[faint] *= self.scale[faint, None]
            self.scale[faint] = 1.0
        self.length += 1
