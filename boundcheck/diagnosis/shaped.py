"""Fields of a shape that a hypothesis may ask for: zeros, equal weights, symmetry about zero."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from boundcheck.worlds.fields import Field, Vector, Weights, as_size
from boundcheck.worlds.sources import Coordinates


@dataclass(frozen=True)
class Constant(Field):
    """A vector of zeros or equal weights."""

    like: Vector | Weights
    shape: str

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> Any:
        size = as_size(self.like.size, earlier)
        if self.shape == "equal":
            return (fmpq(1, size),) * size
        return (fmpq(0),) * size

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        return bool(value == self.build(Coordinates(()), earlier))


@dataclass(frozen=True)
class Centred(Field):
    """A vector that is the same from either end but for its sign."""

    like: Vector

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> Any:
        raw = self.like.build(source, earlier)
        mirrored = raw[: (len(raw) + 1) // 2]
        tail = tuple(-value for value in mirrored[: len(raw) // 2][::-1])
        middle = (fmpq(0),) if len(raw) % 2 else ()
        return (*mirrored[: len(raw) // 2], *middle, *tail)

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        opposite = tuple(-entry for entry in value[::-1])
        return self.like.admits(value, earlier) and tuple(value) == opposite


@dataclass(frozen=True)
class Mirrored(Field):
    """Weights that are the same from either end, as a law that is symmetric about zero has them."""

    like: Weights

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> Any:
        raw = self.like.build(source, earlier)
        return tuple((one + other) / 2 for one, other in zip(raw, raw[::-1], strict=True))

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        return self.like.admits(value, earlier) and tuple(value) == tuple(value)[::-1]
