"""Small worlds whose Kronecker powers are looked at: Hadamard matrices, reflections, projectors.

A matrix and its entries are as far apart as can be where all entries are alike and all rows are
orthogonal, which no world drawn at random is; its powers keep both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, product
from typing import Any

from flint import fmpq, fmpq_mat

from boundcheck.checker.laws import governed
from boundcheck.checker.tensor import together
from boundcheck.checks.base import Task
from boundcheck.search.admissible import Candidates
from boundcheck.search.beginnings import simple_worlds
from boundcheck.search.growth import rebuilt
from boundcheck.worlds.fields import Field, Gram, Matrix, Symmetric, Vector, Weights
from boundcheck.worlds.kinds import Binary, Independent, Projector

SIDES = (2, 3, 4)
MOST = 40  # worlds of one side
BASES = 2  # worlds from which the other values are taken

Values = dict[str, Any]


def factors_of_powers(task: Task, size: str) -> Iterator[Values]:
    """Worlds of the claim whose arrays of a size are of few rows: known ones, and simple ones."""
    candidates, names = Candidates(task.claim), together(task.claim.fields, size)
    simple = simple_worlds(task)
    made = (world for side in SIDES for base in simple[:BASES]
            for world in islice(_seeded(task.claim.fields, base, names, side), MOST))  # fmt: skip
    for world in made:
        found = candidates.from_values(world)
        if found is not None:
            yield found.setting.values
    yield from simple


def _seeded(
    fields: Mapping[str, Field], base: Values, names: frozenset[str], side: int
) -> Iterator[Values]:
    """A world with known arrays for all that some sizes govern, all of them of one side."""
    own = [name for name, field in fields.items()
           if name not in names and any(governed(field, each) for each in names)]  # fmt: skip
    for chosen in product(*(seeds(fields[name], side) for name in own)):
        yield rebuilt(fields, {**base, **dict.fromkeys(names, side),
                               **dict(zip(own, chosen, strict=True))})  # fmt: skip


def seeds(field: Field, side: int) -> list[Any]:
    """Known arrays of one side for a field, those with orthogonal rows first."""
    if isinstance(field, Weights):
        first = fmpq(1, 2) + fmpq(1, 2 * side)
        rest = (1 - first) / (side - 1)
        return [(fmpq(1, side),) * side, (first, *(rest,) * (side - 1))]
    if isinstance(field, Vector):
        return [(fmpq(1),) * side, (fmpq(1), *(fmpq(0),) * (side - 1)),
                (fmpq(1), *(fmpq(-1),) * (side - 1))]  # fmt: skip
    kinds = {Binary: _binary, Projector: _projectors, Gram: _definite, Independent: _square,
             Symmetric: _symmetric, Matrix: _square}  # fmt: skip
    made = next((make for kind, make in kinds.items() if isinstance(field, kind)), None)
    return [] if made is None else list(made(side))


def hadamard(order: int) -> fmpq_mat:
    """Sylvester's matrix of signs with orthogonal rows, of 2^order of them.

    >>> hadamard(1).tolist()
    [[1, 1], [1, -1]]
    """
    return _table(1 << order, lambda i, j: -1 if (i & j).bit_count() % 2 else 1)


def halfway(order: int) -> fmpq_mat:
    """The projector (I + H / sqrt(d)) / 2 of a Hadamard matrix H of d = 4^order rows."""
    signs = hadamard(2 * order)
    return _table(signs.nrows(), lambda i, j: (fmpq(i == j) + signs[i, j] / 2**order) / 2)


def _table(side: int, entry: Any) -> fmpq_mat:
    return fmpq_mat(side, side, [fmpq(entry(i, j)) for i in range(side) for j in range(side)])


def _unit(side: int) -> fmpq_mat:
    return _table(side, lambda i, j: int(i == j))


def _ones(side: int) -> fmpq_mat:
    return _table(side, lambda i, j: 1)


def _symmetric(side: int) -> Iterator[fmpq_mat]:
    if side in (2, 4):
        yield hadamard(side // 2)
    yield _unit(side) * side - _ones(side) * 2  # a reflection
    yield _ones(side)
    yield _unit(side)


def _square(side: int) -> Iterator[fmpq_mat]:
    yield from _symmetric(side)
    yield _table(side, lambda i, j: int(i <= j))
    yield _table(side, lambda i, j: 1 if i <= j else -1)
    yield _table(side, lambda i, j: int(j == i + 1))
    yield _table(side, lambda i, j: int(j == 0))


def _projectors(side: int) -> Iterator[fmpq_mat]:
    if side == 4:
        yield halfway(1)
    yield _unit(side) - _ones(side) / side
    yield _ones(side) / side
    yield _table(side, lambda i, j: int(i == j == 0))


def _definite(side: int) -> Iterator[fmpq_mat]:
    yield _unit(side) - _ones(side) / side
    yield _unit(side)
    yield _ones(side)
    yield (_unit(side) + _ones(side)) / 2


def _binary(side: int) -> Iterator[fmpq_mat]:
    yield _table(side, lambda i, j: int(i + j < side))
    yield _ones(side) - _unit(side)
    yield _table(side, lambda i, j: int(i <= j))
    yield _unit(side)
    yield _ones(side)
