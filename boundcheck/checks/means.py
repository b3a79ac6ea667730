"""Statistical tests of statements between expectations, for draws that cannot be enumerated."""

from __future__ import annotations

from typing import Any

import sympy

from boundcheck.checks.base import Task
from boundcheck.checks.batches import Batch, side_values
from boundcheck.checks.enumeration import describe
from boundcheck.exact import PRECISIONS, precision, to_float
from boundcheck.setting import Setting, parts, sides
from boundcheck.verdict import Evidence

MARGIN = 1e-9


def enclosure(setting: Setting, expr: sympy.Basic) -> tuple[float, float] | None:
    """Rational-free bounds of a random expression: from the `bounds` of its one random symbol.

    None where the expression is no random symbol (times a constant) with declared bounds.
    """
    claim = setting.claim
    coefficient, rest = expr.as_coeff_Mul()
    if not isinstance(rest, sympy.Symbol) or rest.name not in claim.measured:
        return None
    quantity = claim.measured[rest.name]
    rule = getattr(quantity, "bounds", None)
    if rule is None:
        return None
    known = [name for name in claim.arguments(quantity) if name not in claim.random_names]
    with precision(PRECISIONS[0]):
        low, high = rule(*[setting(name) for name in known])
    factor = float(coefficient)
    ends = sorted((factor * to_float(low), factor * to_float(high)))
    return ends[0], ends[1]


def test_mean(
    task: Task, setting: Setting, rng: Any, alpha: float, draws: int
) -> Evidence | None:
    """Refutation of E[left] <= right by a betting confidence sequence for E[left], or None.

    The left side must be a bounded random symbol and the right side must not be random.
    """
    from boundcheck.statistics import MeanSequence

    claim = setting.claim
    for part in parts(claim.statement.relation):
        smaller, larger = sides(part)
        if {s.name for s in larger.free_symbols} & claim.random_names:
            continue
        ends = enclosure(setting, smaller)
        if ends is None or isinstance(part, sympy.Eq) or ends[0] >= ends[1]:
            continue
        with precision(PRECISIONS[0]):
            target = to_float(setting.evaluate(larger))
        sequence, seen, size = MeanSequence(*ends, alpha=alpha, side="lower"), 0, 256
        limit = target + MARGIN * max(abs(target), ends[1] - ends[0])
        while seen < draws and sequence.lower <= limit:
            size = min(2 * size, 8192, draws - seen)
            batch = Batch(setting, claim.draw.sample(setting, rng, size))
            sequence = sequence.update(side_values(smaller, batch))
            seen += size
        if sequence.lower > limit:
            return _refuted(task, setting, alpha, draws, seen, float(sequence.lower), target)
    return None


def _refuted(
    task: Task, setting: Setting, alpha: float, draws: int, seen: int, lower: float, target: float
) -> Evidence:
    shown = {"mean at least": f"{lower:.9g}", "right": f"{target:.9g}", "draws": str(seen)}
    witness = task.witness("statistical", setting, shown, alpha=alpha, draws=draws)
    detail = (
        f"the mean of the left side is at least {lower:.6g} (error probability {alpha:.2g}, "
        f"{seen} fresh draws) while the right side is {target:.6g}, at {describe(witness)}"
    )
    return Evidence(
        "sampling", "refuted", detail, kind="statistical", error_probability=alpha,
        witness=witness, slack=target / lower if lower > 0 and target > 0 else None,
    )  # fmt: skip
