"""Kernel ridge regression against its random Fourier features on real data.

Draws of the features are independent and share the kernel's side, so they run as threads on all
cores, each with one thread of linear algebra: what they find does not depend on how many.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from boundcheck.errors import InvalidArgument
from boundcheck.experiments.feature_ridge import feature_predictions, frequencies
from boundcheck.experiments.kernel_ridge import KERNELS, ExactRidge, fit_exact


@dataclass(frozen=True)
class Difference:
    """Mean squared differences between the predictors.

    Args: sizes, lambdas. msd: (repeats, len(sizes), len(lambdas)). norm2: (len(lambdas),).
        sigma: bandwidth. seconds: wall time.
    """

    sizes: tuple[int, ...]
    lambdas: tuple[float, ...]
    msd: Any
    norm2: Any
    sigma: float
    seconds: float

    def interval(self, level: float = 0.95) -> tuple[Any, Any, Any]:
        """Mean over feature draws with Student's interval at a level: (mean, low, high)."""
        from scipy.stats import t

        repeats = self.msd.shape[0]
        mean = self.msd.mean(axis=0)
        if repeats < 2:
            return mean, mean, mean
        half = t.ppf((1 + level) / 2, repeats - 1) * self.msd.std(axis=0, ddof=1) / repeats**0.5
        return mean, mean - half, mean + half


def compare_predictors(
    x: Any, y: Any, x_test: Any, *, kernel: str, sizes: Sequence[int], lambdas: Sequence[float],
    repeats: int, rng: Any, scale: float = 2.0**0.5, progress: Any = None, jobs: int = 1,
    exact: ExactRidge | None = None, double: bool = False,
) -> Difference:  # fmt: skip
    """Mean squared difference over test points of random-feature and kernel ridge predictions.

    Args: x (n, d), y (n,), x_test (m, d). sizes: numbers of features, nested. progress: called
        after each repeat. jobs: threads over repeats; the result does not depend on them.
        exact: the kernel's side if it is known already. double: cosines in double precision.
    Raises: InvalidArgument for an unknown kernel, sizes or lambdas that are not positive.
    """
    import numpy
    from threadpoolctl import threadpool_limits

    if kernel not in KERNELS:
        raise InvalidArgument(f"--kernel {kernel!r} is none of {', '.join(KERNELS)}; choose one")
    if min(sizes) < 1 or min(lambdas) <= 0 or repeats < 1:
        raise InvalidArgument(
            f"features {min(sizes)}, lambda {min(lambdas)} and repeats {repeats} must be positive"
        )
    start = time.perf_counter()
    if exact is None:
        exact = fit_exact(x, y, x_test, kernel=kernel, lambdas=lambdas, rng=rng)
    kind = numpy.float64 if double else numpy.float32
    data = (x.astype(kind), y, x_test.astype(kind))
    msd = numpy.empty((repeats, len(sizes), len(lambdas)))
    with threadpool_limits(1), ThreadPoolExecutor(jobs) as pool:
        parts = pool.map(lambda own: _one_draw(*data, exact, sizes, scale, own), rng.spawn(repeats))
        for repeat, values in enumerate(parts):
            msd[repeat] = values
            if progress:
                progress(repeat + 1)
    seconds = time.perf_counter() - start
    return Difference(tuple(sizes), tuple(lambdas), msd, exact.norm2, exact.sigma, seconds)


def _one_draw(
    x: Any, y: Any, x_test: Any, exact: ExactRidge, sizes: Sequence[int], scale: float, rng: Any
) -> Any:
    """Mean squared differences for one draw of the features, (len(sizes), len(lambdas))."""
    a, b = frequencies(rng, exact.kernel, x.shape[1], max(sizes), exact.sigma)
    found = feature_predictions(
        x, y, x_test, a.astype(x.dtype), b.astype(x.dtype), sizes=sizes, lambdas=exact.lambdas,
        scale=scale,
    )  # fmt: skip
    found -= exact.predictions
    return (found**2).mean(axis=-1)


def seconds_expected(n: int, m: int, features: int, repeats: int, lambdas: int = 1) -> float:
    """Rough time of `compare_predictors`, from a matrix product timed on this machine."""
    import numpy

    probe = numpy.ones((700, 700))
    probe @ probe
    start = time.perf_counter()
    for _ in range(3):
        probe @ probe
    rate = 3 * 2 * 700**3 / (time.perf_counter() - start)
    kernels = 160.0 * n * (n + m)
    solving = 40 * 30.0 * n**2  # steps of the Krylov space, bound by memory
    drawing = repeats * (n * features * (features + 60.0) + m * features * 60.0)
    return float((kernels + solving + drawing + repeats * lambdas * features**3 / 3) / rate * 1.5)
