"""What draws of features and splits of a data set show of random-feature ridge regression.

Errors are mean squared differences of the predictors, from `ridge_difference`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy
from numpy.typing import NDArray

from boundcheck.experiments.evidence import Median, Share, worst
from boundcheck.experiments.ridge_difference import compare_predictors
from boundcheck.expressions import primitive
from boundcheck.worlds.data import load_data

Array = NDArray[numpy.float64]
KERNELS = ("rbf", "laplace")


@dataclass(frozen=True)
class Draws:
    """Repeated draws of features beside one split of a data set.

    Args: rows: for training, the rest for test. sizes: numbers of features. factors: c of
    lambda = c / sqrt(rows). repeats: draws of the features.
    """

    data: str
    rows: int
    sizes: tuple[int, ...]
    factors: tuple[float, ...]
    repeats: int

    def lambdas(self) -> list[float]:
        """The ridge parameters."""
        return [factor / self.rows**0.5 for factor in self.factors]


@dataclass(frozen=True)
class Splits:
    """Random splits of a data set, each with draws of as many features.

    Args: factors: as in `Draws`. repeats: draws for each split.
    """

    data: str
    features: int
    factors: tuple[float, ...]
    splits: int
    repeats: int


@cache
def errors(draws: Draws, kernel: str) -> Array:
    """Mean squared differences of every draw, (draws, sizes, lambdas)."""
    world = load_data(draws.data)
    order = numpy.random.default_rng(0).permutation(len(world.y))
    train, test = order[: draws.rows], order[draws.rows :]
    found: Array = compare_predictors(
        world.x[train], world.y[train], world.x[test], kernel=kernel, sizes=draws.sizes,
        lambdas=draws.lambdas(), repeats=draws.repeats, rng=numpy.random.default_rng(1),
    ).msd  # fmt: skip
    return found


def off_the_line(draws: Draws, kernel: str) -> Array:
    """Error at the largest s over the line of slope -1 from the smallest, (draws, lambdas)."""
    msd = errors(draws, kernel)
    off: Array = draws.sizes[-1] / draws.sizes[0] * msd[:, -1] / msd[:, 0]
    return off


@primitive(rank=None, latex=r"\mathbb{{P}}\left(\text{{error within {1} of the line}}\right)")
def matching(draws: Draws, close: Any) -> Share:
    """The least share of draws within a factor of the line, over kernels and lambdas."""
    most = float(close)
    return worst([
        Share(int(((values <= most) & (values >= 1 / most)).sum()), draws.repeats)
        for kernel in KERNELS
        for values in off_the_line(draws, kernel).T
    ])  # fmt: skip


@primitive(rank=None, latex=r"\mathbb{{P}}\left(\text{{error above {3} of the line}}\right)")
def above_line(draws: Draws, kernel: str, place: Any, close: Any) -> Share:
    """Draws above the line by more than a factor, at one lambda."""
    off = off_the_line(draws, kernel)[:, int(place)]
    return Share(int((off > float(close)).sum()), draws.repeats)


@primitive(rank=None, latex=r"\operatorname{{median}}\frac{{d\log\text{{error}}}}{{d\log s}}")
def exponent(draws: Draws, kernel: str, place: Any) -> Median:
    """Median over draws of the least-squares exponent of s, at one lambda."""
    values = errors(draws, kernel)[:, :, int(place)]
    slopes = numpy.polyfit(numpy.log(draws.sizes), numpy.log(values).T, 1)[0]
    return Median(tuple(float(slope) for slope in slopes))


@primitive(rank=None, latex=r"\mathbb{{P}}\left(\text{{error falls with }}\lambda\right)")
def falling(draws: Draws) -> Share:
    """The least share of draws, over kernels and s, in which a larger lambda has less error."""
    return worst([
        Share(int((values[:, 1:] < values[:, :-1]).all(axis=1).sum()), draws.repeats)
        for kernel in KERNELS
        for values in errors(draws, kernel).transpose(1, 0, 2)
    ])  # fmt: skip


@cache
def bound_over_error(splits: Splits, kernel: str, rows: int) -> Array:
    """Bound / error for every split and lambda, (splits, lambdas); test sets as large."""
    world, ratios = load_data(splits.data), []
    for split in range(splits.splits):
        rng = numpy.random.default_rng([split, rows])
        order = rng.permutation(len(world.y))
        train, test = order[:rows], order[rows : 2 * rows]
        found = compare_predictors(
            world.x[train], world.y[train], world.x[test], kernel=kernel,
            sizes=[splits.features], lambdas=[factor / rows**0.5 for factor in splits.factors],
            repeats=splits.repeats, rng=rng,
        )  # fmt: skip
        ratios.append(found.norm2 / splits.features / found.msd.mean(axis=0)[0])
    return numpy.stack(ratios)


@primitive(rank=None, latex=r"\mathbb{{P}}\left(\text{{bound over error at most {2}}}\right)")
def moderate(splits: Splits, rows: Any, most: Any) -> Share:
    """The least share of splits with a moderate bound over error, over kernels and lambdas."""
    return worst([
        Share(int((values <= int(most)).sum()), splits.splits)
        for kernel in KERNELS
        for values in bound_over_error(splits, kernel, int(rows)).T
    ])  # fmt: skip


@primitive(rank=None, latex=r"\mathbb{{P}}\left(\text{{bound over error grows with }}n\right)")
def growing(splits: Splits, many: Any, few: Any) -> Share:
    """The lesser share of splits, of both kernels, in which more rows have a larger one.

    At the first of the lambdas.
    """
    more, less = (
        [bound_over_error(splits, kernel, int(rows))[:, 0] for kernel in KERNELS]
        for rows in (many, few)
    )
    return worst([
        Share(int((a > b).sum()), splits.splits) for a, b in zip(more, less, strict=True)
    ])  # fmt: skip
