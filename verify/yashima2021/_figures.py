"""Figures 2 to 4: averaged SGD on the synthetic law of section 5, with intervals.

The law: four squares of side 0.9 around the origin, uniform, P(Y = 1 | x) = 0.8 on the two where
x_1 x_2 > 0 and 0.2 on the others. The text fixes neither the layout of the labels nor the kernel's
width; both are stated here and the width is an option. Results are evaluated on the law by
quadrature, and the effect of the quadrature and of single precision is measured and reported.
"""

from __future__ import annotations

import json
import math
import time
from pathlib import Path
from typing import Any

FEATURES = (100, 200, 500, 1000)
GAMMA, LAMBDA, HIGH = 500.0, 0.001, 0.8
WIDTH = 0.5
NODES = 24  # midpoints per square and axis
BLOCK = 64
GROUP = 50  # runs simulated together: about 100 MB at M = 1000
POINTS = 25  # checkpoints
MARGIN = math.log(HIGH / (1 - HIGH))  # m(delta) of logistic loss at delta = 0.3
BAYES_LOSS = -0.8 * math.log(0.8) - 0.2 * math.log(0.2)
NAMES = {"error": "excess classification error", "loss": "excess logistic loss"}
SETTING = (
    " {runs} runs of {iterations} steps, kernel width {width:g}; bands are Student intervals of "
    "the mean at level 0.95. Theorem 3 bounds the excess error by {bound:.7f}, off the scale."
)
CAPTIONS = {
    "figure_2": "Error and loss above the best possible against iterations, M = 1000." + SETTING,
    "figure_3": "Error above the best possible for four numbers of features." + SETTING,
    "figure_4": "The same against updates: M per step, or the number of past steps for the full "
    "kernel." + SETTING,
}


def axis(nodes: int) -> Any:
    """Midpoints of [-1, -0.1] and [0.1, 1], `nodes` each."""
    import numpy

    half = 0.1 + 0.9 * (numpy.arange(nodes) + 0.5) / nodes
    return numpy.concatenate([-half[::-1], half])


def sampler(rng: Any, runs: int) -> Any:
    """b -> points (runs, b, 2) and labels (runs, b) of the law."""
    import numpy

    def draw(size: int) -> tuple[Any, Any]:
        points = 0.1 + 0.9 * rng.random((runs, size, 2), dtype=numpy.float32)
        signs = rng.integers(0, 2, (runs, size, 2), dtype=numpy.int8) * 2 - 1
        likely = rng.random((runs, size), dtype=numpy.float32) < HIGH
        labels = signs[..., 0] * signs[..., 1] * (2 * likely.astype(numpy.int8) - 1)
        return points * signs, labels.astype(float)

    return draw


def risks(values: Any, grid: Any) -> Any:
    """(classification error, logistic loss) of g on the grid, (runs, 2)."""
    import numpy

    side = numpy.sign(numpy.multiply.outer(grid, grid))
    margin = values * side
    wrong = numpy.where(values > 0, side < 0, side > 0)  # sgn(0) = -1, as the text says
    error = (1 - HIGH) + (2 * HIGH - 1) * wrong.mean(axis=(1, 2))
    loss = HIGH * numpy.logaddexp(0, -margin) + (1 - HIGH) * numpy.logaddexp(0, margin)
    return numpy.stack([error, loss.mean(axis=(1, 2))], axis=1)


def curve(
    features: int | None,
    runs: int,
    iterations: int,
    width: float,
    seed: int,
    nodes: int = NODES,
    jobs: int = 1,
    real: bool = False,
) -> Any:
    """(checkpoints, runs, 2) for M features, or for the full kernel (None).

    Features are the complex ones of the text, or with `real` the real ones sqrt(2) cos(w.x + b).
    """
    import numpy

    from boundcheck.experiments.processes import spread

    # Groups are fixed, so the result does not depend on the number of workers.
    sizes = [GROUP] * (runs // GROUP) + ([runs % GROUP] if runs % GROUP else [])
    rest = (iterations, width)
    tasks = [
        (features, size, *rest, [seed, features or 0, place], nodes, real)
        for place, size in enumerate(sizes)
    ]
    parts = list(spread(_group, tasks, jobs))
    return numpy.concatenate(parts, axis=1)


def _group(
    features: int | None,
    runs: int,
    iterations: int,
    width: float,
    seed: list[int],
    nodes: int,
    real: bool,
) -> Any:
    """One group of runs on random numbers of its own."""
    import numpy

    from boundcheck.experiments.averaged_sgd import (
        FourierFeatures,
        Schedule,
        geometric_checkpoints,
        run_batch,
        taylor_features,
        taylor_on_grid,
        taylor_order,
    )

    grid, rng = axis(nodes), numpy.random.default_rng(seed)
    schedule = Schedule(GAMMA, LAMBDA, iterations, geometric_checkpoints(iterations, POINTS))
    if features is None:
        order = taylor_order(width)
        apply, dimension = taylor_features(width, order), order**2

        def evaluate(mean: Any) -> Any:
            return risks(taylor_on_grid(width, order, mean, grid, grid), grid)
    else:
        apply = FourierFeatures.draw(rng, runs, features, width, real=real)
        tables, dimension = apply.tables(grid, grid), apply.dimension

        def evaluate(mean: Any) -> Any:
            return risks(apply.on_grid(tables, mean), grid)

    return run_batch(sampler(rng, runs), apply, dimension, runs, schedule, evaluate, BLOCK)


def summarise(values: Any) -> dict[str, Any]:
    """Mean and Student interval (level 0.95) over runs of error and loss, by checkpoint."""
    from scipy.stats import t

    runs = values.shape[1]
    mean, spread = values.mean(axis=1), values.std(axis=1, ddof=1) if runs > 1 else 0 * values[:, 0]
    half = (t.ppf(0.975, runs - 1) if runs > 1 else 0.0) * spread / runs**0.5
    return {
        name: {"mean": mean[:, i].tolist(), "half": half[:, i].tolist(),
               "deviation": spread[:, i].tolist()}
        for i, name in enumerate(("error", "loss"))
    }  # fmt: skip


def run(
    out: Path,
    *,
    runs: int = 100,
    iterations: int = 12_000,
    seed: int = 0,
    jobs: int = 1,
    width: float = WIDTH,
    progress: Any = None,
) -> list[Path]:
    """Compute all curves, write `yashima2021.json` and three SVG figures; the paths written."""
    from boundcheck.experiments.averaged_sgd import geometric_checkpoints

    start, curves = time.perf_counter(), {}
    for features in (*FEATURES, None):
        name = "kernel" if features is None else str(features)
        values = curve(features, runs, iterations, width, seed, jobs=jobs)
        curves[name] = summarise(values)
        if progress:
            progress(f"M = {name}: {time.perf_counter() - start:.1f} s")
    coarse = curve(FEATURES[0], min(runs, 10), iterations, width, seed)
    fine = curve(FEATURES[0], min(runs, 10), iterations, width, seed, nodes=4 * NODES)
    document = {
        "runs": runs, "iterations": iterations, "width": width, "gamma": GAMMA, "lambda": LAMBDA,
        "checkpoints": list(geometric_checkpoints(iterations, POINTS)), "curves": curves,
        "bound": 2 * math.exp(-(LAMBDA**2) * (2 * GAMMA + iterations) * MARGIN**2 / (2**12 * 9)),
        "quadrature_error": abs(coarse - fine).max(axis=(0, 1)).tolist(),
        "seconds": round(time.perf_counter() - start, 2),
    }  # fmt: skip
    target = out / "yashima2021.json"
    target.write_text(json.dumps(document), encoding="utf-8")
    return [target, *draw_figures(document, out)]


def draw_figures(document: dict[str, Any], out: Path) -> list[Path]:
    """Figures 2, 3 and 4 as SVG."""
    import numpy
    from matplotlib.figure import Figure

    t = numpy.array(document["checkpoints"])
    titles = {"figure_2": "M = 1000", "figure_3": "number of features", "figure_4": "updates"}
    paths = []
    for name, title in titles.items():
        figure = Figure(figsize=(9, 3.4) if name == "figure_2" else (6, 3.8), layout="constrained")
        if name == "figure_2":
            for place, kind in enumerate(("error", "loss")):
                axes = figure.add_subplot(1, 2, place + 1)
                best = 1 - HIGH if kind == "error" else BAYES_LOSS
                _band(axes, t, document["curves"]["1000"][kind], f"{kind}, M = 1000", best)
                axes.set(xlabel="iterations", ylabel=NAMES[kind], xscale="log", yscale="log")
                axes.legend()
        else:
            axes = figure.add_subplot()
            chosen = ("100", "200", "500", "1000") if name == "figure_3" else (
                "500", "1000", "kernel")  # fmt: skip
            for label in chosen:
                updates = t if name == "figure_3" else (
                    t * (t + 1) / 2 if label == "kernel" else t * int(label))  # fmt: skip
                text = "full kernel" if label == "kernel" else f"M = {label}"
                _band(axes, updates, document["curves"][label]["error"], text, 1 - HIGH)
            axes.set(xlabel="iterations" if name == "figure_3" else "parameter updates",
                     ylabel=NAMES["error"], xscale="log", yscale="log", title=title)  # fmt: skip
            axes.set_ylim(bottom=1e-6)
            axes.legend()
        path = out / f"yashima2021.{name}.svg"
        figure.savefig(path, metadata={"Date": None})
        path.with_suffix(".txt").write_text(CAPTIONS[name].format(**document), encoding="utf-8")
        paths.append(path)
    return paths


def _band(axes: Any, x: Any, curve_: dict[str, Any], label: str, best: float) -> None:
    import numpy

    mean, half = numpy.array(curve_["mean"]), numpy.array(curve_["half"])
    # What is left above the best possible; a band that reaches zero is cut at the axis.
    mean = numpy.maximum(mean - best, 1e-9)
    (line,) = axes.plot(x, mean, label=label)
    axes.fill_between(
        x, numpy.maximum(mean - half, 1e-9), mean + half, alpha=0.25, color=line.get_color()
    )
