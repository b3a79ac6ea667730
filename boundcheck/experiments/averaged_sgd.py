"""Averaged SGD for logistic loss with explicit features: many runs at once, block by block.

Step t   g_{t+1} = (1 - eta_t lambda) g_t - eta_t l'(g_t(x_t), y_t) k(., x_t),
         eta_t = 2 / (lambda (gamma + t)), g_1 = 0
Average  weights proportional to gamma + t - 1 on g_t, t = 1 .. T + 1.

With g_t = s_t v_t the shrinkage is a scalar and a step only adds a multiple of a feature vector.
Inside a block of b steps the values g_t(x_t) need inner products with v at the start of the block
and the b x b Gram matrix of the block, so everything of size (features) is a matrix product, and
the sequential part is scalar per run. Features are single precision, sums run over at most
`block` terms before they are added to the state.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

FeatureMap = Callable[[Any, slice], Any]  # points (r, b, 2) of these runs -> (r, b, D), float32
CACHE = 1.2e6  # bytes of features handled at once, about a level-2 cache


@dataclass(frozen=True)
class Schedule:
    """Step sizes and averaging of one experiment.

    Args: gamma, lambda_: positive. iterations: T. checkpoints: iterations after which the average
    is evaluated, increasing, at most T.
    """

    gamma: float
    lambda_: float
    iterations: int
    checkpoints: tuple[int, ...]

    def steps(self) -> tuple[Any, Any, Any]:
        """(eta, scale, weight) for t = 1..T: scale s_{t+1} after step t, weight of g_{t+1}."""
        import numpy

        t = numpy.arange(1, self.iterations + 1)
        eta = 2 / (self.lambda_ * (self.gamma + t))
        scale = numpy.cumprod(1 - eta * self.lambda_)
        return eta, scale, 2 * (self.gamma + t)


def run_batch(
    draw: Callable[[int], tuple[Any, Any]],
    features: FeatureMap,
    dimension: int,
    runs: int,
    schedule: Schedule,
    evaluate: Callable[[Any], Any],
    block: int = 64,
) -> Any:
    """Averaged iterates of `runs` independent runs, evaluated at the checkpoints.

    Args:
        draw: b -> (points (runs, b, d), labels (runs, b) in {-1, 1}), fresh each call.
        features: points (r, b, d) and the runs they belong to -> features (r, b, dimension).
        evaluate: coefficients of the average (runs, dimension) -> results (runs, ...).
    Returns: array (checkpoints, runs, ...).
    """
    import numpy

    eta, scale, weight = schedule.steps()
    v = numpy.zeros((runs, dimension), numpy.float32)
    total = numpy.zeros((runs, dimension))
    mass, results = float(2 * schedule.gamma), []  # g_1 = 0 carries weight 2 gamma
    groups = _groups(runs, dimension, block)
    for start, stop in _blocks(schedule, block):
        points, labels = draw(stop - start)
        phi = numpy.empty((runs, stop - start, dimension), numpy.float32)
        gram = numpy.empty((runs, stop - start, stop - start), numpy.float32)
        base = numpy.empty((runs, stop - start))
        for part in groups:
            phi[part] = features(points[part], part)
            numpy.matmul(phi[part], phi[part].transpose(0, 2, 1), out=gram[part])
            base[part] = (phi[part] @ v[part, :, None])[:, :, 0]
        coefficients = _sequential(gram, base, labels, eta, scale, start, stop)
        # sum over the block of weight_t s_{t+1} v_{t+1}: v at the start, plus what each step adds.
        shares = weight[start:stop] * scale[start:stop]
        later = numpy.cumsum(shares[::-1])[::-1]
        stacked = numpy.stack([coefficients, coefficients * later], axis=1).astype(numpy.float32)
        moved = stacked @ phi
        total += shares.sum() * v + moved[:, 1]
        v += moved[:, 0]
        mass += float(weight[start:stop].sum())
        if stop in schedule.checkpoints:
            results.append(evaluate(total / mass))
    return numpy.stack(results)


def _groups(runs: int, dimension: int, block: int) -> list[slice]:
    """Runs whose features are made and multiplied while they are in the cache."""
    size = max(int(CACHE / (4 * dimension * block)), 1)
    return [slice(first, min(first + size, runs)) for first in range(0, runs, size)]


def _blocks(schedule: Schedule, block: int) -> list[tuple[int, int]]:
    edges = sorted({0, *range(0, schedule.iterations, block), *schedule.checkpoints,
                    schedule.iterations})  # fmt: skip
    return list(pairwise(edges))


def _sequential(
    gram: Any, base: Any, labels: Any, eta: Any, scale: Any, start: int, stop: int
) -> Any:
    """Coefficients c with v_{t+1} = v_t + c_t phi_t for the steps of a block, (runs, b).

    base holds phi_t . v at the start of the block and is brought up to date step by step.
    """
    import numpy

    coefficients = numpy.zeros(labels.shape)
    for offset, t in enumerate(range(start, stop)):
        before = scale[t - 1] if t else 1.0
        answers = labels[:, offset]
        slope = -answers / (1 + numpy.exp(answers * base[:, offset] * before))
        moved = (-eta[t] / scale[t]) * slope
        coefficients[:, offset] = moved
        base[:, offset + 1 :] += moved[:, None] * gram[:, offset, offset + 1 :]
    return coefficients


@dataclass(frozen=True)
class FourierFeatures:
    """Random Fourier features of the Gaussian kernel exp(-|x-x'|^2 / (2 width^2)), many runs.

    Args:
        frequencies: (runs, M, 2) float32. phases: (runs, M) for real features
            sqrt(2) cos(w.x + b) / sqrt(M), or None for complex ones exp(i w.x) / sqrt(M), which
            are 2 M real coordinates (cos, sin) / sqrt(M).
    """

    frequencies: Any
    phases: Any

    @classmethod
    def draw(
        cls, rng: Any, runs: int, features: int, width: float, *, real: bool
    ) -> FourierFeatures:
        """Fresh features for every run."""
        import numpy

        frequencies = (rng.standard_normal((runs, features, 2)) / width).astype(numpy.float32)
        phases = rng.uniform(0, 2 * numpy.pi, (runs, features)) if real else None
        return cls(frequencies, None if phases is None else phases.astype(numpy.float32))

    @property
    def dimension(self) -> int:
        """Number of real coordinates."""
        return self.frequencies.shape[1] * (2 if self.phases is None else 1)

    def __call__(self, points: Any, part: slice) -> Any:
        """Features (r, b, dimension) of points (r, b, 2) of the runs in `part`."""
        import numpy

        frequencies = self.frequencies[part]
        features = frequencies.shape[1]
        phase = points.astype(numpy.float32) @ frequencies.transpose(0, 2, 1)
        if self.phases is not None:
            phase += self.phases[part, None, :]
            numpy.cos(phase, out=phase)
            phase *= numpy.float32((2 / features) ** 0.5)
            return phase
        result = numpy.empty((*phase.shape[:-1], 2 * features), numpy.float32)
        numpy.cos(phase, out=result[..., :features])
        numpy.sin(phase, out=result[..., features:])
        result *= numpy.float32(features**-0.5)
        return result

    def tables(self, first: Any, second: Any) -> tuple[Any, Any]:
        """exp(i w_1 x_1) (runs, n1, M) and exp(i w_2 x_2) (runs, M, n2) on a product grid."""
        import numpy

        w = self.frequencies
        left = numpy.exp(1j * (first[None, :, None] * w[:, None, :, 0]))
        right = numpy.exp(1j * (second[None, None, :] * w[:, :, 1, None]))
        return left.astype(numpy.complex64), right.astype(numpy.complex64)

    def on_grid(self, tables: tuple[Any, Any], coefficients: Any) -> Any:
        """Function values on the grid, (runs, n1, n2): one matrix product per run."""
        import numpy

        left, right = tables
        features = right.shape[1]
        if self.phases is not None:
            weights = coefficients * numpy.exp(1j * self.phases) * (2 / features) ** 0.5
        else:
            weights = coefficients[:, :features] - 1j * coefficients[:, features:]
            weights = weights * features**-0.5
        return ((left * weights.astype(numpy.complex64)[:, None, :]) @ right).real


def taylor_order(width: float, reach: float = 1.0, tolerance: float = 1e-7) -> int:
    """Number of Taylor features per coordinate that represent the Gaussian kernel to `tolerance`.

    The neglected part is the tail of a Poisson law with mean (reach / width)^2.
    """
    from scipy.stats import poisson

    order = 1
    while poisson.sf(order - 1, (reach / width) ** 2) > tolerance / 4:
        order += 1
    return order


def taylor_table(x: Any, width: float, order: int) -> Any:
    """exp(-x^2 / (2 w^2)) (x / w)^k / sqrt(k!) for k < order: the kernel in one coordinate.

    Source: Cotter, Keshet and Srebro, arXiv:1109.4603 (2011).
    """
    import numpy

    scaled = numpy.asarray(x, dtype=float) / width
    table = numpy.empty((*scaled.shape, order))
    table[..., 0] = numpy.exp(-(scaled**2) / 2)
    for k in range(1, order):
        table[..., k] = table[..., k - 1] * scaled / k**0.5
    return table


def taylor_features(width: float, order: int) -> FeatureMap:
    """The full Gaussian kernel on [-1, 1]^2 as order^2 product features, to single precision."""
    import numpy

    def apply(points: Any, part: slice) -> Any:
        table = taylor_table(points, width, order).astype(numpy.float32)
        product = table[..., 0, :, None] * table[..., 1, None, :]
        return product.reshape(*product.shape[:-2], order * order)

    return apply


def taylor_on_grid(width: float, order: int, coefficients: Any, first: Any, second: Any) -> Any:
    """Function values on the product grid for Taylor features, (runs, n1, n2)."""
    left, right = taylor_table(first, width, order), taylor_table(second, width, order)
    table = coefficients.reshape(len(coefficients), order, order)
    return left @ table @ right.T


def geometric_checkpoints(iterations: int, count: int) -> tuple[int, ...]:
    """About `count` iterations from 1 to T, equally spaced in the logarithm.

    >>> geometric_checkpoints(100, 5)
    (1, 3, 10, 32, 100)
    """
    import numpy

    return tuple(sorted({round(float(t)) for t in numpy.geomspace(1, iterations, count)}))
