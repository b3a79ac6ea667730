"""Section 4's estimators over many repeats against a loop, and exact checks per second.

The repeats of one task share inputs and kernel and differ in the noise of the responses, as in a
simulation of the theorems: kernel ridge regression at eight weights, then the estimator with the
unsquared norm at one. The direct way fits one repeat and one weight at a time: a Cholesky solve for
ridge regression, Brent's method on the norm with one Cholesky solve a step for the unsquared
penalty. Ridge regression has a stronger rival too: one Cholesky solve for all repeats of a weight.
The clipped problem (4.2) on four atoms is compared with the same code one sample at a time. One
process, wall time; both sides have the same BLAS threads.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

ROWS, REPEATS, LAMBDAS = 300, 1000, 8
ATOMS, SAMPLES = 4, 20_000
SMALL = 30  # draws of a clipped sample


def task(rows: int, repeats: int, seed: int = 0) -> tuple[Any, Any, Any]:
    """(kernel, responses, weights): Gaussian kernel on [-1, 1]^3, noise of size 1/2."""
    import numpy

    rng = numpy.random.default_rng(seed)
    x = rng.uniform(-1, 1, (rows, 3))
    kernel = numpy.exp(-((x[:, None] - x[None]) ** 2).sum(axis=2) / 2)
    target = numpy.sin(2 * x[:, 0]) * x[:, 1]
    responses = target + rng.uniform(-0.5, 0.5, (repeats, rows))
    return kernel, responses, numpy.geomspace(1, 1e-3, LAMBDAS) / rows**0.5


def direct_ridge(kernel: Any, responses: Any, weights: Any) -> Any:
    """Coefficients (weights, repeats, rows), one Cholesky solve for each."""
    import numpy
    from scipy.linalg import solve

    rows = len(kernel)
    return numpy.array([
        [solve(kernel + rows * weight * numpy.eye(rows), y, assume_a="pos") for y in responses]
        for weight in weights
    ])  # fmt: skip


def shared_ridge(kernel: Any, responses: Any, weights: Any) -> Any:
    """The same with one Cholesky solve for all repeats of a weight."""
    import numpy
    from scipy.linalg import solve

    rows = len(kernel)
    return numpy.array([
        solve(kernel + rows * weight * numpy.eye(rows), responses.T, assume_a="pos").T
        for weight in weights
    ])  # fmt: skip


def direct_norm(kernel: Any, responses: Any, weight: float) -> Any:
    """Coefficients (repeats, rows): the norm r solves ||f_r|| = r, f_r ridge at weight / 2r."""
    import numpy
    from scipy.linalg import solve
    from scipy.optimize import brentq

    rows, found = len(kernel), []
    half = rows * weight / 2

    for y in responses:
        def fitted(radius: float, y: Any = y) -> Any:
            return solve(kernel + half / radius * numpy.eye(rows), y, assume_a="pos")

        def excess(radius: float) -> float:
            a = fitted(radius)
            return float(numpy.sqrt(a @ kernel @ a) / radius - 1)

        if y @ kernel @ y <= half**2:
            found.append(numpy.zeros(rows))
            continue
        high = 1.0
        while excess(high) > 0:
            high *= 2
        low = high / 2
        while excess(low) < 0:
            low /= 2
        found.append(fitted(brentq(excess, low, high, xtol=1e-10)))
    return numpy.array(found)


def clipped_task(samples: int, seed: int = 1) -> tuple[Any, Any, Any, float]:
    """(kernel, counts, sums, lambda) of samples on four atoms with noise of size one."""
    import numpy

    rng = numpy.random.default_rng(seed)
    features = rng.uniform(-0.5, 0.5, (ATOMS, ATOMS))
    counts = rng.multinomial(SMALL, [1 / ATOMS] * ATOMS, size=samples)
    target = features @ features.T @ rng.uniform(-1, 1, ATOMS)
    noise = 2 * rng.binomial(counts, 0.5) - counts
    return features @ features.T, counts, counts * target + noise, SMALL**-0.5


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """(result, wall seconds)."""
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def lines(share: float) -> Iterator[str]:
    """Two Markdown tables: seconds for the task both ways, and rates of exact work.

    At `share` the direct ways are timed on that part of the repeats, at least two, and scaled; the
    vectorised side always does the whole task.
    """
    from boundcheck.experiments.throughput import blas_threads, identities, minimisers, rate
    from boundcheck.quantities.batched_penalties import batched_clipped, norm_penalty, ridge

    kernel, responses, weights = task(ROWS, REPEATS)
    few = max(round(share * REPEATS), 2)
    ridge(kernel, responses[:2], weights)  # the libraries load before they are timed
    direct_ridge(kernel, responses[:1], weights[:1])
    ours, fast = timed(lambda: ridge(kernel, responses, weights))
    theirs, slow = timed(lambda: direct_ridge(kernel, responses[:few], weights))
    _, shared = timed(lambda: shared_ridge(kernel, responses, weights))
    found, fast_norm = timed(lambda: norm_penalty(kernel, responses, weights[0]))
    other, slow_norm = timed(lambda: direct_norm(kernel, responses[:few], weights[0]))
    world = clipped_task(SAMPLES)
    some = max(round(share * SAMPLES), 2)
    batch, fast_clipped = timed(lambda: batched_clipped(*world))
    one_by_one, slow_clipped = timed(lambda: _one_by_one(world, some))
    gaps = (
        abs((ours[:, :few] - theirs) @ kernel).max(),
        abs((found[0][:few] - other) @ kernel).max(),
        abs(batch[1][:some] - one_by_one).max(),
    )
    yield (
        f"n = {ROWS}, {REPEATS} repeats, {LAMBDAS} lambdas; {SAMPLES} samples of {SMALL} draws on "
        f"{ATOMS} atoms; direct ways timed on a share of {share:g} and scaled; fitted values agree "
        f"within {max(gaps):.1e}; {blas_threads()} BLAS thread(s)"
    )
    yield "| estimator | vectorised s | direct s | ratio |"
    yield "|---|---|---|---|"
    for name, mine, direct in (
        (f"kernel ridge, {LAMBDAS} lambdas", fast, slow * REPEATS / few),
        ("the same, one solve for all repeats", fast, shared),
        ("unsquared norm, square loss", fast_norm, slow_norm * REPEATS / few),
        ("unsquared norm, clipped", fast_clipped, slow_clipped * SAMPLES / some),
    ):
        yield f"| {name} | {mine:.3f} | {direct:.2f} | {direct / mine:.3g} |"
    yield ""
    yield "| exact work | per second |"
    yield "|---|---|"
    for name, work in (
        ("matrix identities decided, n <= 4", identities()),
        ("clipped minimisers enclosed, 3 correlated atoms", minimisers()),
    ):
        yield f"| {name} | {rate(work):.3g} |"


def _one_by_one(world: Any, count: int) -> Any:
    import numpy

    from boundcheck.quantities.batched_penalties import batched_clipped

    kernel, counts, sums, weight = world
    return numpy.array([
        batched_clipped(kernel, counts[i : i + 1], sums[i : i + 1], weight)[1][0]
        for i in range(count)
    ])  # fmt: skip
