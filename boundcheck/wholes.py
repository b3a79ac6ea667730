"""Integers as they are handed to definitions: their quotients are fractions, where Python's are
floats, which a ball would be put around as if they were meant.

May import nothing of this package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from flint import fmpq

PLAIN = frozenset({int, tuple})  # what in a tuple may have to change


class Whole(int):
    """An integer whose quotients by integers are fractions, and what is computed of it, too.

    >>> Whole(1) / 3, (Whole(2) + 1) / 2, 1 / Whole(4), Whole(2) ** -1
    (1/3, 3/2, 1/4, 1/2)
    """

    __slots__ = ()

    def __truediv__(self, other: Any) -> Any:
        return fmpq(int(self)) / int(other) if isinstance(other, int) else NotImplemented

    def __rtruediv__(self, other: Any) -> Any:
        return fmpq(int(other)) / int(self) if isinstance(other, int) else NotImplemented

    def __pow__(self, other: Any, modulus: Any = None) -> Any:
        if isinstance(other, int) and other < 0 and modulus is None:
            return fmpq(int(self)) ** int(other)
        return _wrapped(int.__pow__(self, other, modulus))

    def __rpow__(self, other: Any, modulus: Any = None) -> Any:
        return Whole(other) ** int(self) if isinstance(other, int) else NotImplemented


def _wrapped(found: Any) -> Any:
    return Whole(found) if type(found) is int else found


def _kept(name: str) -> Callable[..., Any]:
    plain = getattr(int, name)

    def operation(self: Whole, *others: Any) -> Any:
        return _wrapped(plain(self, *others))

    operation.__name__ = name
    return operation


for _each in ("add", "radd", "sub", "rsub", "mul", "rmul", "neg", "pos", "abs",
              "floordiv", "rfloordiv", "mod", "rmod"):  # fmt: skip
    setattr(Whole, f"__{_each}__", _kept(f"__{_each}__"))


def handed(arguments: Iterable[Any]) -> list[Any]:
    """Arguments of a definition: integers, also those in tuples, divide as fractions.

    >>> [type(each).__name__ for each in handed([1, True, (2, 3), fmpq(1)])]
    ['Whole', 'bool', 'tuple', 'fmpq']
    """
    return [Whole(each) if type(each) is int else _divisible(each) if type(each) is tuple
            else each for each in arguments]  # fmt: skip


def _divisible(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """The same for a tuple, which is itself where nothing in it has to change.

    >>> values = (fmpq(1), fmpq(2))
    >>> _divisible(values) is values, _divisible((values, 1))[0] is values
    (True, True)
    """
    return values if PLAIN.isdisjoint(map(type, values)) else tuple(handed(values))
