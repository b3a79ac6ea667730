"""Rational numbers over many outcomes, as arrays of numerators with one denominator.

Numerators have 64 bits, and nothing is done that could exceed them: `Apart` is raised instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any

from flint import fmpq, fmpq_mat, fmpz

from boundcheck.arithmetic import Value

ROOM = 1 << 62  # what numerators stay below


class Apart(Exception):
    """What cannot be read over all outcomes at once."""


@dataclass(slots=True)
class Whole:
    """Rational numbers, one for each outcome or one for all.

    Args: above: numerators, (outcomes,) of 64 bits or an int. below: their positive denominator.
    most: a bound of the numerators.
    """

    above: Any
    below: int
    most: int

    def over(self, below: int) -> Whole:
        """The same over a multiple of the denominator. Raises: Apart without room."""
        factor = below // self.below
        if factor == 1 or not self.most:
            return Whole(self.above, below, self.most)
        if self.most * factor >= ROOM:
            raise Apart
        return Whole(self.above * factor, below, self.most * factor)


def columns(drawn: list[Any]) -> Whole | list[Whole]:
    """What is drawn, over the outcomes: of lists, at each of their places.

    Raises: Apart for anything but rational numbers, and for lists of several lengths.
    """
    import numpy

    try:
        array = numpy.array(drawn)
    except ValueError as error:
        raise Apart from error
    if array.ndim == 1:
        return column(array)
    if array.ndim != 2:
        raise Apart
    return [column(each) for each in array.T]


def column(drawn: Any) -> Whole:
    """What is drawn at one place. Raises: Apart for anything but rational numbers."""
    import numpy

    if drawn.dtype.kind == "i":
        return array_of(numpy.ascontiguousarray(drawn))
    if drawn.dtype.kind != "O":
        raise Apart
    numbers = [known(each) for each in drawn]
    below = math.lcm(*(number.below for number in numbers))
    return array_of(numpy.array([number.over(below).above for number in numbers]), below)


def array_of(above: Any, below: int = 1) -> Whole:
    """Numerators over a denominator. Raises: Apart without room."""
    most = max(int(above.max()), -int(above.min()))
    if most >= ROOM:
        raise Apart
    return Whole(above, below, most)


def known(value: Value) -> Whole:
    """One rational number for all outcomes. Raises: Apart for anything else."""
    if isinstance(value, (int, fmpz)):
        return _one(int(value), 1)
    if type(value) is fmpq:
        return _one(int(value.p), int(value.q))
    raise Apart


def _one(above: int, below: int) -> Whole:
    if abs(above) >= ROOM:
        raise Apart
    return Whole(above, below, abs(above))


def alike(one: Whole, other: Whole) -> tuple[Whole, Whole]:
    """Both over one denominator."""
    below = math.lcm(one.below, other.below)
    return one.over(below), other.over(below)


def add(one: Whole, other: Whole) -> Whole:
    """The sum. Raises: Apart without room."""
    one, other = alike(one, other)
    if one.most + other.most >= ROOM:
        raise Apart
    return Whole(one.above + other.above, one.below, one.most + other.most)


def times(one: Whole, other: Whole) -> Whole:
    """The product. Raises: Apart without room."""
    most = one.most * other.most
    if most >= ROOM:
        raise Apart
    return Whole(one.above * other.above, one.below * other.below, most)


def extreme(greatest: bool) -> Callable[[Whole, Whole], Whole]:
    """The larger of two numbers, or the smaller one."""
    def run(one: Whole, other: Whole) -> Whole:
        import numpy

        one, other = alike(one, other)
        chosen = (numpy.maximum if greatest else numpy.minimum)(one.above, other.above)
        numbers = isinstance(one.above, int) and isinstance(other.above, int)
        return Whole(int(chosen) if numbers else chosen, one.below, max(one.most, other.most))

    return run


def modulus(number: Whole) -> Whole:
    """The absolute value."""
    return Whole(abs(number.above), number.below, number.most)


def inner(one: list[Whole], other: list[Whole]) -> Whole:
    """The inner product of two vectors. Raises: Apart for those of two lengths."""
    if len(one) != len(other):
        raise Apart
    return reduce(add, map(times, one, other), Whole(0, 1, 0))


def listed_of(value: Any) -> list[Whole]:
    """A vector of rational numbers. Raises: Apart for anything else."""
    if not isinstance(value, tuple):
        raise Apart
    return [known(each) for each in value]


def read(array: Any, places: list[Whole]) -> Whole:
    """What stands at places of a list or a matrix of rational numbers, which are those of every
    outcome. Raises: Apart for other arrays, and for places that they do not have."""
    import numpy

    if isinstance(array, fmpq_mat) and len(places) == 2:
        shape, entries = [array.nrows(), array.ncols()], array.entries()
    elif isinstance(array, tuple) and len(places) == 1:
        shape, entries = [len(array)], list(array)
    else:
        raise Apart
    for place, length in zip(places, shape, strict=True):
        ends = (place.above, place.above) if isinstance(place.above, int) else (
            int(place.above.min()), int(place.above.max()))  # fmt: skip
        if place.below != 1 or ends[0] < 0 or ends[1] >= length:
            raise Apart
    at = places[0].above if len(places) == 1 else places[0].above * shape[1] + places[1].above
    if isinstance(at, int):
        return known(entries[at])
    found = column(numpy.array(entries, dtype=object))
    return Whole(found.above[at], found.below, found.most)
