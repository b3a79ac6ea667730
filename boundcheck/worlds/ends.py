"""Ends of domains and sizes of fields: numbers, or the names of fields drawn before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flint import fmpq

from boundcheck.errors import InvalidArgument

Size = int | str
Bound = Any  # int, float-free rational, text "1/3", or the name of an earlier field
Ends = tuple[Bound, Bound]


def as_rational(value: Bound, earlier: Mapping[str, Any]) -> fmpq:
    """A bound as a rational: number, "p/q", or the name of an earlier field."""
    if isinstance(value, str):
        if value in earlier:
            return fmpq(earlier[value])
        top, _, bottom = value.partition("/")
        return fmpq(int(top), int(bottom or 1))
    return fmpq(value)


def is_name(end: Bound | None) -> bool:
    """Whether an end of a domain is the name of another field."""
    return isinstance(end, str) and end.isidentifier()


def number_at(end: Bound | None) -> fmpq | None:
    """An end of a domain where it is a number; None for no end and for the name of a field."""
    return None if end is None or is_name(end) else as_rational(end, {})


def as_size(size: Size, earlier: Mapping[str, Any]) -> int:
    """A size as an integer: literal or the value of an earlier field."""
    return int(earlier[size]) if isinstance(size, str) else size


def promised(end: Bound | None, earlier: Mapping[str, Any]) -> fmpq | None:
    """An end of a domain as a number; None where there is none.

    Raises: InvalidArgument if the end is the name of a field that the world lacks.
    """
    if end is None:
        return None
    if is_name(end) and end not in earlier:
        raise InvalidArgument(f"the end {end!r} of a domain is no field of the world; name one")
    return as_rational(end, earlier)
