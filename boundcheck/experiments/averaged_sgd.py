"""Averaged SGD for logistic loss with explicit features of points in the plane, one run at a time.

Step t   g_{t+1} = (1 - eta_t lambda) g_t - eta_t l'(g_t(x_t), y_t) k(., x_t),
         eta_t = 2 / (lambda (gamma + t)), g_1 = 0
Average  weights proportional to gamma + t - 1 on g_t, t = 1 .. T + 1.

With g_t = s_t v_t the shrinkage is a scalar, and a step only adds a multiple of a feature vector to
v and to u = sum_k (sum_{j < k} weight_j s_{j+1}) (v_{k+1} - v_k), from which every average follows.
Features are single precision, v, u and all sums are double. `run` takes the compiled loops where
numba is installed and blocks of matrix products in NumPy otherwise; their features agree within
twice `FourierFeatures.feature_error`, and what that does to a run is measured by a third way with
features in double precision (`double=True`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from typing import Protocol

import numpy
from numpy.typing import NDArray

Array = NDArray[numpy.float64]
Single = NDArray[numpy.float32]
BLOCK = 64  # steps between two matrix products of the NumPy path
ROUNDOFF = 2.0**-24  # of single precision


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

    def steps(self) -> tuple[Array, Array, Array]:
        """(eta, scale, weight) for t = 1..T: scale s_{t+1} after step t, weight of g_{t+1}."""
        t = numpy.arange(1, self.iterations + 1, dtype=numpy.float64)
        eta = 2 / (self.lambda_ * (self.gamma + t))
        scale = numpy.cumprod(1 - eta * self.lambda_, dtype=numpy.float64)
        return eta, scale, 2 * (self.gamma + t)

    def sums(self) -> tuple[Array, Array, Array, Array]:
        """(eta, scale, share, mass): share_t sums weight s, mass_t the weights with that of g_1."""
        eta, scale, weight = self.steps()
        return eta, scale, numpy.cumsum(weight * scale), 2 * self.gamma + numpy.cumsum(weight)


class Features(Protocol):
    """What a loop needs to know of a feature map."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the coefficients of a function."""

    @property
    def weight(self) -> float:
        """Squared factor of a feature: k(x, x') = weight <phi(x), phi(x')>."""

    def __call__(self, points: Single | Array) -> Array:
        """phi of points (b, 2), (b, number of coefficients)."""


@dataclass(frozen=True)
class FourierFeatures:
    """Random Fourier features of the Gaussian kernel exp(-|x-x'|^2 / (2 width^2)).

    Args:
        turns: frequencies over 2 pi, (2, D) float32. phases: (D,) float32, in turns.
        weight: squared factor of a feature.
    Real features sqrt(2) cos(w.x + b) / sqrt(M) have D = M; complex ones exp(i w.x) / sqrt(M) are
    the 2 M real coordinates (cos, sin) / sqrt(M), a sine being a cosine a quarter turn late.
    Source: Rahimi and Recht, NIPS 2007.
    """

    turns: Single
    phases: Single
    weight: float

    @classmethod
    def draw(
        cls, rng: numpy.random.Generator, features: int, width: float, *, real: bool
    ) -> FourierFeatures:
        """M fresh features; frequencies are drawn before phases, so both kinds share them."""
        turns = rng.standard_normal((2, features)) / (2 * numpy.pi * width)
        if real:
            phases, weight = rng.random(features), 2 / features
        else:
            turns, weight = numpy.concatenate([turns, turns], axis=1), 1 / features
            phases = numpy.repeat([0.0, -0.25], features)
        return cls(turns.astype(numpy.float32), phases.astype(numpy.float32), weight)

    @property
    def shape(self) -> tuple[int, ...]:
        """(D,)."""
        return self.phases.shape

    def __call__(self, points: Single | Array) -> Array:
        """Unscaled cosines (b, D), in the precision of the points."""
        phase = points @ self.turns.astype(points.dtype)
        phase += self.phases
        phase -= numpy.rint(phase)
        phase *= points.dtype.type(2 * numpy.pi)
        cosines: Array = numpy.cos(phase, out=phase).astype(float, copy=False)
        return cosines

    def on_grid(self, coefficients: Array, axis: Array) -> Array:
        """Values of functions (C, D) on the product of an axis (m,) with itself, (C, m, m)."""
        turns, (size, count) = self.turns.astype(float), (len(axis), self.phases.size)
        left, right = 2 * numpy.pi * axis[:, None] * turns[:, None]
        left += 2 * numpy.pi * self.phases.astype(float)
        tables = [numpy.stack([numpy.cos(angle), numpy.sin(angle)]) for angle in (left, right)]
        cosines = numpy.empty((size, size, count))
        if has_numba():
            from boundcheck.experiments.compiled import grid_cosines

            grid_cosines(tables[0], tables[1], cosines)
        else:
            (cos, sin), (other_cos, other_sin) = tables
            numpy.multiply(cos[:, None], other_cos, out=cosines)
            cosines -= sin[:, None] * other_sin
        return (coefficients @ cosines.reshape(-1, count).T).reshape(-1, size, size)

    def _waves(self, coefficients: Array) -> tuple[NDArray[numpy.complex128], Array]:
        """Functions as Re sum_j c_j exp(2 pi i f_j.x), a cosine and sine of one f together."""
        waves = numpy.exp(2j * numpy.pi * self.phases.astype(float))
        weights: NDArray[numpy.complex128] = numpy.multiply(coefficients, waves)
        turns, half = self.turns.astype(float), self.phases.size // 2
        if half and numpy.array_equal(turns[:, :half], turns[:, half:]):
            return weights[:, :half] + weights[:, half:], turns[:, :half]
        return weights, turns

    def derivative_bounds(self, coefficients: Array, order: int) -> Array:
        """sup |d^order f / dx_i^order| <= sum_j |c_j| |w_ji|^order, (2, C)."""
        weights, turns = self._waves(coefficients)
        return (2 * numpy.pi * abs(turns)) ** order @ abs(weights).T

    def feature_error(self, reach: float = 1.0) -> float:
        """Error of a cosine at points of [-reach, reach]^2, in either path.

        The phase is a sum of three terms, each rounded, and so is its reduction: six roundings of
        numbers below the largest phase, times 2 pi; the cosine itself adds a few units.
        """
        largest = float(abs(self.turns).sum(axis=0).max()) * reach + 1
        return (2 * numpy.pi * 6 * largest + 8) * ROUNDOFF


def taylor_order(width: float, reach: float = 1.0, tolerance: float = 1e-9) -> int:
    """Number of Taylor features per coordinate that represent the Gaussian kernel to `tolerance`.

    The neglected part is the tail of a Poisson law with mean (reach / width)^2.
    """
    from scipy.stats import poisson

    order = 1
    while poisson.sf(order - 1, (reach / width) ** 2) > tolerance / 4:
        order += 1
    return order


def taylor_table(x: Single | Array, width: float, order: int) -> Array:
    """exp(-x^2 / (2 w^2)) (x / w)^k / sqrt(k!) for k < order: the kernel in one coordinate.

    Source: Cotter, Keshet and Srebro, arXiv:1109.4603 (2011).
    """
    scaled = numpy.asarray(x, dtype=float) / width
    table = numpy.empty((*scaled.shape, order))
    table[..., 0] = numpy.exp(-(scaled**2) / 2)
    for k in range(1, order):
        table[..., k] = table[..., k - 1] * scaled / k**0.5
    return table


@dataclass(frozen=True)
class TaylorFeatures:
    """The full Gaussian kernel on [-1, 1]^2 as order^2 product features, in double precision."""

    width: float
    order: int
    weight: float = 1.0

    @classmethod
    def of(cls, width: float) -> TaylorFeatures:
        """Enough of them for the kernel to 1e-9."""
        return cls(width, taylor_order(width))

    @property
    def shape(self) -> tuple[int, ...]:
        """(order, order)."""
        return self.order, self.order

    def __call__(self, points: Single | Array) -> Array:
        """Features (b, order^2)."""
        table = taylor_table(points, self.width, self.order)
        return (table[:, 0, :, None] * table[:, 1, None, :]).reshape(len(points), -1)

    def on_grid(self, coefficients: Array, axis: Array) -> Array:
        """Values of functions (C, order, order) on the product of an axis with itself."""
        table = taylor_table(axis, self.width, self.order)
        return table @ coefficients @ table.T

    def derivative_bounds(self, coefficients: Array, order: int) -> Array:
        """||f|| (1 3 .. (2 order - 1))^(1/2) / width^order in the space of the kernel, (2, C)."""
        norm = numpy.linalg.norm(coefficients, axis=(1, 2))
        odd = float(numpy.prod(numpy.arange(1.0, 2 * order, 2))) ** 0.5
        bounds: Array = numpy.stack([norm, norm]) * odd / self.width**order
        return bounds


@cache
def has_numba() -> bool:
    """Whether the compiled loops can be used."""
    return find_spec("numba") is not None


def run(
    points: Single, labels: Array, features: FourierFeatures | TaylorFeatures, schedule: Schedule,
    *, compiled: bool | None = None, double: bool = False,
) -> Array:  # fmt: skip
    """Averaged iterates of one run: coefficients on `features`, (checkpoints, *features.shape).

    Args: points (T, 2) float32 in [-1, 1]^2, labels (T,) in {-1, 1}. compiled: True, False, or
    None for the compiled loops where numba is installed. double: features in double precision,
    not compiled.

    >>> points, labels = numpy.array([[0.5, 0.5]], numpy.float32), numpy.array([1.0])
    >>> schedule = Schedule(gamma=3.0, lambda_=0.5, iterations=1, checkpoints=(1,))
    >>> features = FourierFeatures(numpy.zeros((2, 1), numpy.float32), numpy.zeros(1, "f4"), 1.0)
    >>> run(points, labels, features, schedule).round(5)  # g_2 = 1/2, 8 of the weights 6 + 8
    array([[0.28571]])
    """
    if double:
        return _blocks(points.astype(float), labels, features, schedule)
    if has_numba() if compiled is None else compiled:
        return _compiled(points, labels, features, schedule)
    return _blocks(points, labels, features, schedule)


def _compiled(
    points: Single, labels: Array, features: FourierFeatures | TaylorFeatures, schedule: Schedule
) -> Array:
    from boundcheck.experiments import compiled

    eta, scale, share, mass = schedule.sums()
    checkpoints = numpy.asarray(schedule.checkpoints)
    averages = numpy.zeros((len(checkpoints), *features.shape))
    rest = (eta * features.weight, scale, share, mass, checkpoints, averages)
    if isinstance(features, TaylorFeatures):
        compiled.taylor_run(points, labels, features.width, features.order, *rest)
    else:
        first, second = features.turns
        compiled.fourier_run(points, labels, first, second, features.phases, *rest)
    return averages


def _blocks(points: Single | Array, labels: Array, features: Features, schedule: Schedule) -> Array:
    """The same by matrix products over blocks of steps; only scalars are sequential."""
    eta, scale, share, mass = schedule.sums()
    size = int(numpy.prod(features.shape))
    v, u, found = numpy.zeros(size), numpy.zeros(size), []
    edges = sorted({*range(0, schedule.iterations, BLOCK), *schedule.checkpoints,
                    schedule.iterations})  # fmt: skip
    for start, stop in pairwise(edges):
        rows = slice(start, stop)
        phi = features(points[rows])
        by = _sequential(phi @ phi.T, phi @ v, labels, eta * features.weight, scale, rows)
        behind = numpy.concatenate([[share[start - 1] if start else 0.0], share[start : stop - 1]])
        v += by @ phi
        u += (by * behind) @ phi
        if stop in schedule.checkpoints:
            found.append((share[stop - 1] * v - u) / mass[stop - 1])
    return numpy.stack(found).reshape(-1, *features.shape)


def _sequential(
    gram: Array, base: Array, labels: Array, eta: Array, scale: Array, rows: slice
) -> Array:
    """Coefficients c with v_{t+1} = v_t + c_t phi_t for the steps of a block.

    base holds phi_t . v at the start of the block and is brought up to date step by step.
    """
    moves = numpy.zeros(len(base))
    for offset, t in enumerate(range(rows.start, rows.stop)):
        before = scale[t - 1] if t else 1.0
        slope = -labels[t] / (1 + numpy.exp(labels[t] * base[offset] * before))
        moves[offset] = -eta[t] / scale[t] * slope
        base[offset + 1 :] += moves[offset] * gram[offset, offset + 1 :]
    return moves


def geometric_checkpoints(iterations: int, count: int, first: int = 1) -> tuple[int, ...]:
    """About `count` iterations from `first` to T, equally spaced in the logarithm.

    >>> geometric_checkpoints(100, 5)
    (1, 3, 10, 32, 100)
    """
    steps = numpy.geomspace(min(first, iterations), iterations, count)
    return tuple(sorted({round(float(t)) for t in steps}))
