"""Simulation of Algorithm 1 against a direct loop over rounds and samples with NumPy calls.

The direct loop is written as fast as its form allows: the running sums of |alpha| once per round,
per sample one uniform, one searchsorted for i, one integer for w, two feature values; NumPy's
own weighted choice would take several times longer. Both sides compute all E_t and alpha of
Algorithm 1 (analysis form) on one sequence that all runs share; no kernel values are computed.
The second table is the simulator of small worlds that the claims use, where every round takes one
multinomial draw per run whatever m is. Processor time, one process.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from ._experiment import TOY

RUNS = 1000
# (T, m) on points of section 6: as the figure has them, and longer runs.
TASKS = (*((TOY.rounds, m) for m in TOY.samples), (1000, 10), (10_000, 1))
WORLDS = ((100, 10), (100, 1000))  # (T, m) of worlds with 4 points and 6 features
DIMENSION, STEP = TOY.dimensions[0], 0.1


def direct(x: Any, y: Any, step: float, bound: float, samples: int, rng: Any) -> tuple[Any, Any]:
    """One run of Algorithm 1: estimates E_t and alpha^(T+1)."""
    import numpy

    rounds, dimension = x.shape
    alpha, estimates = numpy.zeros(rounds), numpy.zeros(rounds)
    for t in range(rounds):
        sums = numpy.cumsum(numpy.abs(alpha[:t]))
        if t and sums[-1] > 0:
            total = 0.0
            for _ in range(samples):
                i = numpy.searchsorted(sums, rng.random() * sums[-1], side="right")
                w = rng.integers(dimension)
                total += numpy.sign(alpha[i]) * x[i, w] * x[t, w]
            estimates[t] = sums[-1] * total / samples
        if abs(estimates[t]) < 16 * bound:
            alpha[t] = step * (y[t] - estimates[t])
        else:
            alpha = alpha / 4
    return estimates, alpha


def direct_world(
    psi: Any, sequence: Any, y: Any, step: float, bound: float, samples: int, rng: Any
) -> tuple[Any, Any]:
    """The same on a small world with uniform features."""
    return direct(psi[sequence], y, step, bound, samples, rng)


def busy(work: Callable[[], Any]) -> float:
    """Processor seconds of one call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def lines(share: float) -> Iterator[str]:
    """Markdown tables: seconds for 1,000 runs and their ratio.

    `share` scales the runs, 1,000 at share 1 and at least 50; the direct loop is timed on a few
    runs, about share x 20 and at least one, and scaled.
    """
    runs = max(round(RUNS * share), 50)
    few = max(round(20 * share), 1)
    yield f"{runs} runs at once against {few} direct run(s), both scaled to {RUNS} runs"
    header = "| T | m | CPU s, 1000 runs | direct loop, CPU s | ratio | ns per draw |"
    yield f"Toy data, D = {DIMENSION}:"
    yield header
    yield "|---|---|---|---|---|---|"
    for rounds, samples in TASKS:
        yield _row(rounds, samples, runs, few, *_toy(rounds, samples, runs, few))
    yield "Worlds of 4 points and 6 features:"
    yield header
    yield "|---|---|---|---|---|---|"
    for rounds, samples in WORLDS:
        yield _row(rounds, samples, runs, few, *_world(rounds, samples, runs, few))


def _row(rounds: int, samples: int, runs: int, few: int, ours: float, theirs: float) -> str:
    mine, other = ours * RUNS / runs, theirs * RUNS / few
    each = mine / RUNS / rounds / samples * 1e9
    return f"| {rounds} | {samples} | {mine:.2f} | {other:.1f} | {other / mine:.0f} | {each:.0f} |"


def _toy(rounds: int, samples: int, runs: int, few: int) -> tuple[float, float]:
    import numpy

    from boundcheck.experiments.infinite_layer import shrinking_gradient

    rng = numpy.random.default_rng([rounds, samples])
    x, y, norm = replace(TOY, rounds=rounds).streams(rng, 1, DIMENSION)
    bound = max(float(norm[0]), 1.0)
    steps = numpy.broadcast_to(STEP, (runs, rounds))
    shrinking_gradient(x[:, :2], y[:, :2], steps=steps[:, :2], bound=bound, samples=1, rng=rng)
    ours = busy(lambda: shrinking_gradient(
        x, y, steps=steps, bound=bound, samples=samples, rng=rng, measure=False
    ))  # fmt: skip
    return ours, busy(lambda: [direct(x[0], y[0], STEP, bound, samples, rng) for _ in range(few)])


def _world(rounds: int, samples: int, runs: int, few: int) -> tuple[float, float]:
    import numpy

    from boundcheck.quantities.online import DESCENT
    from boundcheck.quantities.online_simulation import simulate

    rng = numpy.random.default_rng([rounds, samples, 1])
    psi = rng.uniform(-1, 1, (4, 6))
    sequence, y = rng.integers(4, size=rounds), rng.uniform(-1, 1, rounds)
    mu = numpy.full(6, 1 / 6)
    ours = busy(lambda: simulate(
        psi, sequence, y, mu, 1.0, STEP, samples, runs=runs, rng=rng, update=DESCENT
    ))  # fmt: skip
    return ours, busy(
        lambda: [direct_world(psi, sequence, y, STEP, 1.0, samples, rng) for _ in range(few)]
    )
