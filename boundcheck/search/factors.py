"""Known worlds: Hadamard matrices, reflections and projectors, and what their powers are made of.

A matrix and its entries are as far apart as can be where all entries are alike and all rows are
orthogonal, which no world drawn at random is; its powers keep both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, product
from math import isqrt
from typing import Any

from flint import fmpq, fmpq_mat

from boundcheck.checker.laws import governed
from boundcheck.checker.tensor import sides_of, together
from boundcheck.claim import Claim
from boundcheck.search.admissible import Candidates
from boundcheck.search.arena import Arena
from boundcheck.search.growth import rebuilt
from boundcheck.search.members import Steps
from boundcheck.worlds.fields import Field, Gram, Matrix, Symmetric, Vector, Weights
from boundcheck.worlds.kinds import Binary, Independent, Projector

SIDES = (2, 3, 4)
MOST = 40  # worlds of one side
LARGER, FEW = (2, 4, 8, 16), 6  # sides of known worlds of an explicit statement, and how many each
BASES = 2  # worlds from which the other values are taken

Values = dict[str, Any]


def factors_of_powers(claim: Claim, size: str, simple: Sequence[Values]) -> Iterator[Values]:
    """Worlds of the claim whose arrays of a size are of few rows: known ones, and simple ones."""
    candidates, names = Candidates(claim), together(claim.fields, size)
    made = (world for side in SIDES for base in simple[:BASES]
            for world in islice(_seeded(claim.fields, base, names, side), MOST))  # fmt: skip
    for world in made:
        found = candidates.from_values(world)
        if found is not None:
            yield found.setting.values
    yield from simple


def known_worlds(arena: Arena, base: Values, within: Callable[[Values], bool]) -> Steps:
    """The matrices of a size known ones, of few rows and of more, the rest of a world as it is.

    Args: base: the world. within: whether a world is small enough.
    """
    fields = arena.candidates.claim.fields
    groups = dict.fromkeys(together(fields, str(side)) for field in fields.values()
                           if isinstance(field, KINDS) for side in sides_of(field))  # fmt: skip
    for names, side in product(groups, LARGER):
        made = _seeded(fields, base, names, side) if names <= set(fields) else ()
        for world in islice(made, FEW):
            proposal = arena.candidates.from_values(world) if within(world) else None
            if proposal is None:
                arena.spent += arena.effort(world, assessed=False)
            yield proposal


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
    made = next((make for kind, make in zip(KINDS, MADE, strict=True) if isinstance(field, kind)),
                None)  # fmt: skip
    return [] if made is None else list(made(side))


def hadamard(order: int) -> fmpq_mat:
    """Sylvester's matrix of signs with orthogonal rows, of 2^order of them.

    >>> hadamard(1).tolist()
    [[1, 1], [1, -1]]
    """
    return _table(1 << order, lambda i, j: -1 if (i & j).bit_count() % 2 else 1)


def _signs(side: int) -> Iterator[fmpq_mat]:
    """The Hadamard matrix of a side, if it is a power of two."""
    if side & (side - 1) == 0:
        yield hadamard(side.bit_length() - 1)


def _reflections(side: int) -> Iterator[fmpq_mat]:
    """A Hadamard matrix over the root of the side, if that is whole: its square is the unit."""
    root = isqrt(side)
    if root**2 == side:
        yield from (signs / root for signs in _signs(side))


def _table(side: int, entry: Any) -> fmpq_mat:
    return fmpq_mat(side, side, [fmpq(entry(i, j)) for i in range(side) for j in range(side)])


def _unit(side: int) -> fmpq_mat:
    return _table(side, lambda i, j: int(i == j))


def _ones(side: int) -> fmpq_mat:
    return _table(side, lambda i, j: 1)


def _symmetric(side: int) -> Iterator[fmpq_mat]:
    yield from _signs(side)
    yield from _reflections(side)
    yield _unit(side) - _ones(side) * fmpq(2, side)  # another reflection
    yield _ones(side)
    yield _unit(side)


def _square(side: int) -> Iterator[fmpq_mat]:
    yield from _symmetric(side)
    yield _table(side, lambda i, j: int(i <= j))
    yield _table(side, lambda i, j: 1 if i <= j else -1)
    yield _table(side, lambda i, j: int(j == i + 1))
    yield _table(side, lambda i, j: int(j == 0))


def _projectors(side: int) -> Iterator[fmpq_mat]:
    yield from ((_unit(side) + each) / 2 for each in _reflections(side))
    yield _unit(side) - _ones(side) / side
    yield _ones(side) / side
    yield _table(side, lambda i, j: int(i == j == 0))


def _definite(side: int) -> Iterator[fmpq_mat]:
    yield from ((_unit(side) + each) / 2 for each in _reflections(side))
    yield _unit(side) - _ones(side) / side
    yield _unit(side)
    yield _ones(side)
    yield (_unit(side) + _ones(side)) / 2


def _binary(side: int) -> Iterator[fmpq_mat]:
    yield from ((_ones(side) + each * sign) / 2 for each in _signs(side) for sign in (1, -1))
    yield _table(side, lambda i, j: int(i + j < side))
    yield _ones(side) - _unit(side)
    yield _table(side, lambda i, j: int(i <= j))
    yield _unit(side)
    yield _ones(side)


KINDS = (Binary, Projector, Gram, Independent, Symmetric, Matrix)
MADE = (_binary, _projectors, _definite, _square, _symmetric, _square)
