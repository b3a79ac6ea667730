"""Hypothesis as a member: it generates worlds and hill-climbs on the value with `target`.

Only its public interface is used. Its example database lives as long as the search, or on disk if
the caller names a folder, and hands good examples from one turn to the next.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from boundcheck.search.admissible import Candidate, Candidates
from boundcheck.search.arena import WORST
from boundcheck.worlds.sources import SHORT, Coordinates

Evaluate = Callable[[Candidate | None], float]


# Hypothesis mixes in constants that it reads in whatever modules are loaded. None is in a range as
# far out as this, so a search does not depend on what else the process has imported.
OFFSET = 7 * 10**40
STEPS = 2**20
SPECIAL = (0.0, 1.0, 0.0, 1.0, 0.5, 1 / 3, 2 / 3, 0.25, 0.75, 2.0**-10, 1 - 2.0**-10)


class Recorded(Coordinates):
    """Primitives drawn by Hypothesis, with the coordinates that rebuild the world."""

    def __init__(self, data: Any) -> None:
        super().__init__(())
        self.data = data
        self.record: list[float] = []

    def _below(self, count: int) -> int:
        from hypothesis import strategies

        return int(self.data.draw(strategies.integers(OFFSET, OFFSET + count - 1))) - OFFSET

    def coordinate(self) -> float:
        """A number in [0, 1]; half of them ends, near ends or simple fractions."""
        self.used += 1
        if self._below(2) == 1:
            value = SPECIAL[self._below(len(SPECIAL))]
        else:
            value = self._below(STEPS + 1) / STEPS
        self.record.append(value)
        return value

    def integer(self, low: int, high: int) -> int:
        """An integer, drawn as one where the range is short."""
        if high - low >= SHORT:
            return super().integer(low, high)
        value = low + self._below(high - low + 1)
        self.whole.append(self.used)
        self.used += 1
        self.record.append((value - low + 0.5) / (high - low + 1))
        return value

    def read(self) -> tuple[float, ...]:
        """The coordinates drawn so far."""
        return tuple(self.record)


class Generation:
    """Turns of Hypothesis generation under a shared database.

    Args:
        candidates: whose space is generated. rng: gives one seed per turn.
        targeted: whether values are reported with `target`.
        database: a Hypothesis example database, or None for one in memory.
    """

    def __init__(
        self, candidates: Candidates, rng: Any, *, targeted: bool = True, database: Any = None
    ) -> None:
        from hypothesis.database import InMemoryExampleDatabase

        self.candidates = candidates
        self.rng = rng
        self.targeted = targeted
        self.database = database if database is not None else InMemoryExampleDatabase()

    def play(self, turns: int, evaluate: Evaluate) -> None:
        """Generate at most `turns` worlds and evaluate them."""
        import warnings

        from hypothesis import (
            HealthCheck,
            Phase,
            Verbosity,
            given,
            seed,
            settings,
            strategies,
            target,
        )
        from hypothesis.errors import HypothesisWarning

        def world(data: Any) -> None:
            value = evaluate(self.candidates.build(Recorded(data)))
            if self.targeted and value > WORST:
                target(value, label="value")

        run = given(strategies.data())(world)
        run = settings(
            max_examples=turns, database=self.database, deadline=None, report_multiple_bugs=False,
            verbosity=Verbosity.quiet, suppress_health_check=list(HealthCheck),
            phases=(Phase.reuse, Phase.generate, Phase.target),
        )(run)  # fmt: skip
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", HypothesisWarning)
            seed(int(self.rng.integers(2**32)))(run)()


def kept_on_disk(folder: str, key: str) -> Any:
    """An example database in a folder, its entries separated by claim."""
    from hypothesis.database import DirectoryBasedExampleDatabase, ExampleDatabase

    class OfClaim(ExampleDatabase):
        """The folder's database with the claim's key before every key."""

        def __init__(self) -> None:
            super().__init__()
            self.inner = DirectoryBasedExampleDatabase(folder)
            self.prefix = key.encode() + b"|"

        def save(self, key: bytes, value: bytes) -> None:
            self.inner.save(self.prefix + key, value)

        def fetch(self, key: bytes) -> Any:
            return self.inner.fetch(self.prefix + key)

        def delete(self, key: bytes, value: bytes) -> None:
            self.inner.delete(self.prefix + key, value)

    return OfClaim()
