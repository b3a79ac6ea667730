"""What a sharpening may spend, counted in worlds, so that the clock decides nothing.

One unit is a world of a claim of cost 1, assessed once; a world of larger matrices, or with many
outcomes inside it, is as many units as its effort says. A search is paid for before it begins, by
the worlds that it will assess; a constant has its part of what is left, and what it leaves goes to
the next.

>>> fuel = Fuel(90, parts=3)
>>> with fuel.part() as part:
...     part.spend(10)
>>> with fuel.part() as part:
...     part.left
40.0
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from statistics import fmean
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boundcheck.checks.base import Task
    from boundcheck.search.admissible import Candidates

GRAIN = 200  # effort, as `search.effort` counts it, that is one unit
DRAWS = 16  # fresh draws that take about as much as one world
SEEN = 16  # random worlds that tell what a world takes


class Fuel:
    """Units that are left.

    Args: left: units. parts: constants and hypotheses that are still to be asked.
    """

    def __init__(self, left: float, parts: int = 1) -> None:
        self.whole, self.parts = left, parts
        self.kept = 0.0  # for later parts

    @property
    def left(self) -> float:
        """What the part that is asked now may still spend."""
        return self.whole - self.kept

    @property
    def over(self) -> bool:
        """Whether nothing new is begun."""
        return self.left <= 0

    def spend(self, units: float) -> None:
        """Less of it, even below nothing: what was begun is ended."""
        self.whole -= units

    @contextmanager
    def part(self) -> Iterator[Fuel]:
        """The same fuel, of which one constant or hypothesis has its part."""
        self.kept = max(self.whole, 0.0) * (1 - 1 / self.parts) if self.parts > 1 else 0.0
        self.parts -= 1
        try:
            yield self
        finally:
            self.kept = 0.0

    @contextmanager
    def all_of_it(self) -> Iterator[Fuel]:
        """The same fuel without what later parts would have.

        >>> fuel = Fuel(90, parts=3)
        >>> with fuel.part(), fuel.all_of_it():
        ...     fuel.left
        90.0
        """
        kept, self.kept = self.kept, 0.0
        try:
            yield self
        finally:
            self.kept = kept


def of_verdict(task: Task, world: float) -> float:
    """Units of a verdict of the engine: its search, the worlds it must decide, its mutants, and
    fresh draws where it samples.

    Args: world: units of one world.
    """
    from boundcheck.checks import controls, sampling

    search = task.evaluations + task.budget.least
    mutants = controls.count(task.claim) * max(task.evaluations // controls.SHARE, 12)
    sampled = task.budget.draws * task.claim.cost / DRAWS if sampling.restarts(task) else 0.0
    return float((search + mutants) * world + sampled)


def of_world(candidates: Candidates, rng: Any) -> float:
    """Units of one world of a claim: its cost, or what some random worlds take if that is more.

    The claim's own draw is in its cost, since many outcomes are not listed.
    """
    from boundcheck.search.effort import Effort

    effort, found = Effort(candidates.claim, drawn=1), []
    for _ in range(SEEN):
        try:
            candidate = candidates.random(rng)
        except Exception:  # definitions may refuse a world in any way
            continue
        found += [] if candidate is None else [effort(candidate.setting.values)]
    return max(float(candidates.claim.cost), fmean(found) / GRAIN if found else 0.0)
