"""Classification by averaged SGD on the law of four squares: what an experiment is, and its runs.

x is uniform on the squares [-1, -.1] or [.1, 1] in either coordinate, P(Y = 1 | x) is `likelier`
on two of them and 1 - likelier on the others. A run draws its data and features from a stream of
its own, (seed, number of features, run), so runs can be computed in any order and anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import factorial, log

import numpy

from boundcheck.experiments import areas
from boundcheck.experiments.averaged_sgd import (
    Array,
    FourierFeatures,
    Schedule,
    Single,
    TaylorFeatures,
    geometric_checkpoints,
    run,
)

LAYOUTS = ("cross", "half")
KINDS = ("complex", "real")
CENTRE, HALF = 0.55, 0.45
SQUARES = ((1, 1), (1, -1), (-1, 1), (-1, -1))


@dataclass(frozen=True)
class Experiment:
    """All that a run depends on but its seed.

    Args:
        width: of the Gaussian kernel. layout: "cross", the likelier label is 1 where x_1 x_2 < 0,
            or "half", where x_1 > 0. kind: "complex" features exp(i w.x), R = 1, or "real" ones
            sqrt(2) cos(w.x + b), R^2 = 2.
        features: numbers of features M. gamma, lambda_, iterations: of averaged SGD.
        likelier: probability of the likelier label, above 1/2. runs: repetitions. points,
            first: number of checkpoints on a logarithmic scale, and the first of them.
    """

    width: float
    layout: str = "cross"
    kind: str = "complex"
    features: tuple[int, ...] = (100, 200, 500, 1000)
    gamma: float = 500.0
    lambda_: float = 0.001
    iterations: int = 12_000
    likelier: float = 0.8
    runs: int = 100
    points: int = 22
    first: int = 10

    @property
    def checkpoints(self) -> tuple[int, ...]:
        """Iterations at which a run is evaluated."""
        return geometric_checkpoints(self.iterations, self.points, self.first)

    @property
    def least_loss(self) -> float:
        """Expected logistic loss of the Bayes rule: the entropy of its label."""
        p = self.likelier
        return -p * log(p) - (1 - p) * log(1 - p)

    def side(self, x: Array | Single) -> Array:
        """The likelier label at points (..., 2)."""
        product = -x[..., 0] * x[..., 1] if self.layout == "cross" else x[..., 0]
        return numpy.where(product > 0, 1.0, -1.0)

    def draw(self, rng: numpy.random.Generator, size: int) -> tuple[Single, Array]:
        """Points (size, 2) in single precision and labels (size,)."""
        points = 0.1 + 0.9 * rng.random((size, 2), dtype=numpy.float32)
        points *= rng.integers(0, 2, (size, 2), dtype=numpy.int8) * numpy.int8(2) - numpy.int8(1)
        kept = rng.random(size, dtype=numpy.float32) < self.likelier
        return points, numpy.where(kept, 1.0, -1.0) * self.side(points)

    def feature_map(
        self, rng: numpy.random.Generator, features: int | None
    ) -> FourierFeatures | TaylorFeatures:
        """Fresh features, or the full kernel for None."""
        if features is None:
            return TaylorFeatures.of(self.width)
        return FourierFeatures.draw(rng, features, self.width, real=self.kind == "real")

    def node_count(self) -> int:
        """Chebyshev nodes per square and axis: a function of norm 1 is interpolated to 1e-8."""
        size, ratio = 4, HALF / (2 * self.width)
        while 4 * ratio**size / factorial(size) * float(
            numpy.prod(numpy.arange(1.0, 2 * size, 2)) ** 0.5) > 1e-8:  # fmt: skip
            size += 2
        return size


@dataclass(frozen=True)
class Curves:
    """Excess over the Bayes rule of every run at every checkpoint, enclosed.

    Args: low, high: bounds of the excess classification error, (runs, checkpoints). loss,
        loss_error: excess logistic loss and a bound of its error, or None.
    """

    low: Array
    high: Array
    loss: Array | None = None
    loss_error: Array | None = None

    @property
    def error(self) -> Array:
        """Middle of the bounds of the excess classification error."""
        return (self.low + self.high) / 2


def simulate(
    experiment: Experiment, features: int | None, seed: int, place: int,
    checkpoints: Sequence[int] = (), **options: bool,
) -> areas.Patches:  # fmt: skip
    """The averages of one run at the checkpoints as polynomials: 4 squares for each of them."""
    rng = numpy.random.default_rng([seed, features or 0, place])
    chosen = experiment.feature_map(rng, features)
    points, labels = experiment.draw(rng, experiment.iterations)
    schedule = Schedule(
        experiment.gamma, experiment.lambda_, experiment.iterations,
        tuple(checkpoints) or experiment.checkpoints,
    )  # fmt: skip
    averages = run(points, labels, chosen, schedule, **options)
    size = experiment.node_count()
    right = CENTRE + HALF * areas.nodes(size)
    values = chosen.on_grid(averages, numpy.concatenate([right, right - 2 * CENTRE]))
    split = values.reshape(-1, 2, size, 2, size).transpose(0, 1, 3, 2, 4).reshape(-1, size, size)
    bounds = chosen.derivative_bounds(averages, size)
    return areas.Patches.through(split, areas.interpolation_error(size, HALF, *bounds).repeat(4))


def evaluate(
    experiment: Experiment, patches: areas.Patches, *, loss: bool = False,
    relative: float = 0.1, absolute: float = 1e-7, loss_tolerance: float = 5e-4,
) -> Curves:  # fmt: skip
    """Excess error of functions, enclosed to `relative` or `absolute`, and excess loss.

    The arrays of the result have one row.
    """
    count = len(patches.delta) // 4
    signs = numpy.tile(experiment.side(numpy.array(SQUARES, float)), count)
    gap = 2 * experiment.likelier - 1
    bounds = areas.wrong_shares(
        patches, signs, relative=relative, absolute=4 * absolute / gap, group=4
    )
    low, high = (gap * part.reshape(1, count, 4).mean(axis=2) for part in bounds)
    if not loss:
        return Curves(low, high)
    found = areas.logistic_means(patches, signs, experiment.likelier, loss_tolerance)
    mean, error = found.reshape(2, 1, count, 4)
    return Curves(low, high, mean.mean(axis=2) - experiment.least_loss, error.mean(axis=2))


def curves(
    experiment: Experiment, features: int | None, *, runs: int | None = None, seed: int = 0,
    jobs: int = 1, first: int = 0, checkpoints: Sequence[int] = (), loss: bool = False,
    loss_tolerance: float = 5e-4, **options: bool,
) -> Curves:  # fmt: skip
    """All runs of M features, or of the full kernel for None; the same for any number of jobs.

    Args: jobs: threads. first: number of the first run, to go on where others ended.
    """
    def one(place: int) -> Curves:
        patches = simulate(experiment, features, seed, place, checkpoints, **options)
        return evaluate(experiment, patches, loss=loss, loss_tolerance=loss_tolerance)

    found = list(_in_threads(one, range(first, first + (runs or experiment.runs)), jobs))
    low, high = (numpy.concatenate([getattr(c, name) for c in found]) for name in ("low", "high"))
    if not loss:
        return Curves(low, high)
    return Curves(low, high, *(numpy.concatenate([getattr(c, name) for c in found])
                               for name in ("loss", "loss_error")))  # fmt: skip


def _in_threads(
    one: Callable[[int], Curves], places: Sequence[int], jobs: int
) -> Iterator[Curves]:
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1), ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(one, places)
