"""Draws of continuous variables with a named law."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from boundcheck.encoding import LEAST, MOST, brief, nearest_float
from boundcheck.errors import Undecided
from boundcheck.worlds.drawn import ball_of, reach_of
from boundcheck.worlds.draws import Draw, Look, Outcome, require_room


@dataclass(frozen=True)
class Continuous(Draw):
    """Normal, uniform or exponential variables: sampled only, as floats with their rounding.

    Args: name: of the outcome. kind: of `KINDS`. given: its numbers, rationals or names: mean and
    deviation, ends, rate. length: of a vector of independent ones, a name; None of one variable.
    """

    name: str
    kind: str
    given: tuple[Any, ...]
    length: str | None = None
    over: str = "the variable"

    @property
    def names(self) -> tuple[str, ...]:  # type: ignore[override]
        return (self.name,)

    def sample(self, look: Look, rng: Any, size: int) -> Outcome:
        import numpy

        numbers = [_double(fmpq(look(v) if isinstance(v, str) else v)) for v in self.given]
        shape: Any = size
        if self.length is not None:
            shape = size, int(fmpq(look(self.length)))
            require_room(shape[1], size)
        drawn = KINDS[self.kind](rng, shape, *numbers)
        reach = max(1 / numbers[0] if self.kind == "exponential" else max(map(abs, numbers)), 1.0)
        return {self.name: drawn, reach_of(self.name): numpy.full(size, reach)}

    def rounded(self, batch: Mapping[str, Any], position: int) -> Outcome | None:
        return {self.name: ball_of(batch, self.name, position)}


def _double(value: fmpq) -> float:
    """A number of a law as a float. Raises: Undecided where doubles have none that is near."""
    if value and not LEAST < abs(value) < MOST:
        raise Undecided(f"a law with the number {brief(value, 3)} is not drawn: it is no double")
    return nearest_float(value)


KINDS: dict[str, Callable[..., Any]] = {
    "normal": lambda rng, size, m, s: rng.normal(m, s, size),
    "uniform": lambda rng, size, low, high: rng.uniform(low, high, size),
    "exponential": lambda rng, size, rate: rng.exponential(1 / rate, size),
}
