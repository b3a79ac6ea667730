"""A limit on what a block computes, counted in calls of functions: the same on any machine."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


class OutOfFuel(Exception):
    """A block that called more functions than allowed."""


class _Stopped(BaseException):
    """Ends the block past whatever catches errors within it."""


@dataclass
class Fuel:
    """Calls that are left."""

    left: int


@contextmanager
def limit(calls: int) -> Iterator[Fuel]:
    """Ends a block after so many calls and returns of functions, those of C among them.

    Raises: OutOfFuel, also where the block hid that it was stopped.
    """
    fuel, before = Fuel(calls), sys.getprofile()

    def count(*_: object) -> None:
        fuel.left -= 1
        if fuel.left == -1:
            raise _Stopped

    sys.setprofile(count)
    try:
        yield fuel
    except _Stopped:
        pass
    finally:
        sys.setprofile(before)
    if fuel.left < 0:
        raise OutOfFuel
