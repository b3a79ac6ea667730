"""A violating setting made small: fewer points and features, fewer digits, while it still fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import fmpq, fmpq_mat

from boundcheck.search.admissible import Candidate, Candidates

SIMPLE_COORDINATES = (0.0, 1.0, 0.5, 0.25, 0.75, 1 / 3, 2 / 3, 0.1, 0.9)


def digits(value: Any) -> int:
    """Number of digits needed to write a value; names count one."""
    if isinstance(value, (int, fmpq)):
        return len(str(value).replace("-", "").replace("/", ""))
    if isinstance(value, fmpq_mat):
        return sum(digits(entry) for entry in value.entries())
    if isinstance(value, (tuple, list)):
        return sum(digits(entry) for entry in value)
    return 1


def size(values: dict[str, Any]) -> int:
    """Size of a setting for shrinking: digits over all its values."""
    return sum(digits(value) for value in values.values())


def shrink(
    found: Candidate,
    candidates: Candidates,
    still_fails: Callable[[Candidate], bool],
    *,
    attempts: int,
) -> Candidate:
    """The smallest violating setting met by simplifying coordinates, greedily, to a fixed point.

    Args:
        still_fails: certified violation that keeps the stated share of the original.
        attempts: how many candidates may be tried.
    """
    best, best_size = found, size(found.setting.values)
    vector, tried, improved = list(found.vector), 0, True
    while improved and tried < attempts:
        improved = False
        for position in range(len(vector)):
            for simple in (*SIMPLE_COORDINATES, round(vector[position] * 12) / 12):
                if vector[position] == simple or tried >= attempts:
                    continue
                trial = [*vector[:position], simple, *vector[position + 1 :]]
                tried += 1
                candidate = candidates.decode(trial)
                if candidate is None:
                    continue
                smaller = size(candidate.setting.values)
                if smaller < best_size and still_fails(candidate):
                    best, best_size, vector, improved = candidate, smaller, trial, True
    return best
