"""Worlds with a part apart from the others: a rare atom, or one entry of many, that is large, or a
few equal entries beside nothing.

A bound on a mean or a variance leaves a value v room on an atom of probability v^-1 or v^-2, and
one on a sum of n squares leaves one entry room up to sqrt(n). No step of search goes there: value
and weight, or value and size, must move at once, along the right power.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from flint import fmpq, fmpq_mat

from boundcheck.claim import Claim
from boundcheck.errors import Undefined
from boundcheck.search.arena import Arena, Entry
from boundcheck.search.growth import Immovable, cut, grown, rebuilt, sizes
from boundcheck.search.members import Steps
from boundcheck.worlds.composed import promised_field
from boundcheck.worlds.fields import Field, Matrix, Real, Symmetric, Vector, Weights, promised

OCTAVES = (3, 6, 1, 10, 2, 4)  # of the large value on a rare atom
POWERS = (2, 1, 4, 3)  # of it that its probability falls with
PARTS = fmpq(1, 2), fmpq(1)  # of that power that the probability is
ROOTS = (4, 2, 8)  # of how many entries there are
FAR = fmpq(1024)  # what an entry is beside no bound
NEARLY = fmpq(1, 64)  # above an end that is not of the domain

Values = dict[str, Any]
Ends = tuple[fmpq | None, fmpq | None, bool]


def outliers(arena: Arena, bases: Sequence[Entry], within: Callable[[Values], bool]) -> Steps:
    """Each base with two atoms of which one is rare, or with many entries of which one is large.

    Args: bases: worlds to start from. within: whether a world is small enough.
    """
    claim = arena.candidates.claim
    for made in (world for entry in bases for kind in (_few, _rare, _single)
                 for world in kind(claim, entry.candidate.setting.values)):  # fmt: skip
        proposal = arena.candidates.from_values(made) if within(made) else None
        if proposal is None:
            arena.spent += arena.effort(made, assessed=False)
        yield proposal


def _rare(claim: Claim, values: Values) -> Iterator[Values]:
    """Worlds of two atoms, one of them rare, on which vectors are large, alone or at once."""
    fields = claim.fields
    for law, field in fields.items():
        if type(field) is not Weights:
            continue
        size = str(field.size)
        on_atoms = [name for name, other in fields.items()
                    if type(other) is Vector and other.size == size]  # fmt: skip
        if not on_atoms or not isinstance(values.get(size), int):
            continue
        try:
            world = grown(fields, values, size, "repeat", 2) if values[size] == 1 else values
            world = cut(fields, world, size, 2)
        except (Immovable, Undefined):
            continue
        for changes in _spikes(fields, law, on_atoms, values):
            yield rebuilt(fields, {**world, **changes})


def _spikes(
    fields: Mapping[str, Field], law: str, vectors: Sequence[str], values: Values
) -> Iterator[Values]:
    """What changes in a world of two atoms: the law, vectors, and a number as large as they are."""
    numbers = [name for name, field in fields.items()
               if type(field) is Real and promised(field.high, values) is None]  # fmt: skip
    ends = {name: _ends(fields[name], values) for name in vectors}
    for octave, power, part, powers in product(OCTAVES, POWERS, PARTS, _powers(vectors)):
        large = fmpq(2) ** octave
        weight = part / large**power
        if weight >= 1:
            continue
        for way, centred in product((1, -1), (False, True)):
            pairs = [_pair(ends[name], way * large**each, weight if centred else fmpq(0))
                     for name, each in powers.items()]  # fmt: skip
            if None in pairs:
                continue
            spike = {law: (1 - weight, weight), **dict(zip(powers, pairs, strict=True))}
            yield spike
            if numbers and way > 0:
                yield {**spike, numbers[0]: large}


def _powers(vectors: Sequence[str]) -> Iterator[dict[str, int]]:
    """Powers along which vectors rise: all alike, one alone, and one twice as fast as the rest."""
    yield dict.fromkeys(vectors, 1)
    if len(vectors) > 1:
        yield from ({name: 1} for name in vectors)
        yield from ({**dict.fromkeys(vectors, 1), name: 2} for name in vectors)


def _pair(ends: Ends, large: fmpq, weight: fmpq) -> tuple[fmpq, fmpq] | None:
    """A vector of two entries, the second large: beside it nothing or the lower end of its domain,
    or what makes the mean zero if that is of some weight; None where it has no such entries."""
    rest = -weight * large / (1 - weight)
    rest = rest if weight else _least(ends, rest)
    return (rest, large) if _between(ends, rest) and _between(ends, large) else None


def _few(claim: Claim, values: Values) -> Iterator[Values]:
    """Worlds in which the first few entries of arrays of one size are 1, the others as little as
    they may be: of a square matrix those of its diagonal, or all of a block."""
    fields = claim.fields
    for size in sizes(fields):
        arrays = [name for name, field in fields.items() if _has_entries(field, size)]
        many = values[size]
        if not arrays or not isinstance(many, int) or many < 2:
            continue
        for few, full in product(dict.fromkeys((2, 1, 3, many - 1, many // 2)), (False, True)):
            if not 0 < few < many:
                continue
            made = {name: _beside(promised_field(fields[name]), values[name], values, few, full)
                    for name in arrays}  # fmt: skip
            if None not in made.values():
                yield rebuilt(fields, {**values, **made})


def _beside(field: Any, value: Any, values: Values, few: int, full: bool) -> Any:
    """An array whose first few entries, rows or entries of the diagonal, are 1, the rest least."""
    if isinstance(value, fmpq_mat):
        square = value.nrows() == value.ncols()
        return fmpq_mat(value.nrows(), value.ncols(), [
            fmpq(a < few and (b < few if full else a == b if square else b == 0))
            for a in range(value.nrows()) for b in range(value.ncols())])  # fmt: skip
    ends = _ends(field, values)
    inside = not full and _between(ends, fmpq(1)) and _between(ends, _least(ends, fmpq(0)))
    return (fmpq(1),) * few + (_least(ends, fmpq(0)),) * (len(value) - few) if inside else None


def _single(claim: Claim, values: Values) -> Iterator[Values]:
    """Worlds of many entries, of which one is large: the root of their number, it, or far out."""
    fields = claim.fields
    for size in sizes(fields):
        arrays = [name for name, field in fields.items() if _has_entries(field, size)]
        if not arrays or not isinstance(values[size], int) or not values[size]:
            continue
        for root in ROOTS:
            try:
                world = cut(fields, values, size, 1)
                world = grown(fields, world, size, "repeat", root**2)
            except (Immovable, Undefined):
                break
            chosen = dict.fromkeys([tuple(arrays), *((name,) for name in arrays)])
            for names, large, rest in product(
                chosen, (fmpq(root), fmpq(root, 2), fmpq(root**2), FAR), (fmpq(0), fmpq(1))
            ):
                made = {name: _apart(promised_field(fields[name]), world[name], values, large, rest)
                        for name in names}  # fmt: skip
                if None not in made.values():
                    yield rebuilt(fields, {**world, **made})


def _has_entries(field: Field, size: str) -> bool:
    """Whether a size counts the entries of a vector, or the rows of a matrix."""
    field = promised_field(field)
    if type(field) is Vector:
        return field.size == size
    return size in (getattr(field, "rows", None), getattr(field, "size", None)) and isinstance(
        field, (Matrix, Symmetric))  # fmt: skip


def _apart(field: Any, value: Any, values: Values, large: fmpq, rest: fmpq) -> Any:
    """An array with one large entry; the others, on the diagonal or in the column, are alike."""
    if isinstance(value, fmpq_mat):
        square = value.nrows() == value.ncols()
        return fmpq_mat(value.nrows(), value.ncols(), [
            large if a == b == 0 else rest if (a == b if square else b == 0) else fmpq(0)
            for a in range(value.nrows()) for b in range(value.ncols())])  # fmt: skip
    ends = _ends(field, values)
    rest = _least(ends, rest)
    inside = _between(ends, large) and _between(ends, rest)
    return (large, *(rest,) * (len(value) - 1)) if inside else None


def _ends(field: Any, values: Values) -> Ends:
    return promised(field.low, values), promised(field.high, values), field.open_low


def _least(ends: Ends, value: fmpq) -> fmpq:
    """The value, or what is nearest to it from the lower end on."""
    low, _, is_open = ends
    return value if low is None else max(value, low + NEARLY * is_open)


def _between(ends: Ends, value: fmpq) -> bool:
    low, high, is_open = ends
    above = low is None or low < value or (low == value and not is_open)
    return above and (high is None or value < high)
