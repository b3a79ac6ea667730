"""Three random-feature methods at equal budgets, met by the same streams: what is compared and how.

Step sizes are chosen on streams of their own: for every method, dimension and number of features
the row of the grid with the smallest mean loss. The losses of the other streams are compared in
pairs, since all methods meet the same points and labels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy
from numpy.typing import NDArray

from boundcheck.experiments import infinite_layer as layer
from boundcheck.experiments.evidence import Share, worst
from boundcheck.expressions import primitive

Array = NDArray[numpy.float64]
Data = tuple[Array, Array, Array]  # points (S, T, D), labels (S, T), norms of the targets (S,)
Setting = tuple[str, int]  # method and number of features
BUDGETS = ("per point", "drawn", "computed")
METHODS = {
    "shrinking": "shrinking gradient",
    "fixed": "fixed random",
    "stochastic": "doubly stochastic",
    "printed": "Algorithm 1 as printed",
}
MEASURES = ("online", "estimated", "final")
SCHEDULES = {"constant": 0.0, "1/sqrt(t)": 0.5}
GROUP = 10  # streams handled at once, 16 MB each at D = 800 and T = 200


@dataclass(frozen=True)
class Experiment:
    """All that a comparison depends on but its seed.

    Args:
        dimensions: D, each with streams of its own. rounds: T. samples: m, features per round of
            the shrinking gradient. steps: step sizes, each constant and over sqrt(t).
        support: points combined into the target. tuning, runs: streams for the choice of the step
            and for the comparison. points: "gaussian", clipped at zero, or "digits", pixels of
            random images in [0, 1) (D = 64).
    """

    dimensions: tuple[int, ...]
    rounds: int
    samples: tuple[int, ...]
    steps: tuple[float, ...] = tuple(2.0**k for k in range(-7, 4))
    support: int = 5
    tuning: int = 20
    runs: int = 100
    points: str = "gaussian"

    def features(self, method: str, budget: str, m: int) -> int:
        """r or k at the budget of m features per round.

        per point: r = k = m for every point. drawn: equally many draws of w in the whole pass,
        r = m T and k = m. computed: equally many values psi(x; w) in the whole pass, 2 m (T - 1)
        for the shrinking gradient, r T for fixed features and k T (T + 1) / 2 for doubly stochastic
        ones, rounded, at least 1.

        >>> toy = Experiment((550,), 200, (200,))
        >>> [toy.features("fixed", budget, 200) for budget in BUDGETS]
        [200, 40000, 398]
        >>> [toy.features("stochastic", budget, 200) for budget in BUDGETS]
        [200, 200, 4]
        """
        if budget == "per point" or method in ("shrinking", "printed"):
            return m
        if budget == "drawn":
            return m * self.rounds if method == "fixed" else m
        values = 2 * m * (self.rounds - 1)
        each = self.rounds if method == "fixed" else self.rounds * (self.rounds + 1) / 2
        return max(round(values / each), 1)

    def settings(self) -> tuple[Setting, ...]:
        """(method, number of features) over all m and budgets, each once."""
        return tuple(dict.fromkeys(
            (method, self.features(method, budget, m))
            for m in self.samples for budget in BUDGETS for method in METHODS
        ))  # fmt: skip

    def step_rows(self) -> Array:
        """All rows of step sizes that are tried, (steps x schedules, T)."""
        t = numpy.arange(1, self.rounds + 1)
        return numpy.stack(
            [eta / t**power for power in SCHEDULES.values() for eta in self.steps]
        )

    def step(self, row: int) -> tuple[float, str]:
        """(eta, schedule) of a row."""
        return self.steps[row % len(self.steps)], list(SCHEDULES)[row // len(self.steps)]

    def streams(self, rng: numpy.random.Generator, count: int, dimension: int) -> Data:
        """`count` streams of points with labels of a sparse combination of them."""
        if self.points == "digits":
            x = images()[rng.integers(len(images()), size=(count, self.rounds))]
        else:
            x = layer.clipped_points(rng, count, self.rounds, dimension)
        return (x, *layer.sparse_labels(rng, x, self.support))


@cache
def images() -> Array:
    """Digits in 17 grey values from 0 to 16/17, (1797, 64), as scikit-learn ships them."""
    from boundcheck.worlds.data import bundled

    shades: Array = bundled("load_digits").data
    return shades / 17


def losses(
    method: str, data: Data, steps: Array, count: int, rng: numpy.random.Generator
) -> Array:
    """Mean losses of a pass by measure, (measures, S, G), infinite where a run diverges."""
    x, y, norm = data
    if method in ("shrinking", "printed"):
        found = layer.shrinking_gradient(
            x, y, steps=steps, bound=numpy.maximum(norm, 1.0), samples=count, rng=rng,
            update=layer.PRINTED if method == "printed" else layer.DESCENT,
        )  # fmt: skip
    else:
        run_pass = layer.fixed_random if method == "fixed" else layer.doubly_stochastic
        found = run_pass(x, y, steps=steps, features=count, rng=rng)
    with numpy.errstate(over="ignore", invalid="ignore"):
        online, estimated = (
            ((values - y[:, None]) ** 2).mean(axis=2) / 2
            for values in (found.predictions, found.estimates)
        )
    result = numpy.stack([online, estimated, found.final])
    return numpy.where(numpy.isfinite(result), result, numpy.inf)


def compared(
    experiment: Experiment, dimension: int, settings: Sequence[Setting], seed: int = 0
) -> dict[Setting, tuple[int, Array]]:
    """For every setting: the row of step sizes chosen, and losses (measures, runs).

    A setting draws from a stream of its own, so its losses do not depend on the other settings.
    """
    rows = experiment.step_rows()
    tuned: dict[Setting, Array] = {}
    parts = _over_groups(
        experiment, dimension, settings, experiment.tuning, [seed, 0], lambda _: rows
    )
    for setting, values in parts:
        tuned[setting] = tuned.get(setting, 0) + values[0].sum(axis=0)
    best = {setting: int(numpy.argmin(total)) for setting, total in tuned.items()}
    found: dict[Setting, list[Array]] = {setting: [] for setting in settings}
    choose = {setting: rows[[row]] for setting, row in best.items()}
    for setting, values in _over_groups(
        experiment, dimension, settings, experiment.runs, [seed, 1], choose.__getitem__
    ):
        found[setting].append(values[:, :, 0])
    return {setting: (best[setting], numpy.concatenate(p, axis=1)) for setting, p in found.items()}


@cache
def online_losses(experiment: Experiment, dimension: int, method: str, count: int) -> Array:
    """Mean losses (1/T) sum l_t(f_t) of all streams."""
    _, losses = compared(experiment, dimension, [(method, count)])[method, count]
    first: Array = losses[0]
    return first


@primitive(rank=None, latex=r"\mathbb{{P}}\left(\text{{{3} below {4}}}\right)")
def lower(experiment: Experiment, budget: str, m: int, method: str, other: str) -> Share:
    """Streams, at the D with the fewest of them, in which one method has a lower loss than another.

    Args: budget: of `BUDGETS`, that of m features per round.
    """
    def at(dimension: int, name: str) -> Array:
        return online_losses(experiment, dimension, name, experiment.features(name, budget, int(m)))

    return worst([
        Share(int((at(dimension, method) < at(dimension, other)).sum()), experiment.runs)
        for dimension in experiment.dimensions
    ])  # fmt: skip


def _over_groups(
    experiment: Experiment, dimension: int, settings: Sequence[Setting], streams: int,
    seed: Sequence[int], steps: Callable[[Setting], Array],
) -> Iterator[tuple[Setting, Array]]:  # fmt: skip
    """(setting, losses) for every setting and group of streams, on random numbers of its own."""
    for place, start in enumerate(range(0, streams, GROUP)):
        key = [*seed, dimension, place]
        size = min(GROUP, streams - start)
        data = experiment.streams(numpy.random.default_rng(key), size, dimension)
        for setting in settings:
            method, count = setting
            rng = numpy.random.default_rng([*key, list(METHODS).index(method), count])
            yield setting, losses(method, data, steps(setting), count, rng)
