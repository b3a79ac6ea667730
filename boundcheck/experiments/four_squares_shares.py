"""Shares of runs on the law of four squares: what figures show of one run against another.

Excess errors are enclosed; a run counts only where their bounds show what is asked.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from boundcheck.experiments.averaged_sgd import Array
from boundcheck.experiments.evidence import Share
from boundcheck.experiments.four_squares import Experiment, curves
from boundcheck.expressions import primitive

LOSS_ERROR = 2e-3
Bounds = tuple[Array, Array]


@primitive(rank=None, latex=r"\mathbb{{P}}\left(\text{{error falls {3} times as far}}\right)")
@cache
def falls_faster(experiment: Experiment, runs: Any, early: Any, factor: Any) -> Share:
    """Runs in which the error falls by a further factor than the loss from an early iteration on.

    At the largest number of features, until the last iteration.
    """
    found = curves(
        experiment, experiment.features[-1], runs=int(runs), loss=True,
        checkpoints=(int(early), experiment.iterations), loss_tolerance=LOSS_ERROR,
    )  # fmt: skip
    assert found.loss is not None and found.loss_error is not None
    before, after = found.low[:, 0], found.high[:, 1]
    loss_before = found.loss[:, 0] + found.loss_error[:, 0]
    loss_after = found.loss[:, 1] - found.loss_error[:, 1]
    return Share(int((int(factor) * after * loss_before <= loss_after * before).sum()), int(runs))


@cache
def errors(experiment: Experiment, features: int | None, horizon: int, runs: int) -> Bounds:
    """Bounds of the excess error of every run after so many iterations; None is the full kernel."""
    found = curves(experiment, features, runs=runs, checkpoints=(horizon,))
    return found.low[:, 0], found.high[:, 0]


def after_updates(experiment: Experiment, features: int | None, steps: int, runs: int) -> Bounds:
    """The same after as many updates of parameters as so many kernel iterations take.

    M updates per iteration with M features, t at iteration t with the kernel; at most the last
    iteration of the experiment.
    """
    if features is not None:
        steps = min(steps * (steps + 1) // 2 // features, experiment.iterations)
    return errors(experiment, features, steps, runs)


def differing(lower: Bounds, higher: Bounds) -> tuple[int, int]:
    """Pairs of runs in which the first is below the second, and above it, for certain."""
    return int((lower[1] < higher[0]).sum()), int((lower[0] > higher[1]).sum())


@primitive(rank=None, latex=r"\mathbb{{P}}\left(\text{{error}}>0,\ M\text{{ least}}\right)")
def not_exact(experiment: Experiment, runs: Any) -> Share:
    """Runs with the fewest features that end above the Bayes rule for certain."""
    low, _ = errors(experiment, experiment.features[0], experiment.iterations, int(runs))
    return Share(int((low > 0).sum()), int(runs))


@primitive(rank=None, latex=r"\mathbb{{P}}\left(M\text{{ least above }}M\text{{ largest}}\right)")
def few_above_many(experiment: Experiment, runs: Any) -> Share:
    """Pairs of runs in which few features end above many, among those that differ."""
    few, many = (
        errors(experiment, experiment.features[place], experiment.iterations, int(runs))
        for place in (0, -1)
    )
    below, above = differing(few, many)
    return Share(above, above + below)


@primitive(rank=None, latex=r"\mathbb{{P}}\left(M={1}\text{{ below the kernel}}\right)")
def below_kernel(experiment: Experiment, features: Any, steps: Any, runs: Any) -> Share:
    """Pairs in which M features end below the kernel after as many updates, if they differ."""
    below, above = _against_kernel(experiment, int(features), int(steps), int(runs))
    return Share(below, below + above)


@primitive(rank=None, latex=r"\mathbb{{P}}\left(M={1}\text{{ above the kernel}}\right)")
def above_kernel(experiment: Experiment, features: Any, steps: Any, runs: Any) -> Share:
    """Pairs in which M features end above the kernel after as many updates, if they differ."""
    below, above = _against_kernel(experiment, int(features), int(steps), int(runs))
    return Share(above, below + above)


def _against_kernel(
    experiment: Experiment, features: int, steps: int, runs: int
) -> tuple[int, int]:
    return differing(*(after_updates(experiment, m, steps, runs) for m in (features, None)))
