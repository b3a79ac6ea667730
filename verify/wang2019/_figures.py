"""Figures 1 to 4 on real data: E (f~ - f)^2 against s with its exponent, and Bound against it.

Setting: features in [-1, 1], targets centred with max |y| = 1, bandwidths of section 6.1,
lambda = c / sqrt(n) with c = 0.2, 1, 5. Features are sqrt(2) cos(.), unbiased for the kernel; the
cosines as printed, without the root, are drawn beside them and have a floor. Several features of
one draw are nested, so the points of a curve share their draws, and so does the exponent's
interval. Figures 1 and 2 use one split into training and test points, half the rows each and at
most 10,000 (cpusmall: 5,000 and the rest, as the source does); figures 3 and 4 ten splits per n.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from boundcheck.experiments.drawing import save

from ._experiment import FACTORS, FEATURES, GROWING, REPEATS, ROWS, SETS, SIZES, SPLITS, TRAINING

TITLES = ("Mean squared difference against s", "Bound over mean squared difference against n")
KERNEL_NAMES = {"rbf": "RBF", "laplace": "Laplace"}
KERNELS = {"rbf": ("figure_1", "figure_3"), "laplace": ("figure_2", "figure_4")}
LEVEL = 0.95
PRINTED_DRAWS = 10


def read(entries: Sequence[str]) -> list[Any]:
    """Data worlds of FILE[:TARGET] entries, or of the sets of the source that are shipped."""
    from boundcheck.worlds.data import load_data

    worlds = []
    for entry in entries or SETS:
        name, _, target = entry.rpartition(":")
        if not name or not _is_data(name):
            name, target = entry, ""
        worlds.append(load_data(name, target or ("target" if Path(name).is_file() else None)))
    return worlds


def _is_data(name: str) -> bool:
    from boundcheck.worlds.data import LOCAL, SHIPPED

    return name in LOCAL or name in SHIPPED or Path(name).is_file()


def title(world: Any) -> str:
    """Short name of a data set: its file without folder and suffixes."""
    return Path(world.name).name.split(".")[0]


def split(world: Any, rng: Any) -> tuple[Any, Any, Any]:
    """(x, y, x_test) of figures 1 and 2."""
    order, total = rng.permutation(len(world.y)), len(world.y)
    rows = TRAINING.get(title(world), total // 2)
    rows = min(rows if rows < total else total // 2, ROWS)
    test = order[rows : rows + ROWS]
    return world.x[order[:rows]], world.y[order[:rows]], world.x[test]


def exponent(msd: Any, sizes: Sequence[int]) -> dict[str, float]:
    """Least-squares exponent of the mean of msd (draws, sizes) in s, with Student's interval.

    The delta method on the draws: a draw moves the slope by sum_i w_i msd_i / mean_i, which
    respects that the points of a curve share their draws. The interval is for sampling error; a
    curve that bends is not a power, and `late` is the exponent over the larger half of s.
    """
    import numpy
    from scipy.stats import t

    def slope(kept: slice) -> tuple[float, float]:
        x = numpy.log(numpy.asarray(sizes, dtype=float)[kept])
        weights = (x - x.mean()) / ((x - x.mean()) ** 2).sum()
        mean, draws = msd[:, kept].mean(axis=0), len(msd)
        influence = (msd[:, kept] / mean) @ weights
        half = (
            t.ppf((1 + LEVEL) / 2, draws - 1) * influence.std(ddof=1) / draws**0.5
            if draws > 1 else float("inf")
        )  # fmt: skip
        return float(weights @ numpy.log(mean)), float(half)

    value, half = slope(slice(None))
    late, late_half = slope(slice(len(sizes) // 2 - 1, None))
    return {
        "exponent": value, "low": value - half, "high": value + half,
        "late": late, "late_low": late - late_half, "late_high": late + late_half,
    }  # fmt: skip


def against_s(world: Any, kernel: str, runs: int, seed: Sequence[int], jobs: int) -> dict[str, Any]:
    """MSE against s for the three lambdas, with intervals, exponents and the printed features."""
    import numpy

    from boundcheck.experiments.ridge_difference import compare_predictors, fit_exact

    x, y, x_test = split(world, numpy.random.default_rng([*seed, 0]))
    lambdas = [factor / len(y) ** 0.5 for factor in FACTORS]
    exact = fit_exact(
        x, y, x_test, kernel=kernel, lambdas=lambdas, rng=numpy.random.default_rng([*seed, 1])
    )

    def compare(repeats: int, **options: Any) -> Any:
        rng = numpy.random.default_rng([*seed, 2])
        return compare_predictors(
            x, y, x_test, kernel=kernel, sizes=SIZES, lambdas=lambdas, repeats=repeats, rng=rng,
            exact=exact, **options,
        )  # fmt: skip

    found, printed = compare(runs, jobs=jobs), compare(min(runs, PRINTED_DRAWS), scale=1.0)
    double = compare(1, double=True)
    mean, low, high = found.interval(LEVEL)
    return {
        "n": len(y), "test": len(x_test), "d": x.shape[1], "sigma": exact.sigma,
        "variance_of_targets": float(y.var()),
        "effect_of_single_precision": float(abs(found.msd[0] / double.msd[0] - 1).max()),
        "curves": {
            str(factor): {
                "lambda": lambdas[j], "norm2": float(exact.norm2[j]),
                "mean": mean[:, j].tolist(), "low": low[:, j].tolist(), "high": high[:, j].tolist(),
                "printed_features": printed.msd[:, :, j].mean(axis=0).tolist(),
                "fit": exponent(found.msd[:, :, j], SIZES),
            }
            for j, factor in enumerate(FACTORS)
        },
    }  # fmt: skip


def against_n(world: Any, kernel: str, draws: int, seed: Sequence[int], jobs: int) -> Any:
    """Bound / MSE for s = 100: {"n": [...], c: {"mean", "low", "high"}} over random splits.

    Every split has its own training and test points (n each, fewer test points where the data
    end) and its own feature draws; the interval is Student's over the splits.
    """
    import numpy
    from scipy.stats import t

    from boundcheck.experiments.processes import spread

    total = len(world.y)
    rows = growing(total)
    tasks = [
        (world, kernel, n, draws, [*seed, n, place]) for n in rows for place in range(SPLITS)
    ]
    ratios = numpy.array(list(spread(_ratio, tasks, jobs)))
    ratios = ratios.reshape(len(rows), SPLITS, len(FACTORS))
    mean = ratios.mean(axis=1)
    half = t.ppf((1 + LEVEL) / 2, SPLITS - 1) * ratios.std(axis=1, ddof=1) / SPLITS**0.5
    return {
        "n": rows, "splits": SPLITS, "draws_per_split": draws,
        **{
            str(factor): {
                "mean": mean[:, j].tolist(), "low": (mean - half)[:, j].tolist(),
                "high": (mean + half)[:, j].tolist(),
            }
            for j, factor in enumerate(FACTORS)
        },
    }  # fmt: skip


def growing(total: int) -> list[int]:
    """Numbers of training points: the source's while 1,000 rows stay for testing, else halvings.

    >>> growing(8192), growing(442)
    ([200, 500, 1000, 2000, 5000], [27, 55, 110, 221])
    """
    if total >= 2 * GROWING[2]:
        return [n for n in GROWING if n + GROWING[2] <= total]
    return [total // 2 // part for part in (8, 4, 2, 1)]


def _ratio(world: Any, kernel: str, n: int, draws: int, seed: Sequence[int]) -> Any:
    """Bound / MSE for every lambda on one split."""
    import numpy

    from boundcheck.experiments.ridge_difference import compare_predictors

    rng = numpy.random.default_rng(seed)
    order = rng.permutation(len(world.y))
    train, test = order[:n], order[n : 2 * n]
    found = compare_predictors(
        world.x[train], world.y[train], world.x[test], kernel=kernel, sizes=[FEATURES],
        lambdas=[factor / n**0.5 for factor in FACTORS], repeats=draws, rng=rng,
    )  # fmt: skip
    return found.norm2 / FEATURES / found.msd.mean(axis=0)[0]


def run(
    out: Path,
    *,
    runs: int = REPEATS,
    seed: int = 0,
    jobs: int = 1,
    data: Sequence[str] = (),
    progress: Any = None,
) -> list[Path]:
    """Compute figures 1 to 4, write `wang2019.json`, SVG figures and captions; the paths written.

    Args: runs: feature draws in figures 1 and 2, and a tenth of them per split in 3 and 4.
        jobs: processes over draws and splits; the result does not depend on them.
        data: FILE[:TARGET] entries; the target is the column `target` unless named.
    Raises: DataError for data that cannot be used.
    """
    start, worlds = time.perf_counter(), read(data)
    document: dict[str, Any] = {
        "runs": runs, "seed": seed, "sizes": list(SIZES), "features": FEATURES, "level": LEVEL,
        "sets": {},
    }  # fmt: skip
    for place, world in enumerate(worlds):
        entry = document["sets"].setdefault(title(world), {"file": Path(world.name).name})
        for number, kernel in enumerate(KERNELS):
            key = [seed, place, number]
            entry[kernel] = {
                "against_s": against_s(world, kernel, runs, key, jobs),
                "against_n": against_n(world, kernel, max(runs // SPLITS, 1), key, jobs),
            }
            if progress:
                progress(f"{title(world)}, {kernel}: {time.perf_counter() - start:.1f} s")
    target = out / "wang2019.json"
    target.write_text(json.dumps(document), encoding="utf-8")
    return [target, *draw_figures(document, out)]


def draw_figures(document: dict[str, Any], out: Path) -> list[Path]:
    """Figures 1 to 4 as SVG, a row per data set, with a caption in a text file beside each."""
    paths = []
    for kernel, names in KERNELS.items():
        for name, panel, words in zip(
            names, (_against_s, _against_n), (_words_s, _words_n), strict=True
        ):
            figure = _sheet(document, kernel, panel)
            rows = _rows_s(document, kernel) if panel is _against_s else _rows_n(document, kernel)
            title = f"{TITLES[panel is _against_n]}, {KERNEL_NAMES[kernel]} kernel"
            target = out / f"wang2019.{name}.svg"
            paths += save(figure, target, title, words(document, kernel), rows)
    return paths


def _sheet(document: dict[str, Any], kernel: str, panel: Any) -> Any:
    from matplotlib.figure import Figure

    sets = document["sets"]
    figure = Figure(figsize=(10, 3 * len(sets)), layout="constrained")
    grid = figure.subplots(len(sets), len(FACTORS), squeeze=False)
    for row, (name, entry) in zip(grid, sets.items(), strict=True):
        for axes, factor in zip(row, FACTORS, strict=True):
            panel(axes, document, entry[kernel], str(factor))
            axes.set_title(f"{name}, $\\lambda = {factor:g}/\\sqrt{{n}}$", fontsize=10)
    return figure


def _against_s(axes: Any, document: dict[str, Any], entry: Any, factor: str) -> None:
    import numpy

    sizes, curve = numpy.array(document["sizes"]), entry["against_s"]["curves"][factor]
    mean = numpy.array(curve["mean"])
    spread = [mean - curve["low"], numpy.array(curve["high"]) - mean]
    axes.errorbar(sizes, mean, yerr=spread, fmt="r*", label="MSE")
    axes.plot(sizes, mean[0] * sizes[0] / sizes, label="1/s from the first point")
    axes.plot(sizes, curve["printed_features"], "k:", label="features as printed")
    axes.set(xscale="log", yscale="log", xlabel="s", ylabel="MSE")
    text = "exponent {exponent:.3f}\n[{low:.3f}, {high:.3f}]".format(**curve["fit"])
    axes.text(0.04, 0.05, text, transform=axes.transAxes, fontsize=8)
    axes.legend(fontsize=7)


def _against_n(axes: Any, document: dict[str, Any], entry: Any, factor: str) -> None:
    import numpy

    found = entry["against_n"]
    curve = found[factor]
    mean = numpy.array(curve["mean"])
    spread = [mean - curve["low"], numpy.array(curve["high"]) - mean]
    axes.errorbar(found["n"], mean, yerr=spread, fmt="o-")
    axes.set(xscale="log", xlabel="n", ylabel="Bound / MSE", ylim=(0, None))
    axes.set_xticks(found["n"], [str(n) for n in found["n"]])
    axes.minorticks_off()


def _rows_s(document: dict[str, Any], kernel: str) -> list[dict[str, Any]]:
    """One row for every star of figures 1 and 2."""
    return [
        {
            "data": name, "lambda sqrt(n)": factor, "s": s, "mean": curve["mean"][i],
            "interval low": curve["low"][i], "interval high": curve["high"][i],
            "1/s from the first point": curve["mean"][0] * document["sizes"][0] / s,
            "features as printed": curve["printed_features"][i],
        }
        for name, entry in _entries(document)
        for factor, curve in entry[kernel]["against_s"]["curves"].items()
        for i, s in enumerate(document["sizes"])
    ]  # fmt: skip


def _rows_n(document: dict[str, Any], kernel: str) -> list[dict[str, Any]]:
    """One row for every point of figures 3 and 4."""
    return [
        {
            "data": name, "lambda sqrt(n)": factor, "n": n,
            **{key: entry[kernel]["against_n"][str(factor)][part][i] for key, part in (
                ("mean", "mean"), ("interval low", "low"), ("interval high", "high"))},
        }
        for name, entry in _entries(document)
        for factor in FACTORS
        for i, n in enumerate(entry[kernel]["against_n"]["n"])
    ]  # fmt: skip


def _words_s(document: dict[str, Any], kernel: str) -> str:
    fitted = "; ".join(_exponents(name, entry[kernel]) for name, entry in _entries(document))
    return (
        f"MSE of random-feature against kernel ridge regression, {kernel} kernel, "
        f"{document['runs']} feature draws. Bars: Student intervals for the mean over draws at "
        f"level {document['level']:g}; the claims of wang2019/figure_1, which test what the text "
        "says, are decided by exact intervals for shares and medians of draws. Fitted exponents "
        f"of s for lambda = 0.2, 1 and 5 over sqrt(n): {fitted}. Dotted: the cosines as printed, "
        "without sqrt(2), which estimate half the kernel. Single precision of the features moved "
        f"the MSE of a draw by a factor of 1 +- {_single(document, kernel):.1g} at most."
    )


def _single(document: dict[str, Any], kernel: str) -> float:
    """Largest relative effect of single precision, over data sets."""
    return max(
        entry[kernel]["against_s"]["effect_of_single_precision"] for _, entry in _entries(document)
    )


def _entries(document: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    yield from document["sets"].items()


def _exponents(name: str, entry: Any) -> str:
    found = entry["against_s"]
    values = ", ".join(
        "{exponent:.3f} [{low:.3f}, {high:.3f}]".format(**curve["fit"])
        for curve in found["curves"].values()
    )
    return f"{name} (n = {found['n']}, {found['test']} test points) {values}"


def _words_n(document: dict[str, Any], kernel: str) -> str:
    found = "; ".join(_ratios(name, entry[kernel]) for name, entry in _entries(document))
    return (
        f"Bound (31) over MSE against n, {kernel} kernel, s = {document['features']}, {SPLITS} "
        f"random splits. Bars: Student intervals for the mean over splits at level "
        f"{document['level']:g}; the claims of wang2019/figure_3, which test what the text says, "
        "are decided by exact intervals for shares of splits. For lambda = 0.2, 1 and 5 over "
        f"sqrt(n): {found}. The bound of Theorem 1 is 4 b = 8 times larger."
    )


def _ratios(name: str, entry: Any) -> str:
    found = entry["against_n"]
    values = ", ".join(
        f"{found[str(factor)]['mean'][0]:.1f} to {found[str(factor)]['mean'][-1]:.1f}"
        for factor in FACTORS
    )
    return f"{name}, n = {found['n'][0]} to {found['n'][-1]}: {values}"
