"""Failing worlds carried out of the range of search, as long as the statement still fails there.

Search looks at small sizes and at numbers near one. What an edit or a constant mends there it need
not mend elsewhere in the domain; walks through the region of failure tell so at little cost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from flint import fmpq, fmpq_mat

from boundcheck.claim import Claim
from boundcheck.diagnosis.trial import fails_at
from boundcheck.fuel import OutOfFuel, limit
from boundcheck.search.ends import dimensions
from boundcheck.setting import Setting
from boundcheck.worlds.composed import promised_field
from boundcheck.worlds.fields import Field, Integer, Matrix, Real, Vector

WALKS = 6
STEPS = 30
EVERY = 6  # steps of a walk, one of which is kept
FACTORS = (2, 8)
OUTCOMES = 64  # of a draw that is looked at
MOST = 128  # integers that something is as long as grow up to it
FAR = 2**16  # other integers
PUSHED = 2  # worlds whose numbers are pushed one by one
PUSHES = 8  # steps in one direction
TOGETHER = 0.4  # of the steps move two numbers at once
CALLS = 60_000  # of functions while one world is looked at, beyond which it is too dear
DEAR = 4  # such worlds, after which no more are looked at
MOVED = (Integer, Real, Vector, Matrix)


def carried(
    claim: Claim, known: Sequence[Mapping[str, Any]], outcomes: int, rng: Any
) -> list[dict[str, Any]]:
    """Failing worlds met on the way from known ones, each step a factor along one number.

    First every number is pushed as far as the statement fails, then walks go at random. How many
    worlds are looked at depends on the claim alone.

    Args: known: values of failing worlds, plain ones first. outcomes: of a draw beyond which no
    world is asked.
    """
    walk = _Walk(claim, min(outcomes, OUTCOMES))
    found: list[dict[str, Any]] = []
    for start in known[:PUSHED]:
        found += walk.pushed(start)
    if walk.dear > 0:
        walk.left = max(walk.left, WALKS * STEPS // 2)
    for place in range(WALKS if known and walk.names else 0):
        found += walk.taken(known[place % len(known)], rng)
    return found


def at_most(calls: int, work: Callable[[], bool]) -> bool | None:
    """What `work` returns; None if it calls more functions than that, on whatever machine, or
    reckons with numbers as long as so many calls."""
    try:
        with limit(calls, long_numbers=True):
            return work()
    except OutOfFuel:
        return None


class _Walk:
    """Steps through the region in which one claim fails, as long as looks are left."""

    def __init__(self, claim: Claim, outcomes: int) -> None:
        self.claim, self.outcomes = claim, outcomes
        self.fields = {name: promised_field(field) for name, field in claim.fields.items()}
        self.names = [name for name, field in self.fields.items() if isinstance(field, MOVED)]
        long = dimensions(claim)
        self.left, self.dear = WALKS * STEPS, DEAR
        self.caps = {name: MOST if name in long else FAR for name in self.names}

    def pushed(self, start: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """The farthest failing world along every number, sizes first, each from the last one."""
        values = dict(start)
        for name in sorted(self.names, key=lambda n: not isinstance(self.fields[n], Integer)):
            for up in (True, False):
                last = values
                for _ in range(PUSHES):
                    further = self._looked(last, {name: self._moved(last, name, FACTORS[-1], up)})
                    if further is None:
                        break
                    last = further
                if last is not values:
                    yield last
                if up:
                    farthest = last
            values = farthest

    def taken(self, start: Mapping[str, Any], rng: Any) -> Iterator[dict[str, Any]]:
        """Some worlds of one walk at random."""
        values, gone = dict(start), 0
        for _ in range(STEPS):
            further = self._looked(values, self._step(values, rng))
            if further is None:
                continue
            values, gone = further, gone + 1
            if gone % EVERY == 0:
                yield values
        if gone % EVERY:
            yield values

    def _looked(
        self, values: Mapping[str, Any], moved: Mapping[str, Any]
    ) -> dict[str, Any] | None:
        """The world with some numbers moved, where there is one and the statement fails there."""
        further = {**values, **moved}
        if self.left <= 0 or further == values or any(v is None for v in moved.values()):
            return None
        self.left -= 1
        failed = at_most(CALLS, lambda: _fails(self.claim, further, self.outcomes))
        if failed is None:
            self._shorten(values, moved)
        return further if failed else None

    def _shorten(self, values: Mapping[str, Any], moved: Mapping[str, Any]) -> None:
        """Go half as far at most where a look was too dear."""
        self.dear -= 1
        self.left = self.left if self.dear > 0 else 0
        for name, value in moved.items():
            if isinstance(self.fields[name], Integer) and value > values[name]:
                self.caps[name] = max(value // 2, values[name])

    def _step(self, values: Mapping[str, Any], rng: Any) -> dict[str, Any]:
        """One number, or two in one unit, a factor away; None for one that has nowhere to go."""
        factor, up = FACTORS[int(rng.integers(len(FACTORS)))], bool(rng.random() < 0.6)
        count = min(1 + int(rng.random() < TOGETHER), len(self.names))
        chosen = rng.choice(len(self.names), count, replace=False)
        names = [self.names[int(place)] for place in chosen]
        return {name: self._moved(values, name, factor, up) for name in names}

    def _moved(self, values: Mapping[str, Any], name: str, factor: int, up: bool) -> Any:
        return _moved(values[name], self.fields[name], factor, up, self.caps.get(name, MOST))


def _moved(value: Any, field: Field, factor: int, up: bool, most: int) -> Any:
    """A value a factor away, or nearer to an end of its field; None where there is none."""
    if isinstance(field, (Vector, Matrix)):
        return _scaled(value, fmpq(factor) if up else fmpq(1, factor))
    if isinstance(field, Integer) and isinstance(value, int) and not isinstance(value, bool):
        return max(value, min(value * factor, most)) if up else max(value // factor, 1)
    if not isinstance(field, Real) or not isinstance(value, fmpq):
        return None
    if field.high is not None and field.literal_ends():
        high = field.literal_ends()[-1]  # the far end of a level is its small one
        return value / factor if up else high - (high - value) / factor
    return value * factor if up else value / factor


def _scaled(value: Any, factor: fmpq) -> Any:
    if isinstance(value, fmpq_mat):
        return value * factor
    plain = isinstance(value, tuple) and all(isinstance(entry, (int, fmpq)) for entry in value)
    return tuple(fmpq(entry) * factor for entry in value) if plain else None


def _fails(claim: Claim, values: Mapping[str, Any], outcomes: int) -> bool:
    try:
        setting = Setting(claim, values)
        return not setting.misfit() and fails_at(setting, outcomes)
    except Exception:  # a quantity may fail in any way far out
        return False
