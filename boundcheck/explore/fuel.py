"""What a sharpening may spend, counted in worlds, so that the clock decides nothing.

One unit is a world of a claim of cost 1, assessed once. A search is paid for before it begins, by
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
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boundcheck.checks.base import Task


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


def of_verdict(task: Task) -> float:
    """Units of a verdict of the engine: its search, the worlds it must decide, its mutants."""
    from boundcheck.checks import controls

    search = task.evaluations + task.budget.least
    mutants = controls.count(task.claim) * max(task.evaluations // controls.SHARE, 12)
    return float((search + mutants) * task.claim.cost)
