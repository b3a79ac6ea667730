"""Worlds beside those that search is after: all of a small range, or small ones at random."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from boundcheck.encoding import encode
from boundcheck.search.admissible import Candidate, Candidates
from boundcheck.search.asked_sizes import asked_sizes
from boundcheck.worlds.fields import Choice, Integer, as_rational


def all_worlds(candidates: Candidates, most: int) -> list[Candidate | None] | None:
    """Every world in the ranges that search looks in, None for one that hypotheses exclude.

    Returns: None if there are over `most`, or a number of any size among their fields.
    """
    fields = asked_sizes(candidates.claim)
    if not all(isinstance(field, (Choice, Integer)) for field in fields.values()):
        return None
    found = list(islice(_products(list(fields.items()), {}), most + 1))
    return None if len(found) > most else [candidates.from_values(values) for values in found]


def _products(
    fields: Sequence[tuple[str, Any]], earlier: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    if not fields:
        yield dict(earlier)
        return
    (name, field), *rest = fields
    for value in _values(field, earlier):
        yield from _products(rest, {**earlier, name: value})


def _values(field: Choice | Integer, earlier: Mapping[str, Any]) -> Iterator[Any]:
    if isinstance(field, Choice):
        yield from field.searched or field.items
    else:
        low, high = as_rational(field.low, earlier), as_rational(field.top, earlier)
        yield from range(int(low.ceil()), int(high.floor()) + 1)


def small_world(candidates: Candidates, rng: Any) -> Candidate | None:
    """A random world, half of the time with sizes at the lower of two draws."""
    candidate = candidates.random(rng)
    if candidate is None or rng.random() < 0.5:
        return candidate
    vector = list(candidate.vector)
    for place in candidate.whole:
        vector[place] = min(vector[place], float(rng.random()))
    return candidates.decode(vector)


def as_text(candidate: Candidate) -> str:
    """A world and its parameters as text that tells it from others."""
    try:
        return str([encode(value) for value in candidate.setting.values.values()])
    except TypeError:  # a field of a user's own making
        return str(candidate.vector)
