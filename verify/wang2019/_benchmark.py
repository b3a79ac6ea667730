"""Section 6.2 against the same task with scikit-learn: one data set, three lambdas, eight s.

The task: kernel ridge regression at every lambda, then for every repeat, s and lambda the mean
squared difference of the random-feature predictions on as many test points as training points.
The direct way: KernelRidge once per lambda; RBFSampler and Ridge per repeat, s and lambda. Both
sides run in this process on as many threads: those of the linear algebra there, repeats here. The
data are uniform on [-1, 1]^8, the hardest spectrum of that dimension, with a smooth target and
noise.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from ._experiment import FACTORS, REPEATS, ROWS, SIZES

DIMENSION = 8
FEWEST_ROWS = 1_000


def data(rows: int, seed: int = 0) -> tuple[Any, Any, Any]:
    """(x, y, x_test) of the benchmark."""
    import numpy

    rng = numpy.random.default_rng(seed)
    x, x_test = rng.uniform(-1, 1, (2, rows, DIMENSION))
    y = numpy.sin(3 * x[:, 0]) + x[:, 1] * x[:, 2] + 0.3 * rng.standard_normal(rows)
    y -= y.mean()
    return x, y / abs(y).max(), x_test


def direct_kernel(x: Any, y: Any, x_test: Any, lambdas: Any, sigma: float) -> Any:
    """Predictions of KernelRidge, (lambdas, m)."""
    import numpy
    from sklearn.kernel_ridge import KernelRidge

    models = [
        KernelRidge(alpha=len(y) * lambda_, kernel="rbf", gamma=1 / (2 * sigma**2)).fit(x, y)
        for lambda_ in lambdas
    ]
    return numpy.stack([model.predict(x_test) for model in models])


def direct_repeat(
    x: Any, y: Any, x_test: Any, lambdas: Any, sigma: float, exact: Any, seed: int
) -> Any:
    """Mean squared differences of one repeat, (sizes, lambdas)."""
    import numpy
    from sklearn.kernel_approximation import RBFSampler
    from sklearn.linear_model import Ridge

    found = numpy.empty((len(SIZES), len(lambdas)))
    for i, s in enumerate(SIZES):
        for j, lambda_ in enumerate(lambdas):
            features = RBFSampler(gamma=1 / (2 * sigma**2), n_components=s, random_state=seed)
            model = Ridge(alpha=len(y) * lambda_, fit_intercept=False)
            model.fit(features.fit_transform(x), y)
            predictions = model.predict(features.transform(x_test))
            found[i, j] = ((predictions - exact[j]) ** 2).mean()
    return found


def timed(work: Callable[[], Any]) -> tuple[Any, Any]:
    """(result, (wall seconds, processor seconds))."""
    import numpy

    wall, busy = time.perf_counter(), time.process_time()
    result = work()
    return result, numpy.array([time.perf_counter() - wall, time.process_time() - busy])


def lines(share: float) -> Iterator[str]:
    """A Markdown table: seconds for the task and their ratio, wall and processor time.

    At `share` the repeats are share x 100 and the rows share^(1/2) x 10,000, at least 1,000; the
    direct repeats are timed on a tenth of them. Fewer rows make both the kernel's part and the
    repeats cheaper, and the ratio smaller.
    """
    import numpy

    from boundcheck.experiments.ridge_difference import compare_predictors, fit_exact
    from boundcheck.experiments.throughput import blas_threads

    threads = blas_threads()
    rows = max(round(ROWS * share**0.5), min(FEWEST_ROWS, ROWS))
    repeats = max(round(REPEATS * share), 1)
    few = max(repeats // 10, 1)
    x, y, x_test = data(rows)
    lambdas = [factor / rows**0.5 for factor in FACTORS]
    warm = [array[:100] for array in (x, y, x_test)]
    sigma = compare_predictors(
        warm[0], warm[1], warm[2], kernel="rbf", sizes=SIZES, lambdas=lambdas, repeats=1,
        rng=numpy.random.default_rng(0),
    ).sigma  # fmt: skip
    direct_repeat(*warm, lambdas, sigma, numpy.zeros((len(lambdas), 1)), 0)
    exact, kernel = timed(lambda: fit_exact(
        x, y, x_test, kernel="rbf", lambdas=lambdas, rng=numpy.random.default_rng(0)
    ))  # fmt: skip
    ours, draws = timed(lambda: compare_predictors(
        x, y, x_test, kernel="rbf", sizes=SIZES, lambdas=lambdas, repeats=repeats,
        rng=numpy.random.default_rng(0), exact=exact, jobs=threads,
    ))  # fmt: skip
    predictions, direct = timed(lambda: direct_kernel(x, y, x_test, lambdas, exact.sigma))
    theirs, direct_draws = timed(lambda: [
        direct_repeat(x, y, x_test, lambdas, exact.sigma, predictions, seed)
        for seed in range(few)
    ])  # fmt: skip
    scaled = direct_draws * repeats / few
    agreement = abs(predictions - exact.predictions).max()
    yield (
        f"n = {rows} training and {rows} test rows, d = {DIMENSION}, {repeats} repeats, "
        f"s = {', '.join(map(str, SIZES))}, {len(lambdas)} lambdas, {threads} thread(s)"
    )
    yield (
        f"direct repeats timed on {few} and scaled; kernel predictions agree within "
        f"{agreement:.1e}; mean s x MSE {_product(ours.msd):.4g} against "
        f"{_product(numpy.stack(theirs)):.4g}"
    )
    yield "| part | wall s | scikit-learn, wall s | ratio | CPU s | scikit-learn, CPU s | ratio |"
    yield "|---|---|---|---|---|---|---|"
    for name, mine, other in (
        ("kernel ridge", kernel, direct), (f"{repeats} repeats", draws, scaled),
        ("all", kernel + draws, direct + scaled),
    ):  # fmt: skip
        yield (
            f"| {name} | "
            + " | ".join(
                f"{mine[k]:.2f} | {other[k]:.1f} | {other[k] / mine[k]:.1f}" for k in (0, 1)
            )
            + " |"
        )


def _product(msd: Any) -> float:
    import numpy

    return float((msd * numpy.array(SIZES)[:, None]).mean())
