"""What Theorem 1 with its constants would need for the experiment of section 6 to be covered.

B is the median norm of the targets of the simulated streams, and the regret per round that would
say something is the mean loss of predicting 0 on them. Rounds and samples by `plan`.
"""

from __future__ import annotations

import numpy

from boundcheck.experiments.coverage import Coverage, Need
from boundcheck.experiments.feature_budgets import Experiment
from boundcheck.explore import plan

from . import theorem_1
from ._experiment import DIGITS, TOY

THEOREM = "livni2017/theorem_1:mean_regret"
STREAMS = 20


def regret_per_round(bound: float, rounds: int) -> float:
    """20/3 B / sqrt(T), the bound of the repaired theorem."""
    return 20 / 3 * bound / rounds**0.5


def coverage(seed: int = 0) -> Coverage:
    """The table for the simulated and the real points."""
    needs = [
        need for name, experiment in (("simulated points", TOY), ("pixels of images", DIGITS))
        for need in _of_points(name, experiment, seed)
    ]  # fmt: skip
    return Coverage(
        needs,
        "Theorem 1 with the constant of its proof bounds the expected regret per round. Both are "
        "planned for a regret of at most the mean loss of predicting 0, below which nothing is "
        f"learnt; B is the median norm of the target over {STREAMS} streams, m the largest used, "
        "eta the largest step that was tried.",
        ("livni2017/experiment_assumptions:printed", "livni2017/algorithm_1:printed"),
    )


def _of_points(name: str, experiment: Experiment, seed: int) -> list[Need]:
    dimension = experiment.dimensions[0]
    x, y, norm = experiment.streams(
        numpy.random.default_rng([seed, 2, dimension]), STREAMS, dimension
    )
    radius = max(float(numpy.median(norm)), 1.0)
    zero = float((y**2).mean() / 2)
    given = {"B": f"{radius:.6f}", "epsilon": f"{zero:.6f}"}
    sizes = plan({THEOREM: theorem_1.mean_regret}, None, "m*T", given, rates=False).sizes
    rounds = int(sizes["T"])
    where = f"{name}, D = {dimension}, B = {radius:.3g}, loss of predicting 0 {zero:.3g}"
    bound = regret_per_round(radius, rounds)
    return [
        Need(where, "rounds", "T", experiment.rounds, rounds, bound),
        Need(where, "features per round", "m", experiment.samples[-1], float(sizes["m"]), bound),
        Need(where, "step size at T rounds, at most", "eta", experiment.steps[-1],
             radius / rounds**0.5, bound, least=False),
        Need(where, "feature values, below", "psi", float(abs(x).max()), 1.0, bound,
             least=False),
    ]  # fmt: skip
