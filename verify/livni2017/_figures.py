"""Figure 1: shrinking gradient, fixed random and doubly stochastic features at equal budgets.

The experiment is described in `_experiment`. For every m and reading of the budget the losses are
drawn with two kinds of intervals: Student's for a mean, which the source's lines would carry, and
the exact binomial one for the share of streams in which a method has the lower loss, which decides
the claims. The loss is (1/T) sum_t l_t(f_t) with the exact f_t(x_t); the loss of the estimates
E_t, which are what the shrinking gradient can predict, and the loss of the last function on all
points are recorded beside it. Algorithm 1 runs twice: with the sign that the analysis needs, and
literally as printed. The second figure has the same on real points, against m.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from boundcheck.experiments.drawing import save
from boundcheck.experiments.feature_budgets import (
    BUDGETS,
    MEASURES,
    METHODS,
    Array,
    Experiment,
    Setting,
    compared,
)

from ._experiment import DIGITS, TOY

LEVEL = 0.95
SIMULATED, REAL = "figure_1", "figure_1_real_points"
TITLES = {
    SIMULATED: "Three random-feature methods at equal budgets, simulated points",
    REAL: "Three random-feature methods at equal budgets, pixels of images",
}


def summarise(values: Array) -> dict[str, list[float]]:
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
    out: Path, *, runs: int = TOY.runs, seed: int = 0, jobs: int = 1, progress: Any = None
) -> list[Path]:
    """Compute all curves, write `livni2017.json`, figures, captions and tables; the paths written.

    Args: runs: streams of data, fresh for every D and the same for all methods.
        jobs: processes over D; the result does not depend on them.
    """
    from boundcheck.experiments.processes import spread

    experiments = {SIMULATED: replace(TOY, runs=runs), REAL: replace(DIGITS, runs=runs)}
    tasks = [
        (experiment, dimension, experiment.settings(), seed)
        for experiment in experiments.values() for dimension in experiment.dimensions
    ]  # fmt: skip
    found = []
    for results in spread(compared, tasks, jobs):
        found.append(results)
        if progress:
            progress(f"D = {tasks[len(found) - 1][1]}")
    document: dict[str, Any] = {"seed": seed, "measures": list(MEASURES), "level": LEVEL}
    for name, experiment in experiments.items():
        own = [found.pop(0) for _ in experiment.dimensions]
        document[name] = {
            "experiment": asdict(experiment),
            "panels": [
                {"samples": m, "budget": budget, "curves": _panel(experiment, own, m, budget)}
                for m in experiment.samples for budget in BUDGETS
            ],
        }  # fmt: skip
    target = out / "livni2017.json"
    target.write_text(json.dumps(document), encoding="utf-8")
    return [target, *draw_figures(document, out)]


def _panel(
    experiment: Experiment, found: Sequence[dict[Setting, tuple[int, Array]]], m: int, budget: str
) -> dict[str, Any]:
    """By method, lists over D: step, losses, and streams in which the shrinking one is lower."""
    curves: dict[str, Any] = {}
    for method in METHODS:
        count = experiment.features(method, budget, m)
        entries = []
        for results in found:
            row, values = results[method, count]
            reference = results["shrinking", m][1]
            eta, schedule = experiment.step(row)
            entries.append({
                "step": eta, "schedule": schedule, **summarise(values),
                "shrinking lower": int((reference[0] < values[0]).sum()),
            })  # fmt: skip
        curves[method] = {"features": count, "by_dimension": entries}
    return curves


def draw_figures(document: dict[str, Any], out: Path) -> list[Path]:
    """Both figures as SVG with captions and tables."""
    sheets = {SIMULATED: _against_dimension, REAL: _against_samples}
    paths = []
    for name, sheet in sheets.items():
        part = document[name]
        paths += save(
            sheet(part), out / f"livni2017.{name}.svg", TITLES[name], words(part, TITLES[name]),
            list(rows(part)),
        )  # fmt: skip
    return paths


def _against_dimension(part: dict[str, Any]) -> Any:
    """A row for each m, a column for each reading of the budget, losses against D."""
    from matplotlib.figure import Figure

    samples = part["experiment"]["samples"]
    figure = Figure(figsize=(11, 3.2 * len(samples)), layout="constrained")
    grid = figure.subplots(len(samples), len(BUDGETS), squeeze=False)
    for axes, panel in zip(grid.flat, part["panels"], strict=True):
        for method, curve in panel["curves"].items():
            name = {"fixed": "r", "stochastic": "k"}.get(method, "m")
            label = f"{METHODS[method]}, {name} = {curve['features']}"
            _line(axes, method, part["experiment"]["dimensions"], curve["by_dimension"], label)
        axes.set(xlabel="D", ylabel="mean loss", yscale="log")
        axes.set_title(f"m = {panel['samples']}, equal features {panel['budget']}", fontsize=10)
        axes.set_ylim(bottom=axes.get_ylim()[0] / 8)  # room for the legend
        axes.legend(fontsize=7, loc="lower left")
    return figure


def _against_samples(part: dict[str, Any]) -> Any:
    """A column for each reading of the budget, losses against m at the one D."""
    from matplotlib.figure import Figure

    samples = part["experiment"]["samples"]
    figure = Figure(figsize=(11, 3.4), layout="constrained")
    for axes, budget in zip(figure.subplots(1, len(BUDGETS)), BUDGETS, strict=True):
        panels = [panel for panel in part["panels"] if panel["budget"] == budget]
        for method in METHODS:
            entries = [panel["curves"][method]["by_dimension"][0] for panel in panels]
            _line(axes, method, samples, entries, METHODS[method])
        axes.set(xlabel="m", ylabel="mean loss", xscale="log", yscale="log")
        axes.set_xticks(samples, [str(m) for m in samples])
        axes.minorticks_off()
        axes.set_title(f"equal features {budget}", fontsize=10)
        axes.set_ylim(bottom=axes.get_ylim()[0] / 4)  # room for the legend
        axes.legend(fontsize=7, loc="lower left")
    return figure


def _line(axes: Any, method: str, x: Sequence[int], entries: Sequence[Any], label: str) -> None:
    axes.errorbar(
        x, [entry["mean"][0] for entry in entries], yerr=[entry["half"][0] for entry in entries],
        label=label, capsize=2, linestyle=":" if method == "printed" else "-",
    )  # fmt: skip


def rows(part: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """One row for every point shown, with the share that decides the claims."""
    from boundcheck.experiments.evidence import Share

    for panel in part["panels"]:
        for method, curve in panel["curves"].items():
            for dimension, entry in zip(
                part["experiment"]["dimensions"], curve["by_dimension"], strict=True
            ):
                share = Share(entry["shrinking lower"], part["experiment"]["runs"])
                other = method != "shrinking"
                yield {
                    "m": panel["samples"], "equal features": panel["budget"], "D": dimension,
                    "method": METHODS[method], "features": curve["features"],
                    "step": entry["step"], "schedule": entry["schedule"],
                    **dict(zip(
                        ("mean loss", "mean loss of the estimates", "loss of the last function"),
                        entry["mean"], strict=True)),
                    "half width of the interval for the mean loss": entry["half"][0],
                    "streams": share.trials,
                    "shrinking gradient lower in": share.hits if other else "",
                    "share at least": share.low if other else "",
                    "share at most": share.high if other else "",
                }  # fmt: skip


def words(part: dict[str, Any], title: str) -> str:
    """The caption: settings, and in how many streams the shrinking gradient is the lower one."""
    setting = part["experiment"]
    told = "; ".join(
        f"m = {panel['samples']}: {_lower(panel, 'fixed')} against fixed random, "
        f"{_lower(panel, 'stochastic')} against doubly stochastic features"
        for panel in part["panels"] if panel["budget"] == "computed"
    )  # fmt: skip
    return (
        f"{title}. Mean loss (1/T) sum l_t(f_t) over one pass of T = {setting['rounds']} points, "
        f"{setting['runs']} streams. Bars: Student intervals for the mean at level {LEVEL:g}. "
        f"Steps and schedules chosen on {setting['tuning']} other streams. Streams of "
        f"{setting['runs']} in which the shrinking gradient has the lower loss where equally "
        f"many features are computed, fewest over D: {told}; the table has the other readings and "
        "the exact binomial intervals, which decide the claims. Algorithm 1 "
        f"as printed climbs; the smallest step, closest to predicting 0, was its best in "
        f"{_smallest(part)} cases. The shrinking gradient cannot compute f_t(x_t); the mean loss "
        f"of its estimates E_t over all D is {_estimated(part)}. What the text says of the figure "
        "is tested by the claims of livni2017/figure_1."
    )


def _lower(panel: dict[str, Any], method: str) -> int:
    """Fewest streams over D in which the shrinking gradient is below a method."""
    return min(entry["shrinking lower"] for entry in panel["curves"][method]["by_dimension"])


def _smallest(part: dict[str, Any]) -> str:
    """How often the printed form did best with the smallest step, over D and m."""
    steps = [
        entry["step"]
        for panel in part["panels"][:: len(BUDGETS)]
        for entry in panel["curves"]["printed"]["by_dimension"]
    ]
    return f"{steps.count(min(part['experiment']['steps']))} of {len(steps)}"


def _estimated(part: dict[str, Any]) -> str:
    """Mean loss of the estimates against that of the functions, for each m."""
    parts = []
    for panel in part["panels"][:: len(BUDGETS)]:
        means = [entry["mean"] for entry in panel["curves"]["shrinking"]["by_dimension"]]
        online, estimated = (
            sum(values) / len(means) for values in list(zip(*means, strict=True))[:2]
        )
        parts.append(f"{estimated:.3g} against {online:.3g} at m = {panel['samples']}")
    return ", ".join(parts)
