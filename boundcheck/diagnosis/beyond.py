"""Failing worlds carried out of the range of search, as long as the statement still fails there.

Search looks at small sizes and at numbers near one. What an edit or a constant mends there it need
not mend elsewhere in the domain; walks through the region of failure tell so at little cost.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from flint import fmpq, fmpq_mat

from boundcheck.claim import Claim
from boundcheck.diagnosis.trial import fails_at
from boundcheck.setting import Setting
from boundcheck.worlds.composed import Custom
from boundcheck.worlds.fields import Field, Integer, Matrix, Real, Vector

WALKS = 6
STEPS = 30
EVERY = 6  # steps of a walk, one of which is kept
FACTORS = (2, 8)
OUTCOMES = 64  # of a draw that is looked at
MOST = 128  # integers grow up to it
TOGETHER = 0.4  # of the steps move two numbers at once
MOVED = (Integer, Real, Vector, Matrix)


def carried(
    claim: Claim, known: Sequence[Mapping[str, Any]], outcomes: int, rng: Any, seconds: float
) -> list[dict[str, Any]]:
    """Failing worlds met on walks from known ones, each step a factor along one number.

    Args: known: values of failing worlds. outcomes: of a draw beyond which no world is asked.
    seconds: after which what was found is enough.
    """
    own = dict(claim.worlds.fields) if claim.worlds is not None else {}
    fields = own | {symbol.name: field for symbol, field in claim.parameters.items()}
    fields = {name: promised_by(field) for name, field in fields.items()}
    names = [name for name, field in fields.items() if isinstance(field, MOVED)]
    found: list[dict[str, Any]] = []
    start, outcomes = time.process_time(), min(outcomes, OUTCOMES)
    for walk in range(WALKS if known and names else 0):
        values, gone = dict(known[walk % len(known)]), 0
        for _ in range(STEPS):
            moved = _step(values, fields, names, rng)
            if time.process_time() - start > seconds:
                return found
            if moved is None or not _fails(claim, {**values, **moved}, outcomes):
                continue
            values, gone = {**values, **moved}, gone + 1
            if gone % EVERY == 0:
                found.append(values)
        if gone % EVERY:
            found.append(values)
    return found


def promised_by(field: Field) -> Field:
    """The domain of a field that search builds in a way of its own."""
    inner = field.domain if isinstance(field, Custom) else None
    return inner if isinstance(inner, Field) else field


def _step(
    values: Mapping[str, Any], fields: Mapping[str, Field], names: Sequence[str], rng: Any
) -> dict[str, Any] | None:
    """One number, or two in one unit, a factor away; None where they have nowhere to go."""
    factor, up = FACTORS[int(rng.integers(len(FACTORS)))], bool(rng.random() < 0.6)
    count = min(1 + int(rng.random() < TOGETHER), len(names))
    chosen = [names[int(place)] for place in rng.choice(len(names), count, replace=False)]
    moved = {name: _moved(values[name], fields[name], factor, up) for name in chosen}
    return None if any(value is None for value in moved.values()) else moved


def _moved(value: Any, field: Field, factor: int, up: bool) -> Any:
    """A value a factor away, or nearer to an end of its field; None where there is none."""
    if isinstance(field, (Vector, Matrix)):
        return _scaled(value, fmpq(factor) if up else fmpq(1, factor))
    if isinstance(field, Integer) and isinstance(value, int) and not isinstance(value, bool):
        return min(value * factor, MOST) if up else max(value // factor, 1)
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
