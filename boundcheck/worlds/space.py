"""A space of worlds: named fields built in order; sampled, drawn by Hypothesis, or decoded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from flint import arb, arb_mat, fmpq, fmpq_mat

from boundcheck.encoding import nearest_float
from boundcheck.worlds.fields import Field
from boundcheck.worlds.sources import Coordinates, Drawn, Randomness

World: TypeAlias = dict[str, Any]


class Space:
    """Worlds with the given fields.

    Args: fields: name to field; later fields may refer to earlier ones by name.

    >>> from boundcheck.worlds import Integer, Weights
    >>> import numpy
    >>> space = Space(n=Integer(1, 3), rho=Weights("n"))
    >>> world, coordinates = space.sample(numpy.random.default_rng(0))
    >>> sum(world["rho"]) == 1 and space.decode(coordinates) == world
    True
    """

    def __init__(self, **fields: Field) -> None:
        self.fields: Mapping[str, Field] = fields

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the fields, in building order."""
        return tuple(self.fields)

    def and_fields(self, **fields: Field) -> Space:
        """The same space with further fields at the end, or existing ones replaced in place."""
        return Space(**{**self.fields, **fields})

    def build(self, source: Coordinates) -> World:
        """A world from any source."""
        world: World = {}
        for name, field in self.fields.items():
            source.begun = source.used
            world[name] = field.build(source, world)
        return world

    def spans(self, vector: Sequence[float]) -> dict[str, tuple[int, int]]:
        """Which coordinates of a vector each field reads: name to (first, one past the last)."""
        source, spans = Coordinates(vector), {}
        world: World = {}
        for name, field in self.fields.items():
            first = source.used
            world[name] = field.build(source, world)
            spans[name] = (first, source.used)
        return spans

    def sample(self, rng: Any) -> tuple[World, list[float]]:
        """A hostile random world and the coordinates that rebuild it."""
        source = Randomness(rng)
        world = self.build(source)
        return world, source.record

    def decode(self, vector: Sequence[float]) -> World:
        """The world at a vector of coordinates in [0, 1]."""
        return self.build(Coordinates(vector))

    def strategy(self) -> Any:
        """A Hypothesis strategy for worlds in exact rationals."""
        from hypothesis import strategies

        @strategies.composite
        def worlds(draw: Any) -> World:
            return self.build(Drawn(draw))

        return worlds()

    def float_strategy(self) -> Any:
        """A Hypothesis strategy for the same worlds as NumPy arrays and floats."""
        return self.strategy().map(as_floats)


def as_floats(world: Mapping[str, Any]) -> World:
    """The same world with float arrays for vectors and matrices, floats for rationals."""
    return {name: float_value(value) for name, value in world.items()}


def float_value(value: Any) -> Any:
    """Float form of one exact value; integers and names stay as they are."""
    import numpy

    if isinstance(value, (fmpq_mat, arb_mat)):
        table = [float_value(entry) for entry in value.entries()]
        return numpy.array(table, dtype=float).reshape(value.nrows(), value.ncols())
    if isinstance(value, fmpq):
        return nearest_float(value)
    if isinstance(value, arb):
        return float(value.mid())
    if isinstance(value, tuple):
        return numpy.array([float_value(entry) for entry in value])
    return value
