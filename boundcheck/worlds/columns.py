"""Many worlds of one shape at once in floats, from the coordinates that build them exactly.

A row of coordinates in [0, 1] is a world, as everywhere; here a column is one coordinate of all of
them. Choices and sizes are common to the batch. Each rule reads the coordinates that the field's
own `build` reads, in the same order, so that the vector of a promising world rebuilds it exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

import numpy
from numpy.typing import NDArray

from boundcheck.encoding import nearest_float
from boundcheck.errors import InvalidArgument
from boundcheck.worlds.composed import Derived, Index, Tuples
from boundcheck.worlds.fields import (
    SHAPES,
    Choice,
    Field,
    Gram,
    Increasing,
    Integer,
    Matrix,
    Probabilities,
    Real,
    Symmetric,
    Vector,
    Weights,
    as_rational,
    as_size,
    promised,
    search_ends,
)
from boundcheck.worlds.kinds import Binary, Hermitian, Independent, SemidefiniteHermitian
from boundcheck.worlds.patterns import SHARE, arranges, positions
from boundcheck.worlds.sources import GRID, REPEATED, SHORT, SPECIAL, TINY

Floats: TypeAlias = NDArray[numpy.float64]
Item = TypeVar("Item")
Rule = Callable[[Any, "Columns", Mapping[str, Any]], Any]
LEAST = float(TINY)


class Columns:
    """Coordinates of `count` worlds; those beyond `given` are drawn as hostile random worlds are.

    Args: rng: numpy Generator; count: worlds; given: coordinates, shape (count, any), or None.
    """

    def __init__(self, rng: Any, count: int, given: Floats | None = None) -> None:
        self.rng = rng
        self.count = count
        self.given = given
        self.columns: list[Floats] = []
        self.ahead: list[Floats] = []  # coordinates of arrangements, the next one last
        self.whole: list[int] = []
        self.begun = 0
        self.special = numpy.array(SPECIAL)[rng.integers(4, size=count)]
        self.repeated = numpy.array(REPEATED)[rng.integers(4, size=count)]

    @property
    def used(self) -> int:
        """Coordinates read so far."""
        return len(self.columns)

    @property
    def vectors(self) -> Floats:
        """The coordinates read so far, a row for each world."""
        return numpy.stack(self.columns, axis=1) if self.columns else numpy.empty((self.count, 0))

    def coordinate(self) -> Floats:
        """The next coordinate of every world."""
        given = self.given
        if given is not None and self.used < given.shape[1]:
            column = given[:, self.used]
        else:
            column = self._drawn()
        self.columns.append(column)
        return column

    def entries(self, rows: int, cols: int, low: Any, high: Any) -> Floats:
        """Numbers in [low, high] of a table, shape (worlds, rows * cols), row by row.

        In some worlds they are those of an arrangement.
        """
        self._arrange(rows, cols, low, high)
        return numpy.stack([self.between(low, high) for _ in range(rows * cols)], axis=-1)

    def _arrange(self, rows: int, cols: int, low: Any, high: Any) -> None:
        if self.given is not None or not arranges(rows, cols):
            return
        rng, count = self.rng, self.count
        some = numpy.flatnonzero(rng.random(count) < SHARE)
        low, high = (numpy.broadcast_to(end, (count,))[some] for end in (low, high))
        ahead = numpy.full((count, rows * cols), numpy.nan)
        ahead[some] = positions(rng, len(some), rows, cols, low, high)
        self.ahead = list(ahead.T[::-1])

    def _drawn(self) -> Floats:
        """Uniform, an end, the middle, a simple fraction, next to an end, or one drawn before."""
        rng, count = self.rng, self.count
        column = numpy.round(rng.random(count) * GRID) / GRID
        if self.columns:
            again = rng.random(count) < 0.1
            column = numpy.where(again, self.columns[int(rng.integers(self.used))], column)
        special = rng.random(count) < self.special
        column = numpy.where(special, self._specials(), column)
        if self.used > self.begun and self.used - 1 not in self.whole:
            same = rng.random(count) < self.repeated
            column = numpy.where(same, self.columns[-1], column)
        if self.ahead:
            arranged = self.ahead.pop()
            column = numpy.where(numpy.isnan(arranged), column, arranged)
        return column

    def _specials(self) -> Floats:
        rng, count = self.rng, self.count
        below = rng.integers(2, 13, size=count)
        tiny = numpy.exp2(-rng.integers(2, 20, size=count).astype(float))
        kinds = (
            numpy.zeros(count), numpy.ones(count), numpy.full(count, 0.5),
            rng.integers(0, below + 1) / below, tiny, 1 - tiny,
        )  # fmt: skip
        chosen: Floats = numpy.choose(rng.integers(6, size=count), kinds)
        return chosen

    def integer(self, low: int, high: int) -> int:
        """An integer in [low, high], the same in all worlds."""
        length = high - low + 1
        if high - low < SHORT:
            self.whole.append(self.used)
        given = self.given
        if given is not None and self.used < given.shape[1]:
            position = float(given[0, self.used])
        else:
            position = (int(self.rng.integers(length)) + 0.5) / length
        self.columns.append(numpy.full(self.count, position))
        return min(low + int(position * length), high)

    def choice(self, items: Sequence[Item]) -> Item:
        """One of the items, the same in all worlds."""
        return items[self.integer(0, len(items) - 1)]

    def between(self, low: float | Floats, high: float | Floats) -> Floats:
        """A number in [low, high] of every world, ends included."""
        return low + (high - low) * self.coordinate()


def build(fields: Mapping[str, Field], source: Columns, sizes: frozenset[str]) -> dict[str, Any]:
    """Float values of the fields, batch axis first; those named in `sizes` are common integers.

    Raises: TypeError for a field without a rule, InvalidArgument for an empty range.
    """
    world: dict[str, Any] = {}
    for name, field in fields.items():
        source.begun = source.used
        if isinstance(field, Integer) and name in sizes:
            world[name] = _common(field, source, world)
        else:
            world[name] = _rule(field)(field, source, world)
    return world


def buildable(fields: Mapping[str, Field]) -> bool:
    """Whether every field has a rule."""
    return all(_has_rule(field) for field in fields.values())


def _has_rule(field: Field) -> bool:
    if isinstance(field, Tuples):
        return _has_rule(field.entry)
    if isinstance(field, Choice):
        return all(isinstance(item, (int, str)) for item in field.searched or field.items)
    return type(field) in RULES


def _rule(field: Field) -> Rule:
    rule = RULES.get(type(field))
    if rule is None:
        raise TypeError(f"{type(field).__name__} has no rule for floats")
    return rule


def _end(bound: Any, earlier: Mapping[str, Any]) -> float | Floats:
    """A bound in floats: a number, or the values of an earlier field."""
    if isinstance(bound, str) and bound in earlier:
        values: Floats = earlier[bound]
        return values
    return nearest_float(as_rational(bound, {}))


def _common(field: Integer, source: Columns, earlier: Mapping[str, Any]) -> int:
    """A size: the exact rule, read by the first world for all."""
    if field.wide:
        raise TypeError("a size over orders of magnitude has no batch")
    low, high = int(_end(field.low, earlier)), int(_end(field.top, earlier))
    if field.small and source.choice((True, False)):
        return low
    return source.integer(low, max(low, high))


def _integer(field: Integer, source: Columns, earlier: Mapping[str, Any]) -> Any:
    low, high = _end(field.low, earlier), _end(field.top, earlier)
    common = not (numpy.ndim(low) or numpy.ndim(high))
    if field.small and source.choice((True, False)):
        return low
    if common and high - low < SHORT and not field.wide:
        return source.integer(int(low), int(high))
    if not common:
        raise TypeError("an integer between numbers of the world has no batch")
    if not field.wide:
        whole = numpy.floor(low + source.coordinate() * (high - low + 1))
        return numpy.minimum(whole, high)
    bits = source.coordinate() * int(high - low + 1).bit_length()
    part = numpy.floor(bits)
    return numpy.minimum(low - 1 + numpy.floor(numpy.exp2(part) * (1 + bits - part)), high)


def _real(field: Real, source: Columns, earlier: Mapping[str, Any]) -> Floats:
    within = field if field.searched is None else Real(
        *field.searched, field.open_low, field.open_high, field.log, ends=field.ends
    )  # fmt: skip
    u = _near_ends(source) if field.ends else source.coordinate()
    if within.open_low or within.low is None or within.log:
        u = numpy.maximum(u, LEAST)
    if within.open_high or within.high is None:
        u = numpy.minimum(u, 1 - LEAST)
    if within.low is None and within.high is None:
        u = numpy.maximum(u, LEAST)
        return (2 * u - 1) / (4 * u * (1 - u))
    if within.high is None:
        return _end(within.low, earlier) + u / (1 - u)
    if within.low is None:
        return _end(within.high, earlier) - (1 - u) / u
    low, high = _end(within.low, earlier), _end(within.high, earlier)
    if not within.log:
        return low + (high - low) * u
    octaves = 16 * (1 - u)
    whole = numpy.floor(octaves)
    return low + (high - low) / (numpy.exp2(whole) * (1 + (octaves - whole)))


def _near_ends(source: Columns) -> Floats:
    kind = source.choice(("free", "low", "high", "high"))
    if kind == "free":
        return source.coordinate()
    gap = 10.0 ** -source.integer(1, 9)
    return numpy.full(source.count, gap if kind == "low" else 1 - gap)


def _choice(field: Choice, source: Columns, earlier: Mapping[str, Any]) -> Any:
    return source.choice(field.searched or field.items)


def _weights(field: Weights, source: Columns, earlier: Mapping[str, Any]) -> Floats:
    size = as_size(field.size, earlier)
    low = 0.0 if field.zeros else 1e-6
    raw = source.entries(1, size, low, 1.0)
    total = raw.sum(axis=-1, keepdims=True)
    return numpy.where(total > 0, raw / numpy.where(total > 0, total, 1), 1 / size)


def _probabilities(field: Probabilities, source: Columns, earlier: Mapping[str, Any]) -> Floats:
    margin = _end(field.margin, earlier)

    def one() -> Floats:
        place = source.choice(("anywhere", "anywhere", "low", "below", "above", "high"))
        share = source.coordinate()
        kinds: dict[str, Floats] = {
            "anywhere": share, "low": margin * share, "high": 1 - margin * share,
            "below": 0.5 - margin * share, "above": 0.5 + margin * share,
        }  # fmt: skip
        return kinds[place]

    return numpy.stack([one() for _ in range(as_size(field.size, earlier))], axis=-1)


def _ends(field: Any, earlier: Mapping[str, Any]) -> tuple[Any, Any]:
    """`search_ends` in floats, where ends may be values of earlier fields."""
    named = [end for end in (field.searched or (field.low, field.high))
             if isinstance(end, str) and end in earlier]  # fmt: skip
    if named:
        low, high = field.searched or (field.low, field.high)
        return (-1.0 if low is None else _end(low, earlier),
                1.0 if high is None else _end(high, earlier))  # fmt: skip
    low, high = search_ends(field, {})
    return nearest_float(low), nearest_float(high)


def _vector(field: Vector, source: Columns, earlier: Mapping[str, Any]) -> Floats:
    low, high = _ends(field, earlier)
    size = as_size(field.size, earlier)
    if not size:
        return numpy.empty((source.count, 0))
    return _inside(field, source.entries(1, size, low, high), high - low, earlier)


def _inside(field: Vector, values: Floats, span: Any, earlier: Mapping[str, Any]) -> Floats:
    """Values on an end that the domain leaves out are moved off it, as the field moves them."""
    step = numpy.reshape(span * LEAST, (-1, 1))
    if field.open_low and field.low is not None:
        low = numpy.reshape(_end(field.low, earlier), (-1, 1))
        values = numpy.where(values == low, values + step, values)
    if field.open_high and field.high is not None:
        high = numpy.reshape(_end(field.high, earlier), (-1, 1))
        values = numpy.where(values == high, values - step, values)
    return values


def _increasing(field: Increasing, source: Columns, earlier: Mapping[str, Any]) -> Floats:
    low, high = _ends(field, earlier)
    size = as_size(field.size, earlier)
    bounded = field.high is not None and promised(field.high, earlier) is not None
    found = [source.between(low, (low + high) / 2 if bounded else high)]
    while len(found) < size:
        most = (high - found[-1]) / (size - len(found)) if bounded else 1.0
        found.append(found[-1] + source.between(most / 64, most))
    return _inside(field, numpy.stack(found[:size], axis=-1), high - low, earlier)


def _matrix(field: Matrix, source: Columns, earlier: Mapping[str, Any]) -> Floats:
    rows, cols = as_size(field.rows, earlier), as_size(field.cols, earlier)
    low, high = _ends(field, earlier)
    shape = source.choice(SHAPES)
    if shape == "rank one":
        left = numpy.stack([source.between(low, high) for _ in range(rows)], axis=-1)
        right = numpy.stack([source.between(-1.0, 1.0) for _ in range(cols)], axis=-1)
        product = left[:, :, None] * right[:, None, :]
        inside = ((product >= low) & (product <= high)).all(axis=(1, 2))
        return numpy.where(inside[:, None, None], product, left[:, :, None])
    table = source.entries(rows, cols, low, high).reshape(source.count, rows, cols)
    if shape == "repeated" and rows > 1:
        table[:, -1] = table[:, 0]
    if shape == "nearly repeated" and rows > 1:
        steps = (1 + numpy.arange(cols)) * 2.0**-20
        table[:, -1] = table[:, 0] + ((low + high) / 2 - table[:, 0]) * steps
    if shape == "zero column" and cols > 1 and low <= 0 <= high:
        table[:, :, -1] = 0
    if shape == "sparse" and low <= 0 <= high:
        table *= (numpy.add.outer(numpy.arange(rows), numpy.arange(cols)) % 2 == 0)
    return table


def _gram(field: Gram, source: Columns, earlier: Mapping[str, Any]) -> Floats:
    size = as_size(field.size, earlier)
    rank = source.integer(1, size)
    factor = _matrix(Matrix(size, rank), source, earlier)
    scale = 1.0 if field.scale is None else _end(field.scale, earlier)
    free = factor @ factor.transpose(0, 2, 1) * numpy.reshape(scale / rank, (-1, 1, 1))
    found: Floats = free + numpy.eye(size) if field.regular else free
    return found


def _independent(field: Independent, source: Columns, earlier: Mapping[str, Any]) -> Floats:
    table = _matrix(Matrix(field.rows, field.cols), source, earlier)
    if table.shape[2] > table.shape[1]:
        raise InvalidArgument("more independent columns than they have entries")
    for i in range(table.shape[2]):
        table[:, i, i:] = numpy.eye(table.shape[2])[i, i:]
    return table


def _binary(field: Binary, source: Columns, earlier: Mapping[str, Any]) -> Floats:
    rows, cols = as_size(field.rows, earlier), as_size(field.cols, earlier)
    entries = [numpy.minimum(numpy.floor(2 * source.coordinate()), 1) for _ in range(rows * cols)]
    return numpy.stack(entries, axis=-1).reshape(source.count, rows, cols)


def _symmetric(field: Symmetric, source: Columns, earlier: Mapping[str, Any]) -> Floats:
    square = _matrix(field._square, source, earlier)
    return (square + square.transpose(0, 2, 1)) / 2


def _hermitian(field: Hermitian, source: Columns, earlier: Mapping[str, Any]) -> Floats:
    d = as_size(field.d, earlier)
    real = _symmetric(Symmetric(d, searched=field.searched), source, earlier)
    free = _matrix(Matrix(d, d, searched=field.searched), source, earlier)
    return _realified(real, (free - free.transpose(0, 2, 1)) / 2)


def _semidefinite(
    field: SemidefiniteHermitian, source: Columns, earlier: Mapping[str, Any]
) -> Floats:
    d = as_size(field.d, earlier)
    columns = source.integer(1, d)
    real, imaginary = (_matrix(Matrix(d, columns), source, earlier) for _ in range(2))
    factor = _realified(real, imaginary)
    return factor @ factor.transpose(0, 2, 1) / columns


def _realified(real: Floats, imaginary: Floats) -> Floats:
    """[[A, -B], [B, A]] of A + iB."""
    above = numpy.concatenate([real, -imaginary], axis=2)
    return numpy.concatenate([above, numpy.concatenate([imaginary, real], axis=2)], axis=1)


def _tuples(field: Tuples, source: Columns, earlier: Mapping[str, Any]) -> Floats:
    rule = _rule(field.entry)
    entries = [rule(field.entry, source, earlier) for _ in range(as_size(field.size, earlier))]
    spread = [numpy.broadcast_to(entry, (source.count, *numpy.shape(entry)[1:]))
              for entry in entries]  # fmt: skip
    return numpy.stack(spread, axis=1)


def _index(field: Index, source: Columns, earlier: Mapping[str, Any]) -> int:
    return source.integer(0, as_size(field.size, earlier) - 1)


def _derived(field: Derived, source: Columns, earlier: Mapping[str, Any]) -> Any:
    """Where all that the rule reads is common to the batch, so is its value."""
    found = field.build(source, earlier)  # type: ignore[arg-type]
    if not isinstance(found, int):
        raise TypeError("a value computed from numbers of the world has no batch")
    return found


RULES: dict[type[Field], Rule] = {
    Integer: _integer, Real: _real, Choice: _choice, Weights: _weights,
    Probabilities: _probabilities, Vector: _vector, Increasing: _increasing, Matrix: _matrix,
    Gram: _gram, Independent: _independent, Symmetric: _symmetric, Tuples: _tuples, Index: _index,
    Derived: _derived, Hermitian: _hermitian, SemidefiniteHermitian: _semidefinite,
    Binary: _binary,
}  # fmt: skip
