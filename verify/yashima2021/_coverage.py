"""What Theorem 3 would need for the experiment of section 5 to be covered, by `require` and `plan`.

For every hypothesis with a number in it: the setting used, the least one that meets it with the
rest as it is, and the value of the bound on the excess error there; then all hypotheses at once, at
the least cost.
"""

from __future__ import annotations

from sympy import Rational

from boundcheck.experiments.coverage import Coverage, Need, assumed
from boundcheck.explore import plan, require

from . import experiment_bound, experiment_features, experiment_iterations, experiment_step_size
from ._experiment import DELTA, GAMMA, ITERATIONS, LAMBDA, LEAST_RISK, MARGIN, MOST_FEATURES
from .theorem_3_full import arxiv

SMALL = Rational(1, 100)  # a bound on the excess error that would say something
THEOREM = "yashima2021/theorem_3_full:arxiv"
USED = {"M": MOST_FEATURES, "T": ITERATIONS, "t": ITERATIONS}
ALONE, TOGETHER = "section 5, the rest as it is", "section 5, all hypotheses at once"


def bound(iterations: float) -> float:
    """2 exp(-lambda^2 (2 gamma + t) m^2 / (2^12 9)): see experiment_bound."""
    from math import exp

    m = float(MARGIN)
    total = 2 * float(GAMMA) + iterations
    return 2 * exp(-(float(LAMBDA) ** 2) * total * m**2 / (2**12 * 9))


def alone() -> list[Need]:
    """Every hypothesis with the rest of the settings as they are."""
    asked = (
        ("first step of SGD", experiment_step_size.aistats, "gamma", GAMMA, {}),
        ("iterations", experiment_iterations.printed, "T", ITERATIONS, {}),
        ("features", experiment_features.printed, "M", MOST_FEATURES, {}),
        ("bound of 1/100", experiment_bound.printed, "t", ITERATIONS, {"excess": SMALL}),
    )
    found = []
    for words, claim, name, used, given in asked:
        need = float(require(claim, name, given).answer)
        there = bound(need if name in "Tt" else float(ITERATIONS))
        found.append(Need(ALONE, words, name, float(used), need, there))
    return found


def coverage() -> Coverage:
    """The table, and what it assumes."""
    given = {
        "lambda": LAMBDA, "gamma": GAMMA, "R": 1, "delta": DELTA,
        "noise": Rational(1, 2), "risk_star": f"{float(LEAST_RISK):.6f}",
    }  # fmt: skip
    found = plan(
        {THEOREM: arxiv}, f"tail_bound <= {SMALL}", "M*t", given, rates=False
    )
    together = [
        Need(TOGETHER, "least M t", name, float(USED[name]), float(size), float(SMALL))
        for name, size in found.sizes.items()
    ]
    return Coverage(
        [*alone(), *together],
        "Theorem 3 bounds the expected excess classification error, which is at most 3/5 for any "
        f"classifier; with the settings used and all hypotheses it would say "
        f"{bound(float(ITERATIONS)):.7f}. Assumed for all at once, since the text does not give "
        f"them: {assumed(found.assumed)}.",
        ("yashima2021/experiment_bayes_rule:printed", "yashima2021/experiment_low_noise:printed",
         "yashima2021/experiment_regularisation:printed"),
    )  # fmt: skip
