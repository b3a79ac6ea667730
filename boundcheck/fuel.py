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


def _length(value: Any) -> int:
    """What the digits of a rational number cost, and of several about as long as the last one."""
    if type(value) is list and value:
        return len(value) * _length(value[-1])
    return value.height_bits() // DIGITS if type(value) is fmpq else 0


@contextmanager
def limit(calls: int, *, long_numbers: bool = False) -> Iterator[Fuel]:
    """Ends a block after so many calls and returns of functions, those of C among them.

    Args: long_numbers: whether rationals that a function returns, alone or in a list, cost as many
    calls more as they have `DIGITS`: arithmetic between calls is not seen otherwise, however long
    its numbers.

    Raises: OutOfFuel, also where the block hid that it was stopped.
    """
    fuel, before = Fuel(calls), sys.getprofile()
    if not callable(before):  # one of C, as of cProfile, which cannot be set again from here
        before = None

    def count(*_: object) -> None:
        fuel.left -= 1
        if fuel.left == -1:
            raise _Stopped

    def weigh(_: object, event: str, value: Any) -> None:
        fuel.left -= 1
        if event == "return":
            fuel.left -= _length(value)
        if fuel.left < 0:  # Python calls no profiler again that has raised
            raise _Stopped

    def again(lost: Any) -> None:
        if lost.exc_type is _Stopped:  # raised where nothing can be, as in the end of a generator
            sys.setprofile(stop)
        else:
            told(lost)

    def stop(frame: Any, *_: object) -> None:
        if frame.f_code is not again.__code__:
            raise _Stopped

    told, sys.unraisablehook = sys.unraisablehook, again
    sys.setprofile(weigh if long_numbers else count)
    try:
        yield fuel
    except _Stopped:
        pass
    finally:
        sys.setprofile(before)
        sys.unraisablehook = told
    if fuel.left < 0:
        raise OutOfFuel
