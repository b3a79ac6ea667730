"""Figures 1 to 4: averaged SGD on the synthetic law of section 5.

Every curve has two bands, both labelled: the mean plus and minus the standard deviation over runs,
as the source shows it, and an interval for the mean that holds at level 0.95 for any law of values
in [0, 3/5] (a betting confidence sequence). Errors are areas, enclosed.
"""

from __future__ import annotations

import json
import math
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy

from boundcheck.experiments.drawing import save
from boundcheck.experiments.four_squares import Curves, Experiment, curves, simulate

from ._coverage import bound
from ._experiment import DRAWN

ALPHA, SHOWN, FLOOR = 0.05, 500, 1e-6  # level, points of Figure 1, end of the logarithmic axes
SINGLE_RUNS = 3  # runs repeated with features in double precision
NAMES = {"error": "excess classification error", "loss": "excess logistic loss"}
BANDS = (
    "Dark: interval for the mean, level 0.95 at each point, for any law of the runs. Light: mean "
    "plus and minus the standard deviation over runs, as in the source."
)


def summarise(values: Any, low: float, high: float) -> dict[str, list[float]]:
    """Mean, standard deviation and interval for the mean over runs, at every checkpoint.

    Args: values: (runs, checkpoints), each in [low, high].
    """
    from boundcheck.statistics import MeanSequence

    limits = [MeanSequence(low, high, ALPHA).update(column) for column in values.T]
    deviation = values.std(axis=0, ddof=1) if len(values) > 1 else 0 * values[0]
    return {
        "mean": values.mean(axis=0).tolist(), "deviation": deviation.tolist(),
        "low": [limit.lower for limit in limits], "high": [limit.upper for limit in limits],
    }  # fmt: skip


def described(found: Curves, experiment: Experiment) -> dict[str, Any]:
    """One curve as JSON: error, loss where there is one, bounds of the quadrature."""
    gap = 2 * experiment.likelier - 1
    entry: dict[str, Any] = {"error": summarise(found.error, 0.0, gap)}
    mean_low, mean_high = found.low.mean(axis=0), found.high.mean(axis=0)
    entry["error"]["quadrature"] = ((mean_high - mean_low) / 2).tolist()
    entry["error"]["exactly zero"] = (found.high == 0).mean(axis=0).tolist()
    if found.loss is not None:
        # |g| <= 1 / lambda for features of norm 1, so a loss is below 1 / lambda + log 2.
        entry["loss"] = summarise(found.loss, -0.01, 1 / experiment.lambda_ + math.log(2))
        entry["loss"]["quadrature"] = found.loss_error.mean(axis=0).tolist()
    return entry


def single_precision(experiment: Experiment, seed: int) -> float:
    """Largest effect on a value of a function of features in single precision, over a few runs."""
    worst = 0.0
    for features in experiment.features:
        for place in range(SINGLE_RUNS):
            single, double = (
                simulate(experiment, features, seed, place, double=double).coefficients
                for double in (False, True)
            )
            worst = max(worst, float(abs(single - double).sum(axis=(1, 2)).max()))
    return worst


def run(
    out: Path, *, runs: int = DRAWN.runs, iterations: int = DRAWN.iterations, seed: int = 0,
    jobs: int = 1, width: float = DRAWN.width, progress: Any = None,
) -> list[Path]:  # fmt: skip
    """Compute all curves, write `yashima2021.json`, four figures and their tables; the paths."""
    experiment = replace(DRAWN, runs=runs, iterations=iterations, width=width)
    start, found = time.perf_counter(), {}
    for features in (*experiment.features, None):
        name = "kernel" if features is None else str(features)
        loss = features == experiment.features[-1]
        values = curves(experiment, features, seed=seed, jobs=jobs, loss=loss)
        found[name] = described(values, experiment)
        if progress:
            progress(f"M = {name}: {time.perf_counter() - start:.1f} s")
    document = {
        "experiment": asdict(experiment), "seed": seed, "curves": found, "bound": bound(iterations),
        "checkpoints": list(experiment.checkpoints), "level": 1 - ALPHA,
        "effect of single precision": single_precision(experiment, seed),
    }  # fmt: skip
    target = out / "yashima2021.json"
    target.write_text(json.dumps(document), encoding="utf-8")
    return [target, *draw_sample(experiment, seed, out), *draw_figures(document, out)]


def draw_sample(experiment: Experiment, seed: int, out: Path) -> list[Path]:
    """Figure 1: some points of the data with their labels."""
    from matplotlib.figure import Figure

    points, labels = experiment.draw(numpy.random.default_rng([seed, 1]), SHOWN)
    figure = Figure(figsize=(4.5, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for label, mark in ((1, "+"), (-1, ".")):
        chosen = points[labels == label]
        axes.plot(*chosen.T, mark, label=f"y = {label}", linestyle="none")
    axes.set(xlabel="$x_1$", ylabel="$x_2$", aspect="equal")
    axes.legend(loc="center", fontsize=8)
    rows = [
        {"x_1": float(x), "x_2": float(y), "label": int(label)}
        for (x, y), label in zip(points, labels, strict=True)
    ]
    caption = (
        f"{SHOWN} draws of the data law: uniform on four squares, the likelier label with "
        f"probability {experiment.likelier:g}; the layout of the labels is not printed, here it is "
        "1 where the coordinates have different signs."
    )
    return save(figure, out / "yashima2021.figure_1.svg", "Sample of the data", caption, rows)


def draw_figures(document: dict[str, Any], out: Path) -> list[Path]:
    """Figures 2, 3 and 4 as SVG with captions and tables."""
    t = numpy.array(document["checkpoints"])
    sizes = document["experiment"]["features"]
    largest, paths = str(sizes[-1]), []
    panels = {
        "figure_2": [(largest, "error", t), (largest, "loss", t)],
        "figure_3": [(str(size), "error", t) for size in sizes],
        "figure_4": [
            (name, "error", t * (t + 1) / 2 if name == "kernel" else t * int(name))
            for name in (*(str(size) for size in sizes[-2:]), "kernel")
        ],
    }
    titles = {
        "figure_2": f"Error and loss above the best possible, M = {largest}",
        "figure_3": "Error above the best possible, by number of features",
        "figure_4": "Error above the best possible against parameter updates",
    }
    for name, lines in panels.items():
        by = "parameter updates" if name == "figure_4" else "iterations"
        figure = _sheet(document, lines, by)
        caption = _caption(document, name, titles[name], lines)
        rows = [row for line in lines for row in _rows(document, *line)]
        paths += save(figure, out / f"yashima2021.{name}.svg", titles[name], caption, rows)
    return paths


def _sheet(document: dict[str, Any], lines: list[Any], by: str) -> Any:
    """Left: as the source draws it. Right: logarithmic axes. Error above loss where both are."""
    from matplotlib.figure import Figure

    kinds = list(dict.fromkeys(kind for _, kind, _ in lines))
    figure = Figure(figsize=(9, 3.4 * len(kinds)), layout="constrained")
    grid = figure.subplots(len(kinds), 2, squeeze=False)
    for row, kind in zip(grid, kinds, strict=True):
        for axes, scale in zip(row, ("linear", "log"), strict=True):
            for name, own, x in lines:
                if own == kind:
                    _band(axes, x, document["curves"][name][kind], _label(name))
            axes.set(xlabel=by, ylabel=NAMES[kind], yscale=scale)
            axes.set_xscale("linear" if scale == "linear" and by == "iterations" else "log")
            if scale == "log":
                axes.set_ylim(bottom=FLOOR if kind == "error" else None)
            axes.legend(fontsize=8)
    return figure


def _label(name: str) -> str:
    return "full kernel" if name == "kernel" else f"M = {name}"


def _band(axes: Any, x: Any, curve: dict[str, Any], label: str) -> None:
    """A line with both bands; on a logarithmic axis what reaches zero is cut at its end."""
    mean, deviation = numpy.array(curve["mean"]), numpy.array(curve["deviation"])
    (line,) = axes.plot(x, numpy.maximum(mean, FLOOR / 10), label=label)
    for low, high, alpha in (
        (mean - deviation, mean + deviation, 0.12),
        (numpy.array(curve["low"]), numpy.array(curve["high"]), 0.3),
    ):
        low, high = (numpy.maximum(limit, FLOOR / 10) for limit in (low, high))
        axes.fill_between(x, low, high, alpha=alpha, color=line.get_color(), linewidth=0)


def _caption(document: dict[str, Any], name: str, title: str, lines: list[Any]) -> str:
    setting = document["experiment"]
    errors = [document["curves"][name]["error"] for name, kind, _ in lines if kind == "error"]
    share = max(
        bound / value
        for curve in errors
        for bound, value in zip(curve["quadrature"], curve["mean"], strict=True)
        if value >= FLOOR
    )
    losses = [document["curves"][name]["loss"] for name, kind, _ in lines if kind == "loss"]
    more = "".join(
        f" That of the loss is within {max(curve['quadrature']):.2g}, the smallest loss shown is "
        f"{min(curve['mean']):.3g}." for curve in losses
    )  # fmt: skip
    zero = [
        f"{_label(name)} {document['curves'][name]['error']['exactly zero'][-1]:.0%}"
        for name, kind, _ in lines if kind == "error"
    ]  # fmt: skip
    return (
        f"{title}. {setting['runs']} runs of {setting['iterations']} steps, width "
        f"{setting['width']:g}, layout {setting['layout']}, {setting['kind']} features. {BANDS} "
        f"Quadrature of the error is certified within {share:.1%} of every value above {FLOOR:g}."
        f"{more} In {SINGLE_RUNS} runs single precision of the features moved values of the "
        f"functions by {document['effect of single precision']:.1g} at most. Runs whose last error "
        f"is that of the Bayes rule, exactly: {', '.join(zero)}. Theorem 3 would bound the excess "
        f"by {document['bound']:.7f} if its hypotheses held. What the text says of the figure is "
        f"tested by the claims of yashima2021/{name}."
    )


def _rows(document: dict[str, Any], name: str, kind: str, x: Any) -> list[dict[str, Any]]:
    curve = document["curves"][name][kind]
    return [
        {
            "curve": _label(name), "quantity": NAMES[kind], "iterations": int(t),
            "parameter updates": int(t * (t + 1) / 2 if name == "kernel" else t * int(name)),
            "mean": curve["mean"][i], "standard deviation": curve["deviation"][i],
            "interval low": curve["low"][i], "interval high": curve["high"][i],
            "quadrature error at most": curve["quadrature"][i],
        }
        for i, t in enumerate(document["checkpoints"])
    ]  # fmt: skip
