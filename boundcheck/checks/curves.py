"""The constant that a statement up to a constant needs, along a family of growing worlds.

Exact where the draw can be listed, else between confidence limits that are shared out over all
sizes; and whether such a curve keeps growing as far as it was followed.
"""

from __future__ import annotations

import math
from collections import deque
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import sympy

from boundcheck import exact
from boundcheck.arithmetic import Value
from boundcheck.checks.base import Task
from boundcheck.claim import Expected, Form, UpToConstant, WithProbability
from boundcheck.errors import Undecided, Undefined
from boundcheck.exact import PRECISIONS, precision
from boundcheck.fuel import OutOfFuel, limit
from boundcheck.scores import constant_needed
from boundcheck.setting import Setting, guarded, sides
from boundcheck.worlds.draws import Draw
from boundcheck.worlds.families import Family

if TYPE_CHECKING:
    from boundcheck.checks.batches import Batch

NAME = "trend"
LEAST_GROWTH = 2.0  # over the whole range, below which no growth is claimed
LEVEL = 0.001  # of the exponent's interval
PROBE = 4000  # draws per size where a draw cannot be enumerated
LEAST_DRAWS = 100  # of a costly claim between expectations
FAR = 2**20  # size from which slow growth can be told from a curve that levels off
LARGEST = 2**1000  # size beyond which floats do not fit a trend
STILL = 1.4  # times the constant at the square root of the size; a logarithm doubles
FAITHFUL = 1e-6  # relative to left/right of a draw, what floats may be off
ROUNDED = 1e-12  # relative to the largest of all draws
STEP_CALLS = {"quick": 4 * 10**6, "standard": 10**7, "thorough": 10**8}  # of one size
LISTED = 20  # times the outcomes of the budget are listed at one size of a family


class Point(NamedTuple):
    """The least constant at one size: a value, or a lower limit `value` with its upper limit."""

    size: int
    value: float
    setting: Setting
    upper: float


def step_calls(task: Task) -> int:
    """Calls of functions that the worlds of one size may take in a trial of this share."""
    return int(STEP_CALLS.get(task.budget.name, STEP_CALLS["quick"]) * task.budget.share)


def needed_constants(task: Task, family: Family) -> tuple[list[Point], str]:
    """The least constant along a family, and the first problem met.

    Short trials end before a size that takes too much; full ones look at each.
    """
    claim, problem = task.claim, ""
    points: list[Point] = []
    spent = nullcontext if task.budget.share >= 1 else partial(limit, step_calls(task))
    for size, values in family.settings(task.budget.name):
        setting = Setting(claim, values)
        failed = setting.failed_hypothesis()
        if failed is not None:
            problem = problem or f"at size {size} the hypothesis {failed} fails"
            continue
        try:
            with precision(PRECISIONS[1]), spent():
                value, upper = needed(task, setting, claim.statement, size)
        except (Undefined, Undecided) as error:
            problem = problem or f"at size {size}: {error}"
            continue
        except OutOfFuel:
            return points, problem or f"at size {size}: it takes too much for a short trial"
        if not math.isnan(value):
            points.append(Point(size, value, setting, upper))
    return points, problem


def needed(task: Task, setting: Setting, form: Form, size: int) -> tuple[float, float]:
    """The least constant that a statement up to a constant needs in a world, or its limits."""
    assert isinstance(form, UpToConstant)
    if is_listed(task, setting):
        return (constant_needed(setting, form),) * 2
    return sampled_limits(task, setting, form, f"{NAME} {size}")


def is_listed(task: Task, setting: Setting) -> bool:
    """Whether the outcomes of the draw, if there is one, are few enough to be listed."""
    draw = setting.claim.draw
    return draw is None or draw.count(setting) <= LISTED * task.budget.outcomes


def sampled_limits(
    task: Task, setting: Setting, form: UpToConstant, stream: str
) -> tuple[float, float]:
    """Confidence limits of the constant needed, so that growth is never an accident.

    For probability statements: order statistics of left/right on both sides of the quantile,
    exact binomial; for expectations a confidence sequence of the mean.
    """
    import numpy
    from scipy.stats import binom

    from boundcheck.checks.batches import Batch, has_estimators, ratios

    if isinstance(form.inner, Expected):
        return _mean_limits(task, setting, form, stream)
    if not isinstance(form.inner, WithProbability):
        raise Undecided("a statement for every outcome needs an enumerable draw")
    draws = PROBE if has_estimators(setting) else 200
    batch = Batch(setting, drawn(task, setting, stream, draws))
    values = ratios(form.relation, batch)
    order = numpy.argsort(values, kind="stable")
    level = exact.to_float(setting.evaluate(form.inner.level))
    share = _share(task)
    # P(order statistic k exceeds the quantile) = P(Bin(draws, level) < k) <= share.
    law = binom(draws, min(max(level, 0.0), 1.0))
    rank = int(law.ppf(share))
    if rank < 1:
        raise Undecided(f"{draws} draws are too few for the level {level:.3g}")
    above = int(law.isf(share)) + 1
    ends = [order[rank - 1], *([order[above - 1]] if above <= draws else [])]
    _require_faithful(batch, form.relation, values, {0, *map(int, ends)})
    return float(values[ends[0]]), float(values[ends[1]]) if len(ends) > 1 else math.inf


def _require_faithful(batch: Batch, relation: sympy.Basic, values: Any, places: set[int]) -> None:
    """Raises: Undecided where floats and definitions give another left/right of an outcome."""
    largest = max(filter(math.isfinite, map(abs, map(float, values))), default=0.0)
    for place in places:
        here = batch.setting.with_outcome(batch.setting.draw.single(batch.outcomes, place))
        seen, found = float(values[place]), _worst(relation, here)
        if not math.isclose(seen, found, rel_tol=FAITHFUL, abs_tol=ROUNDED * largest):
            raise Undecided(f"floats take left/right of a draw for {seen:.3g}, not {found:.3g}")


def _worst(relation: sympy.Basic, here: Setting) -> float:
    """left/right of the worst comparison of one outcome, as `batches.ratios` has it, in balls."""
    found = [-math.inf]
    for premises, part in guarded(relation):
        if all(exact.decide(premise, here) for premise in premises):
            low, high = (exact.to_ball(here.evaluate(side)) for side in sides(part))
            if high > 0:
                found.append(exact.to_float(low / high))
            else:
                found.append(0.0 if low <= high else math.inf)
    return max(found)


def _share(task: Task) -> float:
    """The claim's error probability split over both limits at every size of every family."""
    places = sum(len(family.sizes) + len(family.more) for family in task.claim.families)
    return task.alpha / max(2 * places, 64)


def _mean_limits(
    task: Task, setting: Setting, form: UpToConstant, stream: str
) -> tuple[float, float]:
    """Confidence limits of E[left] / right for a bounded random left and a right without chance."""
    from boundcheck.checks.batches import Batch, side_values
    from boundcheck.checks.means import MARGIN, enclosure, faithful
    from boundcheck.setting import live
    from boundcheck.statistics import MeanSequence

    (part,) = live(form.relation, setting)
    left, right = sides(part)
    ends = enclosure(setting, left)
    if ends is None or {s.name for s in right.free_symbols} & setting.claim.random_names:
        raise Undecided("a sampled expectation needs one bounded random symbol on the left")
    draws = max(int(PROBE / max(setting.claim.cost, 1.0)), LEAST_DRAWS)
    batch = Batch(setting, drawn(task, setting, stream, draws))
    values = side_values(left, batch)
    if not faithful(batch, left, values, MARGIN * (ends[1] - ends[0])):
        raise Undecided("the estimator is not its definition")
    found = MeanSequence(*ends, alpha=2 * _share(task)).update(values)
    scale = exact.to_ball(setting.evaluate(right))
    return found.lower / exact.to_float(scale.upper()), found.upper / exact.to_float(scale.lower())


class Draws(NamedTuple):
    """Outcomes of a draw in a world, and the values by name that they were made from."""

    task: Task
    draw: Draw
    stream: str
    count: int  # type: ignore[assignment]  # of no entry of this tuple
    read: dict[str, Value]
    outcomes: dict[str, Any]

    def serves(self, task: Task, setting: Setting, stream: str, count: int) -> bool:
        """Whether drawing again would give the same."""
        return (
            self.task is task and self.draw is setting.draw
            and (self.stream, self.count) == (stream, count)
            and all(setting(name) is value for name, value in self.read.items())
        )


_KEPT: deque[Draws] = deque(maxlen=8)  # claims with other right sides meet the same few worlds


def drawn(task: Task, setting: Setting, stream: str, count: int) -> dict[str, Any]:
    """Outcomes of the draw of a setting by a stream, made once for all that read the same world."""
    for kept in _KEPT:
        if kept.serves(task, setting, stream, count):
            return kept.outcomes
    read: dict[str, Value] = {}

    def look(name: str) -> Value:
        read[name] = setting(name)
        return read[name]

    outcomes: dict[str, Any] = setting.draw.sample(look, task.rng(stream), count)
    _KEPT.append(Draws(task, setting.draw, stream, count, read, outcomes))
    return outcomes


def short_size(size: int) -> str:
    """A size as people write it.

    >>> short_size(4096), short_size(2**80)
    ('4096', '2^80')
    """
    return str(size) if size < 10**9 else f"2^{math.log2(size):.4g}"


def _slowly(points: list[Point]) -> bool:
    """Whether a constant still rises like a logarithm where one that levels off would have done so.

    A logarithm doubles from the square root of a size to the size, whatever the size.
    """
    last = points[-1]
    before = [point for point in points if point.size**2 <= last.size]
    if last.size < FAR or not before:
        return False
    return last.value >= STILL * before[-1].upper


def judge(points: list[Point]) -> tuple[bool, str]:
    """Whether the constants keep growing, and the fitted trend in words."""
    from boundcheck.statistics import fit_trend, limit_exponent

    positive = [point for point in points if point.value > 0 and point.size < LARGEST]
    if len(positive) < 6:
        return False, f"{len(positive)} positive ratios, too few for a growth test"
    if any(math.isinf(point.upper) for point in positive):
        return False, "the draws leave a constant without an upper limit"
    sizes = [point.size for point in positive]
    values = [point.value for point in positive]
    limits = [(point.value, point.upper) for point in positive]
    sampled = any(low < high for low, high in limits)
    box = limits if sampled else None
    trend = fit_trend(sizes, values, intervals=box, level=LEVEL)
    exponent, low, high = limit_exponent(sizes, values, intervals=box, level=LEVEL)
    growth = values[-1] / positive[0].upper
    monotone = all(a < b * (1 + 1e-12) for a, b in zip(values[-4:], values[-3:], strict=False))
    grows = (trend.grows and growth >= LEAST_GROWTH) or _slowly(positive)
    return bool(grows and monotone), (
        f"exponent {exponent:.3g}, of the limit in [{low:.3g}, {high:.3g}], over sizes "
        f"{sizes[0]} to {short_size(sizes[-1])}, constants {values[0]:.4g} to {values[-1]:.4g}"
    )
