"""What the theorems would need for the experiment of section 5 to be covered, by `require`.

For every hypothesis of Theorem 3 with a number in it: the setting used, the least one that meets it
with the rest as it is, and the value of the bound on the excess error there.
"""

from __future__ import annotations

from typing import Any

from sympy import Rational

from boundcheck.explore import require

from . import experiment_bound, experiment_features, experiment_iterations, experiment_step_size
from ._experiment import GAMMA, ITERATIONS, LAMBDA, MOST_FEATURES, margin

SMALL = Rational(1, 100)  # a bound on the excess error that would say something


def bound(iterations: float) -> float:
    """2 exp(-lambda^2 (2 gamma + t) m^2 / (2^12 9)): see experiment_bound."""
    from math import exp

    m = float(margin().mid())
    total = 2 * float(GAMMA) + iterations
    return 2 * exp(-(float(LAMBDA) ** 2) * total * m**2 / (2**12 * 9))


def rows() -> list[dict[str, Any]]:
    """One row for each hypothesis: symbol, used, needed, whether met, bound at what is needed."""
    asked = (
        ("first step of SGD", experiment_step_size.aistats, "gamma", GAMMA, {}),
        ("iterations", experiment_iterations.printed, "T", ITERATIONS, {}),
        ("features", experiment_features.printed, "M", MOST_FEATURES, {}),
        ("bound of 1/100", experiment_bound.printed, "t", ITERATIONS, {"excess": SMALL}),
    )
    found = []
    for words, claim, name, used, given in asked:
        need = float(require(claim, name, given).answer)
        found.append({
            "hypothesis": words, "symbol": name, "used": float(used), "needed": need,
            "met": "yes" if float(used) >= need else "no",
            "bound there": bound(need if name in "Tt" else float(ITERATIONS)),
        })  # fmt: skip
    return found


def words(found: list[dict[str, Any]]) -> str:
    """The rows in one sentence."""
    needs = "; ".join(
        f"{row['hypothesis']}: {row['symbol']} = {row['used']:g} used, {row['needed']:.3g} needed "
        f"(bound {row['bound there']:.7g})"
        for row in found
    )
    return f"With the rest as it is, {needs}."
