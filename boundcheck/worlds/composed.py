"""Fields made of other fields or of a rule: derived and custom values, tuples, laws of noise."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from flint import fmpq

from boundcheck.errors import InvalidArgument
from boundcheck.worlds.domains import all_between, is_integer, is_law
from boundcheck.worlds.fields import Bound, Field, Size, Weights, as_rational, as_size
from boundcheck.worlds.sources import Coordinates


@dataclass(frozen=True)
class NoiseLaws(Field):
    """Noise that may depend on the point: one law per row, (values, weights) of `atoms` atoms.

    Values lie in [-bound, bound]; centred only with `centred`. Two-point laws with one rare large
    value come up often.
    """

    rows: Size
    atoms: Size = 2
    bound: Bound = 1
    centred: bool = False

    def build(
        self, source: Coordinates, earlier: Mapping[str, Any]
    ) -> tuple[tuple[tuple[fmpq, ...], tuple[fmpq, ...]], ...]:
        bound = as_rational(self.bound, earlier)
        laws = [self._one(source, earlier, bound) for _ in range(as_size(self.rows, earlier))]
        return tuple(laws)

    def _one(
        self, source: Coordinates, earlier: Mapping[str, Any], bound: fmpq
    ) -> tuple[tuple[fmpq, ...], tuple[fmpq, ...]]:
        size = as_size(self.atoms, earlier)
        kind = source.choice(("free", "free", "skewed"))
        values = [source.rational(-bound, bound) for _ in range(size)]
        weights = Weights(size).build(source, earlier)
        if kind == "skewed" and size > 1:
            rare = fmpq(1, 1000)
            weights = (rare, *(w * (1 - rare) / sum(weights[1:], fmpq(0)) for w in weights[1:]))
            values[0] = bound
        if self.centred:
            mean = sum((v * w for v, w in zip(values, weights, strict=True)), fmpq(0))
            values = [(v - mean) / 2 for v in values]  # within the bound: |v - mean| <= 2 bound
        return tuple(values), weights

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        atoms, rows = as_size(self.atoms, earlier), as_size(self.rows, earlier)
        bound = as_rational(self.bound, earlier)
        if not isinstance(value, tuple) or len(value) != rows:
            return False
        for values, weights in value:
            fits = all_between(values, atoms, -bound, bound) and len(weights) == atoms
            if not (fits and is_law(weights)):
                return False
            mean = sum((v * w for v, w in zip(values, weights, strict=True)), fmpq(0))
            if self.centred and mean != 0:
                return False
        return True


@dataclass(frozen=True)
class Derived(Field):
    """A value computed from earlier fields: `rule` takes them by name."""

    rule: Callable[..., Any]

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> Any:
        import inspect

        names = inspect.signature(self.rule).parameters
        return self.rule(*[earlier[name] for name in names])

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        found = self.build(Coordinates(()), earlier)
        return type(value) is type(found) and value == found


Predicate = Callable[[Any, Mapping[str, Any]], bool]


@dataclass(frozen=True)
class Custom(Field):
    """A value built by `rule(source, earlier)` from the primitives of the source.

    Args: domain: what the statement promises of the value, a field or a predicate of (value,
    the other values of the world). Without it the field cannot carry a refutation.
    """

    rule: Callable[[Coordinates, Mapping[str, Any]], Any]
    domain: Field | Predicate | None = None

    @property
    def says_domain(self) -> bool:
        return self.domain is not None

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> Any:
        return self.rule(source, earlier)

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        if isinstance(self.domain, Field):
            return self.domain.admits(value, earlier)
        return self.domain is not None and self.domain(value, earlier)


def promised_field(field: Field) -> Field:
    """The field that says what is promised of a value, where search builds it by a rule."""
    return field.domain if isinstance(field, Custom) and isinstance(field.domain, Field) else field


def is_foreign(field: object) -> bool:
    """Whether a field or draw, or a field inside it, is of a class of somebody else, which does
    what it likes whatever class it extends."""
    kind = type(field)
    own = kind.__module__.startswith("boundcheck.")
    if not own or getattr(sys.modules.get(kind.__module__), kind.__name__, None) is not kind:
        return True
    members = fields(field) if is_dataclass(field) else ()
    inside = (getattr(field, each.name) for each in members)
    return any(isinstance(part, Field) and is_foreign(part) for part in inside)


@dataclass(frozen=True)
class Index(Field):
    """An integer of [0, size - 1]."""

    size: Size

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> int:
        if not (size := as_size(self.size, earlier)):
            raise InvalidArgument("an index of size 0 has no value; give one place at least")
        return source.integer(0, size - 1)

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        return is_integer(value) and 0 <= value < as_size(self.size, earlier)


@dataclass(frozen=True)
class Tuples(Field):
    """A tuple of the given size, every entry a value of `entry`: indices, rows, laws.

    >>> from boundcheck.worlds import Integer
    >>> Tuples("n", Integer(0, 1)).admits((0, 1, 1), {"n": 3})
    True
    """

    size: Size
    entry: Field

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> tuple[Any, ...]:
        size = as_size(self.size, earlier)
        return tuple(self.entry.build(source, earlier) for _ in range(size))

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        if not isinstance(value, tuple) or len(value) != as_size(self.size, earlier):
            return False
        return all(self.entry.admits(entry, earlier) for entry in value)
