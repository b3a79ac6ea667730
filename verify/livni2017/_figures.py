"""Figure 1: shrinking gradient, fixed random and doubly stochastic features at equal budgets.

Setting: x in R^D clipped standard Gaussian, a feature is a uniform coordinate, T = 200 points met
once, D = 550, 600, ..., 800, labels <a, x_t> with a a sparse combination of the points.
The text leaves open, and this file fixes: five points in the combination with standard normal
coefficients; labels scaled to max |y_t| = 1; B the norm of the target, at least 1; m = 20 and 200
features per round; and what "the same overall number of features" means, so that all readings
stand side by side:
    per point   r = k = m features for every point;
    drawn       equally many draws of w in the whole pass, r = m T and k = m;
    computed    equally many values psi(x; w) in the whole pass: 2 m (T - 1) for the shrinking
                gradient, r T for fixed features, k T (T + 1) / 2 for doubly stochastic ones
                (k rounded, at least 1, which favours them where m < (T + 1) / 4).
Step sizes: eta_t = eta or eta / sqrt(t), eta = 2^-7, ..., 2^3, for every method, D, m and budget
the pair with the smallest mean loss on 20 separate runs. The loss is (1/T) sum_t l_t(f_t) with
the exact f_t(x_t); the loss of the estimates E_t, which are what the shrinking gradient can
predict, and the loss of the last function on all points are recorded beside it. Algorithm 1 runs
twice: with the sign that the analysis needs, and literally as printed.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

DIMENSIONS, ROUNDS = (550, 600, 650, 700, 750, 800), 200
SAMPLES = (20, 200)  # m
BUDGETS = ("per point", "drawn", "computed")
METHODS = {
    "shrinking": "shrinking gradient",
    "fixed": "fixed random",
    "stochastic": "doubly stochastic",
    "printed": "Algorithm 1 as printed",
}
MEASURES = ("online", "estimated", "final")
STEPS = tuple(2.0**k for k in range(-7, 4))
SCHEDULES = {"constant": 0.0, "1/sqrt(t)": 0.5}
TUNING, GROUP, LEVEL = 20, 10, 0.95  # streams; streams handled at once, 16 MB each at D = 800


def features(method: str, budget: str, m: int) -> int:
    """r or k at the budget of m features per round, for T = 200.

    >>> [features("fixed", budget, 200) for budget in BUDGETS]
    [200, 40000, 398]
    >>> [features("stochastic", budget, 200) for budget in BUDGETS]
    [200, 200, 4]
    """
    if budget == "per point" or method in ("shrinking", "printed"):
        return m
    if budget == "drawn":
        return m * ROUNDS if method == "fixed" else m
    values = 2 * m * (ROUNDS - 1)
    each = ROUNDS if method == "fixed" else ROUNDS * (ROUNDS + 1) / 2
    return max(round(values / each), 1)


def step_rows() -> Any:
    """All rows of step sizes that are tried, (steps x schedules, T)."""
    import numpy

    t = numpy.arange(1, ROUNDS + 1)
    return numpy.stack([eta / t**power for power in SCHEDULES.values() for eta in STEPS])


def losses(method: str, data: Any, steps: Any, count: int, rng: Any) -> Any:
    """Mean losses of a pass by measure, (measures, S, G), infinite where a run diverges."""
    import numpy

    from boundcheck.experiments import infinite_layer as layer

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


def settings() -> Iterator[tuple[str, int]]:
    """(method, number of features) over all m and budgets, each once."""
    yield from dict.fromkeys(
        (method, features(method, budget, m))
        for m in SAMPLES for budget in BUDGETS for method in METHODS
    )  # fmt: skip


def dimension_results(dimension: int, runs: int, seed: int) -> dict[tuple[str, int], Any]:
    """For every method and number of features: the row of step sizes chosen, losses of the runs.

    All methods meet the same streams of data, so their losses can be compared in pairs.
    """
    import numpy

    rows = step_rows()
    tuned: dict[tuple[str, int], Any] = {}
    for setting, values in _over_groups(dimension, TUNING, [seed, 0], lambda _: rows):
        tuned[setting] = tuned.get(setting, 0) + values[0].sum(axis=0)
    best = {setting: int(numpy.argmin(total)) for setting, total in tuned.items()}
    found: dict[tuple[str, int], list[Any]] = {}
    choose = {setting: rows[[row]] for setting, row in best.items()}
    for setting, values in _over_groups(dimension, runs, [seed, 1], choose.__getitem__):
        found.setdefault(setting, []).append(values[:, :, 0])
    return {
        setting: (best[setting], numpy.concatenate(parts, axis=1))
        for setting, parts in found.items()
    }


def _over_groups(
    dimension: int, streams: int, seed: Sequence[int], steps: Callable[[tuple[str, int]], Any]
) -> Iterator[tuple[tuple[str, int], Any]]:
    """(setting, losses) for every setting and group of streams, on random numbers of its own."""
    import numpy

    from boundcheck.experiments.infinite_layer import toy_streams

    for place, start in enumerate(range(0, streams, GROUP)):
        key = [*seed, dimension, place]
        size = min(GROUP, streams - start)
        data = toy_streams(numpy.random.default_rng(key), size, ROUNDS, dimension)
        for setting in settings():
            method, count = setting
            own = [*key, list(METHODS).index(method), count]
            rng = numpy.random.default_rng(own)
            yield setting, losses(method, data, steps(setting), count, rng)


def summarise(values: Any) -> dict[str, list[float]]:
    """Mean and half width of Student's interval (level 0.95) over runs, for each measure."""
    import numpy
    from scipy.stats import t

    runs = values.shape[-1]
    mean = values.mean(axis=-1)
    half = (
        t.ppf((1 + LEVEL) / 2, runs - 1) * values.std(axis=-1, ddof=1) / runs**0.5
        if runs > 1 else numpy.full(mean.shape, numpy.inf)
    )  # fmt: skip
    return {"mean": mean.tolist(), "half": half.tolist()}


def run(
    out: Path, *, runs: int = 100, seed: int = 0, jobs: int = 1, progress: Any = None
) -> list[Path]:
    """Compute all curves, write `livni2017.json`, the figure and its caption; the paths written.

    Args: runs: streams of data, fresh for every D and the same for all methods.
        jobs: processes over D; the result does not depend on them.
    """
    from boundcheck.experiments.processes import spread

    start = time.perf_counter()
    found = []
    tasks = [(dimension, runs, seed) for dimension in DIMENSIONS]
    for results in spread(dimension_results, tasks, jobs):
        found.append(results)
        if progress:
            dimension = DIMENSIONS[len(found) - 1]
            progress(f"D = {dimension}: {time.perf_counter() - start:.1f} s")
    document = {
        "runs": runs, "seed": seed, "rounds": ROUNDS, "dimensions": list(DIMENSIONS),
        "measures": list(MEASURES), "tuning_runs": TUNING, "level": LEVEL,
        "panels": [
            {"samples": m, "budget": budget, "curves": _panel(found, m, budget)}
            for m in SAMPLES for budget in BUDGETS
        ],
        "seconds": round(time.perf_counter() - start, 2),
    }  # fmt: skip
    target = out / "livni2017.json"
    target.write_text(json.dumps(document), encoding="utf-8")
    return [target, *draw_figure(document, out)]


def _panel(found: Sequence[Any], m: int, budget: str) -> dict[str, Any]:
    """By method, lists over D: features, step, losses, and their excess over the shrinking one."""
    curves: dict[str, Any] = {}
    for method in METHODS:
        setting = (method, features(method, budget, m))
        entries = []
        for results in found:
            row, values = results[setting]
            reference = results["shrinking", m][1]
            schedule = list(SCHEDULES)[row // len(STEPS)]
            entries.append(
                {
                    "step": STEPS[row % len(STEPS)], "schedule": schedule, **summarise(values),
                    "excess": summarise(values - reference),
                }
            )  # fmt: skip
        curves[method] = {"features": setting[1], "by_dimension": entries}
    return curves


def draw_figure(document: dict[str, Any], out: Path) -> list[Path]:
    """Figure 1: a row for each m, a column for each reading of the budget."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 3.2 * len(SAMPLES)), layout="constrained")
    grid = figure.subplots(len(SAMPLES), len(BUDGETS), squeeze=False)
    for axes, panel in zip(grid.flat, document["panels"], strict=True):
        for method, curve in panel["curves"].items():
            name = {"fixed": "r", "stochastic": "k"}.get(method, "m")
            axes.errorbar(
                document["dimensions"],
                [entry["mean"][0] for entry in curve["by_dimension"]],
                yerr=[entry["half"][0] for entry in curve["by_dimension"]],
                label=f"{METHODS[method]}, {name} = {curve['features']}", capsize=2,
                linestyle=":" if method == "printed" else "-",
            )  # fmt: skip
        axes.set(xlabel="D", ylabel="mean loss", yscale="log")
        axes.set_title(f"m = {panel['samples']}, equal features {panel['budget']}", fontsize=10)
        axes.set_ylim(bottom=axes.get_ylim()[0] / 8)  # room for the legend
        axes.legend(fontsize=7, loc="lower left")
    path = out / "livni2017.figure_1.svg"
    figure.savefig(path, metadata={"Date": None})
    caption = path.with_suffix(".txt")
    caption.write_text(words(document), encoding="utf-8")
    return [path, caption]


def words(document: dict[str, Any]) -> str:
    """The caption: settings, and where the shrinking gradient is the lowest beyond doubt."""
    verdicts = "; ".join(
        f"m = {panel['samples']}, {panel['budget']}: lower than fixed random at "
        f"{_lower(panel, 'fixed')} and than doubly stochastic at {_lower(panel, 'stochastic')}"
        for panel in document["panels"]
    )
    return (
        f"Mean loss (1/T) sum l_t(f_t) over one pass of T = {document['rounds']} points, "
        f"{document['runs']} runs, Student intervals at level {document['level']:g}. Steps and "
        f"schedules chosen on {document['tuning_runs']} other runs. Dimensions of "
        f"{len(document['dimensions'])} at which the shrinking gradient is better or worse with "
        f"the whole interval of the paired difference: {verdicts}. Algorithm 1 as printed climbs; "
        f"the smallest step, closest to predicting 0, was its best in {_smallest(document)} "
        "cases. The shrinking gradient cannot compute f_t(x_t); the mean loss of its estimates "
        "E_t over all D is "
        f"{_estimated(document)}."
    )


def _smallest(document: dict[str, Any]) -> str:
    """How often the printed form did best with the smallest step, over D and m."""
    steps = [
        entry["step"]
        for panel in document["panels"][:: len(BUDGETS)]
        for entry in panel["curves"]["printed"]["by_dimension"]
    ]
    return f"{steps.count(min(STEPS))} of {len(steps)}"


def _estimated(document: dict[str, Any]) -> str:
    """Mean loss of the estimates against that of the functions, for each m."""
    parts = []
    for panel in document["panels"][:: len(BUDGETS)]:
        means = [entry["mean"] for entry in panel["curves"]["shrinking"]["by_dimension"]]
        online, estimated = (
            sum(values) / len(means) for values in list(zip(*means, strict=True))[:2]
        )
        parts.append(f"{estimated:.3g} against {online:.3g} at m = {panel['samples']}")
    return ", ".join(parts)


def _lower(panel: dict[str, Any], method: str) -> str:
    """How many dimensions show a positive, and how many a negative excess over the shrinking."""
    excess = [
        (entry["excess"]["mean"][0], entry["excess"]["half"][0])
        for entry in panel["curves"][method]["by_dimension"]
    ]
    lower = sum(mean - half > 0 for mean, half in excess)
    higher = sum(mean + half < 0 for mean, half in excess)
    return f"{lower} (higher at {higher})"
