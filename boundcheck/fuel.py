"""A limit on what a block computes, counted in calls of functions: the same on any machine."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from flint import fmpq

DIGITS = 1024  # binary digits of a returned number that cost as much as one call


class OutOfFuel(Exception):
    """A block that called more functions than allowed."""


class _Stopped(BaseException):
    """Ends the block past whatever catches errors within it."""


@dataclass
class Fuel:
    """Calls that are left."""

    left: int


@contextmanager
def limit(calls: int, *, long_numbers: bool = False) -> Iterator[Fuel]:
    """Ends a block after so many calls and returns of functions, those of C among them.

    Args: long_numbers: whether a rational number that a function returns costs as many calls more
    as it has `DIGITS`: arithmetic between calls is not seen otherwise, however long its numbers.

    Raises: OutOfFuel, also where the block hid that it was stopped.
    """
    fuel, before = Fuel(calls), sys.getprofile()

    def count(*_: object) -> None:
        fuel.left -= 1
        if fuel.left == -1:
            raise _Stopped

    def weigh(_: object, event: str, value: Any) -> None:
        fuel.left -= 1
        if event == "return" and type(value) is fmpq:
            fuel.left -= value.height_bits() // DIGITS
        if fuel.left < 0:  # Python calls no profiler again that has raised
            raise _Stopped

    sys.setprofile(weigh if long_numbers else count)
    try:
        yield fuel
    except _Stopped:
        pass
    finally:
        sys.setprofile(before)
    if fuel.left < 0:
        raise OutOfFuel
