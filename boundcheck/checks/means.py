"""Statistical tests of statements between expectations, for draws that cannot be enumerated."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import sympy
from flint import arb

from boundcheck.checks.base import Task
from boundcheck.checks.batches import CERTIFIED, SAMPLED, Batch, exact_at, side_values
from boundcheck.checks.enumeration import describe
from boundcheck.claim import Claim
from boundcheck.exact import PRECISIONS, precision, to_ball, to_float
from boundcheck.expressions.binding import Definition
from boundcheck.setting import Setting, live, sides
from boundcheck.verdict import Evidence

MARGIN = 1e-9
ROUNDING = 1e-12  # of the length of the bounds: far less than MARGIN leaves room for
LEAST_COMPARED = 200  # draws that are compared, however costly a definition
CHECKED = 4  # outcomes per batch at which the estimator is held against its definition


def enclosure(setting: Setting, expr: sympy.Basic) -> tuple[float, float] | None:
    """Rational-free bounds of a random expression: from the `bounds` of its one random symbol.

    None where the expression is no random symbol (times a constant) with declared bounds.
    """
    claim = setting.claim
    coefficient, rest = expr.as_coeff_Mul()
    if not isinstance(rest, sympy.Symbol) or rest.name not in claim.measured:
        return None
    quantity = claim.measured[rest.name]
    rule: Any = getattr(quantity, "bounds", None)
    if isinstance(quantity, Definition):
        rule = quantity.bounds_in(claim.stands)
    if rule is None:
        return None
    known = [name for name in claim.arguments(quantity) if name not in claim.random_names]
    with precision(PRECISIONS[0]):
        if isinstance(rule, tuple):  # expressions
            low, high = (setting.evaluate(end) for end in rule)
        else:
            low, high = rule(*[setting(name) for name in known])
    factor = float(coefficient)
    ends = sorted((factor * to_float(low), factor * to_float(high)))
    return ends[0], ends[1]


def test_mean(
    task: Task, setting: Setting, batches: Callable[[], Iterator[Batch]], alpha: float, draws: int,
    stream: str = "",
) -> Evidence | None:  # fmt: skip
    """Refutation of E[left] <= right by a betting confidence sequence for one mean, or None.

    One side must be a bounded random symbol and the other one must not be random. Several
    comparisons share alpha equally; one under a premise is tested where the premise is certified.
    Half of a share is for draws at which floats are not the definition: see `Compared`.

    Args: batches: makes the draws for one comparison, `draws` in total.
    """
    from boundcheck.statistics import MeanSequence

    claim = setting.claim
    tested = live(claim.statement.relation, setting)
    alpha = alpha / max(len(tested), 1)
    for part in tested:
        smaller, larger = sides(part)
        below, above = (_random(side, claim) for side in (smaller, larger))
        if below and above:
            continue
        if above:
            smaller, larger = -larger, -smaller
        ends = enclosure(setting, smaller)
        if ends is None or isinstance(part, sympy.Eq) or ends[0] >= ends[1]:
            continue
        with precision(PRECISIONS[-1]):
            target = to_float(to_ball(setting.evaluate(larger)).upper())
        sequence, seen = MeanSequence(*ends, alpha=alpha / 2, side="lower"), 0
        width = ends[1] - ends[0]
        compared = Compared(smaller, MARGIN * width, claim.cost, alpha / 2)
        limit = target + MARGIN * max(abs(target), width) + SAMPLED * width
        for batch in batches():
            values = side_values(smaller, batch)
            if not faithful(batch, smaller, values, MARGIN * width):
                break
            compared.keep(batch, values)
            sequence = sequence.update(rounded_into(values, *ends))
            seen += batch.size
            if sequence.lower > limit + compared.share * width:
                break
        if sequence.lower > limit + compared.share * width and compared.agree():
            means = (-sequence.lower, -target) if above else (sequence.lower, target)
            return _refuted(task, setting, alpha, draws, seen, *means, above, stream)
    return None


class Compared:
    """The first draws of a test, held against the definition before anything is accused.

    All of n agree with probability at most `alpha` where a share of log(1/alpha)/n of all draws or
    more does not, whatever n the test stops at: by so much of the range a mean has to exceed.
    """

    def __init__(self, expr: sympy.Basic, tolerance: float, cost: float, alpha: float) -> None:
        self.expr, self.tolerance, self.alpha = expr, tolerance, alpha
        self.most = int(max(CERTIFIED / max(cost, 1.0), LEAST_COMPARED))
        self.kept: list[tuple[Batch, Any]] = []
        self.count = 0

    def keep(self, batch: Batch, values: Any) -> None:
        """Adds a batch, as long as fewer draws are kept than will be compared."""
        if self.count < self.most:
            room = min(batch.size, self.most - self.count)
            self.kept.append((batch, values[:room]))
            self.count += room

    @property
    def share(self) -> float:
        """Of all draws, that differ from the definition where these do not."""
        return math.log(1 / self.alpha) / max(self.count, 1)

    def agree(self) -> bool:
        """Whether floats are the definition at every draw that is kept."""
        return all(self._agree(batch, values) for batch, values in self.kept)

    def _agree(self, batch: Batch, values: Any) -> bool:
        asked = (self.expr, self.tolerance, len(values))
        if asked not in batch.checked:
            places = range(len(values))
            batch.checked[asked] = _agrees(batch, self.expr, values, self.tolerance / 2, places)
        return batch.checked[asked]


def rounded_into(values: Any, low: float, high: float) -> Any:
    """Draws that rounding alone has put outside of their bounds, at these bounds; others as is.

    >>> import numpy
    >>> rounded_into(numpy.array([-0.25, 0.0, 1.0]), -1.0, -1e-25)[:2]
    array([-2.5e-01, -1.0e-25])
    """
    import numpy

    near = ROUNDING * (high - low)
    beyond = numpy.where(values > high, values - high, numpy.where(values < low, low - values, 0))
    return numpy.where((beyond > 0) & (beyond <= near), numpy.clip(values, low, high), values)


def _random(side: sympy.Basic, claim: Claim) -> bool:
    """Whether a side depends on the draw."""
    return bool({symbol.name for symbol in side.free_symbols} & claim.random_names)


def faithful(batch: Batch, expr: sympy.Basic, values: Any, tolerance: float) -> bool:
    """Whether floats agree with the definition at the first, the largest and the least outcomes.

    Half the tolerance by which a mean must exceed the right side is left to other rounding.
    """
    asked = (expr, tolerance)
    if asked not in batch.checked:
        places = {*range(min(CHECKED, batch.size)), int(values.argmax()), int(values.argmin())}
        batch.checked[asked] = _agrees(batch, expr, values, tolerance / 2, places)
    return batch.checked[asked]


def _agrees(
    batch: Batch, expr: sympy.Basic, values: Any, tolerance: float, places: Iterable[int]
) -> bool:
    """Whether every value is near to that of the definition, for all that floats may have rounded.

    A grid of floats is not the law of what is drawn: what only holds on it is no value.
    """
    with precision(PRECISIONS[1]):
        for position in places:
            found = exact_at(batch, expr, position)
            if found is None or not abs(found - arb(float(values[position]))) <= tolerance:
                return False
    return True


def _refuted(
    task: Task, setting: Setting, alpha: float, draws: int, seen: int, mean: float, target: float,
    above: bool, stream: str,
) -> Evidence:  # fmt: skip
    """Args: mean: a limit of the mean that is random; above: whether the larger side is."""
    random, other, limit = ("right", "left", "most") if above else ("left", "right", "least")
    shown = {f"mean at {limit}": f"{mean:.9g}", other: f"{target:.9g}", "draws": str(seen)}
    witness = task.witness("statistical", setting, shown, alpha=alpha, draws=draws,
                           seed=task.seed, stream=stream)  # fmt: skip
    detail = (
        f"the mean of the {random} side is at {limit} {mean:.6g} (error probability {alpha:.2g}, "
        f"{seen} fresh draws) while the {other} side is {target:.6g}, at {describe(witness)}"
    )
    small, large = (target, mean) if above else (mean, target)
    return Evidence(
        "sampling", "refuted", detail, kind="statistical", error_probability=alpha,
        witness=witness, slack=large / small if small > 0 and large > 0 else None,
    )  # fmt: skip
