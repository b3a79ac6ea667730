"""Figures 2 to 4 against the same task with scikit-learn, same law, same checkpoints.

The direct way: per run RBFSampler, whose M features sqrt(2) cos(w.x + b) both sides use here,
features of 100,000 test points once, SGDClassifier(average=True) by partial_fit between
checkpoints. The full kernel has no counterpart there; its time is counted on our side only.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from ._figures import FEATURES, GAMMA, LAMBDA, POINTS, WIDTH, curve, sampler

ITERATIONS, RUNS, TEST_POINTS = 12_000, 100, 100_000


def direct(features: int, seed: int) -> Any:
    """One run with scikit-learn: error at every checkpoint."""
    import numpy
    from sklearn.kernel_approximation import RBFSampler
    from sklearn.linear_model import SGDClassifier

    from boundcheck.experiments.averaged_sgd import geometric_checkpoints

    rng = numpy.random.default_rng(seed)
    draw = sampler(rng, 1)
    points, labels = (array[0] for array in draw(ITERATIONS))
    test, answers = (array[0] for array in draw(TEST_POINTS))
    feature_map = RBFSampler(gamma=1 / (2 * WIDTH**2), n_components=features, random_state=seed)
    train = feature_map.fit_transform(points)
    table = feature_map.transform(test)
    model = SGDClassifier(
        loss="log_loss", alpha=LAMBDA, learning_rate="invscaling", eta0=2 / (LAMBDA * GAMMA),
        power_t=0.5, average=True, fit_intercept=False,
    )  # fmt: skip
    errors, start = [], 0
    for stop in geometric_checkpoints(ITERATIONS, POINTS):
        model.partial_fit(train[start:stop], labels[start:stop], classes=[-1, 1])
        errors.append(float((model.predict(table) != answers).mean()))
        start = stop
    return errors


def lines(share: float) -> Iterator[str]:
    """A Markdown table of seconds for the full set and their ratio."""
    runs = max(round(RUNS * share), 1)
    few = max(runs // 5, 1)
    yield "| M | seconds, 100 runs | scikit-learn, 100 runs | ratio |"
    yield "|---|---|---|---|"
    totals = [0.0, 0.0]
    for features in FEATURES:
        curve(features, 1, 64, WIDTH, 0, real=True)  # warm-up
        start = time.perf_counter()
        curve(features, runs, ITERATIONS, WIDTH, 0, real=True)
        ours = (time.perf_counter() - start) * RUNS / runs
        start = time.perf_counter()
        for seed in range(few):
            direct(features, seed)
        theirs = (time.perf_counter() - start) * RUNS / few
        totals = [totals[0] + ours, totals[1] + theirs]
        yield f"| {features} | {ours:.1f} | {theirs:.1f} | {theirs / ours:.0f} |"
    start = time.perf_counter()
    curve(None, runs, ITERATIONS, WIDTH, 0)
    kernel = (time.perf_counter() - start) * RUNS / runs
    yield f"| full kernel | {kernel:.1f} | - | - |"
    yield f"| all | {totals[0] + kernel:.1f} | {totals[1]:.1f} | " \
          f"{totals[1] / (totals[0] + kernel):.0f} |"
