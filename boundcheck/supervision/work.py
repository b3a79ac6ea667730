"""What is to be done, unit by unit, and who does it.

`Execute` is what a run needs of any engine, here or on a cluster: it takes units of `Work` as
workers fall idle and hands every result back. Answers depend on the units only, not on the number
or fate of workers.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from boundcheck.faults import Fault


@dataclass(frozen=True)
class Unit:
    """Work for one worker: a name, unique in its run, and arguments as JSON has them."""

    name: str
    arguments: tuple[Any, ...]


@dataclass(frozen=True)
class Finished:
    """A unit with what its function returned, or the fault that kept it from returning."""

    name: str
    value: dict[str, Any] | None
    fault: Fault | None = None


Answer = TypeVar("Answer", covariant=True)
Told = TypeVar("Told")


class Work(Protocol[Answer]):
    """Units that all call one function, "module:name".

    `take` gives the next unit for a worker, by its number, None if nothing can begin before some
    unit at work is finished; `finish` takes a result and gives the answers that follow from it;
    `wanted` tells whether a unit at work can still make a difference.
    """

    function: str

    def take(self, worker: int) -> Unit | None: ...

    def finish(self, done: Finished) -> Iterator[Answer]: ...

    def wanted(self, name: str) -> bool: ...


class Execute(Protocol):
    """Does work to its end; answers as they come."""

    def __call__(self, work: Work[Told]) -> Generator[Told, None, None]: ...


class Batch:
    """Work whose units are known and independent; every result is an answer."""

    def __init__(self, function: str, units: Sequence[Unit]) -> None:
        self.function = function
        self._waiting = list(reversed(units))

    def take(self, worker: int) -> Unit | None:
        """The next unit in order."""
        return self._waiting.pop() if self._waiting else None

    def finish(self, done: Finished) -> Iterator[Finished]:
        """The result itself."""
        yield done

    def wanted(self, name: str) -> bool:
        """Always."""
        return True
