"""How the values of a world grow with its sizes: repetition, direct sums, zeros, spectra, products.

A move takes the value of a field whose length, rows or columns are a size z of the world, and gives
the value at N z. Which fields a size governs is read off the fields; a value that is governed by a
size but has no rule stops the move, so that no world is put together wrongly.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from flint import fmpq, fmpq_mat

from boundcheck.worlds.composed import Derived, Index, Tuples, promised_field
from boundcheck.worlds.fields import Field, Integer, Matrix, Weights
from boundcheck.worlds.sources import Coordinates

Values = dict[str, Any]
ATTRIBUTES = ("size", "rows", "cols")


class Immovable(Exception):
    """A field that depends on the size has no rule for the move."""


def sizes(fields: Mapping[str, Field]) -> Iterator[str]:
    """Names of integers of the world that say how large other fields are."""
    for name, field in fields.items():
        if isinstance(field, Integer) and any(_governed(other, name) for other in fields.values()):
            yield name


def _governed(field: Field, size: str) -> bool:
    field = promised_field(field)
    inner = isinstance(field, Tuples) and _governed(field.entry, size)
    return inner or any(getattr(field, name, None) == size for name in ATTRIBUTES)


Grow = Callable[[Any, bool, bool, int], Any]


def grown(
    fields: Mapping[str, Field], values: Values, size: str, move: str, times: int
) -> Values:
    """The world at `times` its size by a move of `MOVES`.

    Raises: Immovable if a field of that size has no rule, or if the size is zero.

    >>> from boundcheck.worlds import Vector, Weights
    >>> space = {"n": Integer(1, searched=3), "p": Weights("n"), "x": Vector("n")}
    >>> world = {"n": 1, "p": (fmpq(1),), "x": (fmpq(3),)}
    >>> grown(space, world, "n", "repeat", 2)
    {'n': 2, 'p': (1/2, 1/2), 'x': (3, 3)}
    """
    if not values[size]:
        raise Immovable(size)
    changed = {**values, size: values[size] * times}
    old = values[size]
    for name, field in fields.items():
        if name == size:
            continue
        if isinstance(field, Derived):
            changed[name] = field.build(None, changed)  # type: ignore[arg-type]
            if isinstance(changed[name], int) and any(
                _governed(other, name) for other in fields.values()
            ):
                raise Immovable(name)
        elif _governed(field, size):
            changed[name] = _grown(promised_field(field), values[name], size, move, times, old)
    return changed


def rebuilt(fields: Mapping[str, Field], values: Values) -> Values:
    """A world with all that is computed of other values made anew."""
    made = dict(values)
    for name, field in fields.items():
        if isinstance(field, Derived):
            made[name] = field.build(Coordinates(()), made)
    return made


def _grown(field: Any, value: Any, size: str, move: str, times: int, old: int) -> Any:
    if isinstance(field, Index):
        return _place(value, move, times, old)
    if isinstance(value, fmpq_mat):
        rows, cols = (getattr(field, name, field.size if hasattr(field, "size") else None)
                      for name in ("rows", "cols"))  # fmt: skip
        return MATRICES[move](value, rows == size, cols == size, times)
    if isinstance(field, Tuples):
        inner = field.entry if _governed(field.entry, size) else None
        entries = value if inner is None else tuple(
            _grown(inner, entry, size, move, times, old) for entry in value)  # fmt: skip
        return _entries(entries, move, times) if field.size == size else entries
    if not isinstance(value, tuple):
        raise Immovable(type(field).__name__)
    if isinstance(field, Weights):
        return WEIGHTS[move](value, times)
    return VECTORS[move](value, times)


def _place(place: int, move: str, times: int, old: int) -> int:
    """Where an atom stands after a move; of its copies the first."""
    if move in ("repeat", "near"):
        return place * times
    return place + old * (times - 1) if move == "split" and place else place


def _entries(values: tuple[Any, ...], move: str, times: int) -> tuple[Any, ...]:
    """A list grown by copies of what it holds: there is no zero and no third of a law."""
    if move == "split":
        return _split(values, times)
    return _tiled(values, times) if move == "direct sum" else _repeated(values, times)


def _tiled(values: tuple[Any, ...], times: int) -> tuple[Any, ...]:
    """Block after block, as a direct sum orders them."""
    return values * times


def _repeated(values: tuple[Any, ...], times: int) -> tuple[Any, ...]:
    return tuple(entry for entry in values for _ in range(times))


def _tiled_weights(weights: tuple[Any, ...], times: int) -> tuple[Any, ...]:
    return tuple(weight / times for weight in weights) * times


def _padded(values: tuple[Any, ...], times: int) -> tuple[Any, ...]:
    return (*values, *(fmpq(0),) * (len(values) * (times - 1)))


def _split(values: tuple[Any, ...], times: int) -> tuple[Any, ...]:
    """The first atom cut into pieces, the others kept; its value is repeated."""
    return (*(values[0],) * (len(values) * (times - 1) + 1), *values[1:])


def _shared(weights: tuple[Any, ...], times: int) -> tuple[Any, ...]:
    return tuple(weight / times for weight in weights for _ in range(times))


def _split_weight(weights: tuple[Any, ...], times: int) -> tuple[Any, ...]:
    pieces = len(weights) * (times - 1) + 1
    return (*(weights[0] / pieces,) * pieces, *weights[1:])


def _falling(values: tuple[Any, ...], times: int) -> tuple[Any, ...]:
    """Entries spread as 1, 1/2, 1/3, ..."""
    return tuple(values[0] / k for k in range(1, len(values) * times + 1))


def _falling_weights(weights: tuple[Any, ...], times: int) -> tuple[Any, ...]:
    found = [fmpq(1, k) for k in range(1, len(weights) * times + 1)]
    total = sum(found, fmpq(0))
    return tuple(weight / total for weight in found)


def _near(values: tuple[Any, ...], times: int) -> tuple[Any, ...]:
    """Repeated, the copies drawn together unevenly: points that nearly coincide."""
    step = fmpq(1, 2**20)
    return tuple(entry * (1 - k * step) for entry in values for k in range(times))


def _table(rows: int, cols: int, entry: Callable[[int, int], Any]) -> fmpq_mat:
    return fmpq_mat(rows, cols, [entry(i, j) for i in range(rows) for j in range(cols)])


def _shape(value: fmpq_mat, down: bool, across: bool, times: int) -> tuple[int, int]:
    return value.nrows() * (times if down else 1), value.ncols() * (times if across else 1)


def _copies(value: fmpq_mat, down: bool, across: bool, times: int) -> fmpq_mat:
    """Every row or column repeated."""
    rows, cols = _shape(value, down, across, times)
    return _table(rows, cols, lambda i, j: value[
        i // times if down else i, j // times if across else j])  # fmt: skip


def _direct_sum(value: fmpq_mat, down: bool, across: bool, times: int) -> fmpq_mat:
    """Blocks along the diagonal where both sides grow, else one below or beside the other."""
    rows, cols = value.nrows(), value.ncols()
    both = down and across
    return _table(*_shape(value, down, across, times), lambda i, j: (
        value[i % rows, j % cols] if not both or i // rows == j // cols else fmpq(0)))  # fmt: skip


def _padded_matrix(value: fmpq_mat, down: bool, across: bool, times: int) -> fmpq_mat:
    rows, cols = value.nrows(), value.ncols()
    return _table(*_shape(value, down, across, times), lambda i, j: (
        value[i, j] if i < rows and j < cols else fmpq(0)))  # fmt: skip


def _split_matrix(value: fmpq_mat, down: bool, across: bool, times: int) -> fmpq_mat:
    """The first row and column repeated for every piece of the first atom, the others kept.

    >>> _split_matrix(fmpq_mat([[1, 2], [3, 4]]), True, False, 2).tolist()
    [[1, 2], [1, 2], [1, 2], [3, 4]]
    """
    rows, cols = _shape(value, down, across, times)
    above, left = rows - value.nrows(), cols - value.ncols()
    return _table(rows, cols, lambda i, j: value[max(i - above, 0), max(j - left, 0)])


def _falling_matrix(value: fmpq_mat, down: bool, across: bool, times: int) -> fmpq_mat:
    """The first entry spread as a spectrum 1, 1/2, 1/3, ... on the diagonal."""
    return _table(*_shape(value, down, across, times), lambda i, j: (
        value[0, 0] / (i + 1) if i == j else fmpq(0)))  # fmt: skip


def _near_matrix(value: fmpq_mat, down: bool, across: bool, times: int) -> fmpq_mat:
    """Repeated rows and columns, shrunk unevenly: still a Gram matrix if it was one."""
    copies = _copies(value, down, across, times)

    def share(place: int, moves: bool) -> fmpq:
        return 1 - (place % times) * fmpq(1, 2**20) if moves else fmpq(1)

    return _table(copies.nrows(), copies.ncols(), lambda i, j: (
        copies[i, j] * share(i, down) * share(j, across)))  # fmt: skip


def product(
    fields: Mapping[str, Field], values: Values, rows: str, cols: str, times: int
) -> Values:
    """The world whose rows are all sequences of `times` rows: products of what they say.

    Args: rows: the size that becomes a power. cols: the size that becomes `times` as large.

    Raises: Immovable if a field of these sizes has no rule.

    >>> from boundcheck.worlds import Matrix
    >>> space = {"N": Integer(1, searched=3), "n": Integer(1, searched=3), "A": Matrix("N", "n")}
    >>> world = {"N": 2, "n": 1, "A": fmpq_mat([[fmpq(1)], [fmpq(-1)]])}
    >>> product(space, world, "N", "n", 2)["A"].tolist()
    [[1, 1], [1, -1], [-1, 1], [-1, -1]]
    """
    changed = {**values, rows: values[rows] ** times, cols: values[cols] * times}
    for name, field in fields.items():
        promised, value = promised_field(field), values[name]
        if isinstance(field, Derived):
            changed[name] = field.build(None, changed)  # type: ignore[arg-type]
        elif isinstance(promised, Matrix) and (promised.rows, promised.cols) == (rows, cols):
            chosen = itertools.product(value.tolist(), repeat=times)
            changed[name] = fmpq_mat([[e for row in several for e in row] for several in chosen])
        elif isinstance(promised, Weights) and promised.size == rows:
            chosen = itertools.product(value, repeat=times)
            changed[name] = tuple(math.prod(several, start=fmpq(1)) for several in chosen)
        elif _governed(field, rows):
            raise Immovable(name)
        elif _governed(field, cols):
            changed[name] = _grown(promised, value, cols, "direct sum", times, values[cols])
    return changed


MOVES = {
    "repeat": "{size} grows by equal copies",
    "direct sum": "{size} grows by a direct sum",
    "pad": "{size} grows by zeros",
    "split": "{size} grows by splitting one atom",
    "spread": "{size} grows with a spectrum 1/k",
    "near": "{size} grows by near copies",
}
VECTORS = {"repeat": _repeated, "direct sum": _tiled, "pad": _padded, "split": _split,
           "spread": _falling, "near": _near}  # fmt: skip
WEIGHTS = {"repeat": _shared, "direct sum": _tiled_weights, "pad": _padded, "split": _split_weight,
           "spread": _falling_weights, "near": _shared}  # fmt: skip
MATRICES = {"repeat": _copies, "direct sum": _direct_sum, "pad": _padded_matrix,
            "split": _split_matrix, "spread": _falling_matrix, "near": _near_matrix}  # fmt: skip


def cut(fields: Mapping[str, Field], values: Values, size: str, new: int) -> Values:
    """The world with the first `new` of the parts that a size counts.

    Raises: Immovable if a field of that size has no rule or loses what it points to.

    >>> from boundcheck.worlds import Vector, Weights
    >>> space = {"n": Integer(1, searched=3), "p": Weights("n"), "x": Vector("n")}
    >>> world = {"n": 2, "p": (fmpq(1, 4), fmpq(3, 4)), "x": (fmpq(3), fmpq(5))}
    >>> cut(space, world, "n", 1)
    {'n': 1, 'p': (1,), 'x': (3,)}
    """
    changed = {**values, size: new}
    for name, field in fields.items():
        if isinstance(field, Derived):
            changed[name] = field.build(None, changed)  # type: ignore[arg-type]
        elif name != size and _governed(field, size):
            changed[name] = _cut(promised_field(field), values[name], size, new)
    return changed


def _cut(field: Any, value: Any, size: str, new: int) -> Any:
    if isinstance(field, Index) and value < new:
        return value
    if isinstance(value, fmpq_mat):
        rows, cols = (getattr(field, name, getattr(field, "size", None))
                      for name in ("rows", "cols"))  # fmt: skip
        down = new if rows == size else value.nrows()
        across = new if cols == size else value.ncols()
        return _table(down, across, lambda i, j: value[i, j])
    if not isinstance(value, tuple):
        raise Immovable(type(field).__name__)
    if isinstance(field, Tuples) and _governed(field.entry, size):
        value = tuple(_cut(field.entry, entry, size, new) for entry in value)
    if getattr(field, "size", None) != size:
        return value
    first = value[:new]
    if not isinstance(field, Weights):
        return first
    total = sum(first, fmpq(0))
    if not total:
        raise Immovable("weights")
    return tuple(weight / total for weight in first)
