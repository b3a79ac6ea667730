"""Figures 2 to 4 against the same task with scikit-learn: same law, steps and checkpoints.

The direct way, per run: RBFSampler, whose M features sqrt(2) cos(w.x + b) both sides use here,
features of 100,000 test points once, as the source has them, SGDClassifier(average=True) by
partial_fit between checkpoints. The full kernel has no counterpart there; its time is counted on
our side. Ours uses all cores over runs, theirs what its libraries use.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from boundcheck.experiments.averaged_sgd import has_numba
from boundcheck.experiments.four_squares import Experiment, curves

from ._experiment import DRAWN

TEST_POINTS = 100_000
FEW = 3
TASK = replace(DRAWN, kind="real", width=0.5)


def direct(experiment: Experiment, features: int, seed: int) -> list[float]:
    """One run with scikit-learn: error at every checkpoint."""
    import numpy
    from sklearn.kernel_approximation import RBFSampler
    from sklearn.linear_model import SGDClassifier

    rng = numpy.random.default_rng(seed)
    points, labels = experiment.draw(rng, experiment.iterations)
    test, answers = experiment.draw(rng, TEST_POINTS)
    feature_map = RBFSampler(
        gamma=1 / (2 * experiment.width**2), n_components=features, random_state=seed
    )
    train = feature_map.fit_transform(points)
    table = feature_map.transform(test)
    model = SGDClassifier(
        loss="log_loss", alpha=experiment.lambda_, learning_rate="invscaling",
        eta0=2 / (experiment.lambda_ * experiment.gamma), power_t=0.5, average=True,
        fit_intercept=False,
    )  # fmt: skip
    errors, start = [], 0
    for stop in experiment.checkpoints:
        model.partial_fit(train[start:stop], labels[start:stop], classes=[-1, 1])
        errors.append(float((model.predict(table) != answers).mean()))
        start = stop
    return errors


def timed(work: Callable[[], Any]) -> float:
    """Wall seconds of a call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def lines(share: float) -> Iterator[str]:
    """A Markdown table of seconds at 100 runs and at 3, and their ratio.

    At `share` below one scikit-learn is timed on as many of the runs, at least one, and scaled.
    """
    jobs = os.cpu_count() or 1
    loops = "compiled loops" if has_numba() else "NumPy: pip install boundcheck[fast] compiles"
    yield (
        f"{TASK.iterations} steps, {len(TASK.checkpoints)} checkpoints, width {TASK.width:g}, "
        f"{jobs} cores, {loops}; errors certified here, from {TEST_POINTS} points there"
    )
    heads = (f"s, {runs} runs | scikit-learn | ratio" for runs in (TASK.runs, FEW))
    yield f"| M | {' | '.join(heads)} |"
    yield "|---|---|---|---|---|---|---|"
    totals = [0.0] * 4
    sample = max(round(TASK.runs * share), 1)
    for features in (*TASK.features, None):
        curves(replace(TASK, iterations=64), features, runs=1)  # compiles
        many, few = (
            timed(lambda runs=runs, m=features: curves(TASK, m, runs=runs, jobs=jobs))
            for runs in (TASK.runs, FEW)
        )
        each = 0.0
        if features is not None:
            each = timed(lambda m=features: [direct(TASK, m, seed) for seed in range(sample)])
            each /= sample
        entries = [many, each * TASK.runs, few, each * FEW]
        totals = [total + entry for total, entry in zip(totals, entries, strict=True)]
        yield _row("full kernel" if features is None else str(features), entries)
    yield _row("all", totals)


def _row(name: str, seconds: list[float]) -> str:
    many, their_many, few, their_few = seconds
    ratios = [f"{theirs / ours:.0f}" if theirs else "-"
              for ours, theirs in ((many, their_many), (few, their_few))]  # fmt: skip
    return (
        f"| {name} | {many:.2f} | {their_many:.1f} | {ratios[0]} "
        f"| {few:.2f} | {their_few:.1f} | {ratios[1]} |"
    )
