"""Tables that hold every word of two letters: all classifiers on some points, all pasts of experts.

A bound on the largest of many things that lost its logarithm fails where these are as different as
they can be: with entries at both ends, no two of 2^n columns of length n the same. Worlds drawn at
random have few columns, and repeated ones are no more than one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from flint import fmpq, fmpq_mat

from boundcheck.errors import InvalidArgument, Undefined
from boundcheck.search.admissible import Candidate
from boundcheck.search.arena import WORST, Arena
from boundcheck.search.growth import sizes
from boundcheck.search.members import Steps
from boundcheck.worlds.composed import promised_field
from boundcheck.worlds.fields import Bound, Field, Matrix, Real, Weights, as_rational
from boundcheck.worlds.kinds import Binary
from boundcheck.worlds.sources import Randomness

LENGTHS = range(2, 7)  # of words
DRAWS = 3  # worlds with a table, the other fields at random
FACTORS = (2, fmpq(1, 2))  # by which a real number is moved as long as that pays
MOVES, NUMBERS = 6, 3  # of a number, and numbers


def all_words(
    arena: Arena, most_spent: float, within: Callable[[dict[str, Any]], bool] = lambda values: True
) -> Steps:
    """Worlds whose table of two free sizes holds all words of some length, as rows or as columns.

    Args: most_spent: effort of the arena at which it ends, and which no world may pass. within:
    whether a world is small enough.
    """
    claim = arena.candidates.claim

    def may_be(values: dict[str, Any]) -> bool:
        return within(values) and arena.spent + arena.effort(values) <= most_spent

    for (name, rows, cols), tall in product(_tables(claim.fields), (False, True)):
        for length in LENGTHS:
            best, top = None, WORST
            for place in range(DRAWS):
                if arena.spent > most_spent:
                    return
                found = _world(arena, name, rows, cols, length, tall=tall, level=not place)
                if found is not None and not may_be(found.setting.values):
                    break
                arena.hurried = True  # a search for the best of 2^n subsets may never end
                value = yield found
                arena.hurried = False
                if found is not None and value > top:
                    best, top = found, value
            if best is None:
                break  # longer words take longer still
            yield from _tuned(arena, best, top, most_spent)


def _tables(fields: dict[str, Field]) -> Iterator[tuple[str, str, str]]:
    """Names of tables and of their two sizes, both without end."""
    endless = {name for name in sizes(fields)
               if getattr(promised_field(fields[name]), "high", 0) is None}  # fmt: skip
    for name, field in fields.items():
        if isinstance(field, (Matrix, Binary)) and field.rows != field.cols:
            rows, cols = str(field.rows), str(field.cols)
            if {rows, cols} <= endless:
                yield name, rows, cols


def _world(
    arena: Arena, name: str, rows: str, cols: str, length: int, *, tall: bool, level: bool
) -> Candidate | None:
    """A world with all words of a length, one a row if `tall`; with equal weights if `level`."""
    words = list(product((0, 1), repeat=length))
    table = fmpq_mat([list(map(int, word)) for word in words])
    table = table if tall else table.transpose()
    forced = {rows: table.nrows(), cols: table.ncols()}
    source, values = Randomness(arena.rng), dict[str, Any]()
    try:
        for other, field in arena.candidates.space.fields.items():
            if other in forced:
                values[other] = forced[other]
            elif other == name:
                values[other] = _between(table, field, values)
            elif level and isinstance(field, Weights):
                count = int(as_rational(field.size, values))
                values[other] = (fmpq(1, count),) * count
            else:
                values[other] = field.build(source, values)
    except (InvalidArgument, Undefined, ValueError):  # no world of these sizes
        return None
    return arena.candidates.from_values(values)


def _between(table: fmpq_mat, field: Field, values: dict[str, Any]) -> fmpq_mat:
    """The table with the ends of the entries for its letters; -1 and 1 for those that lack one."""
    ends: list[Bound | None] = [0, 1]
    if isinstance(field, Matrix):
        ends = [field.low, field.high] if field.searched is None else list(field.searched)
    low, high = (fmpq(2 * place - 1) if end is None else as_rational(end, values)
                 for place, end in enumerate(ends))  # fmt: skip
    letters = [low + (high - low) * entry for entry in table.entries()]
    return fmpq_mat(table.nrows(), table.ncols(), letters)


def _tuned(arena: Arena, world: Candidate, top: float, most_spent: float) -> Steps:
    """The world with its real numbers moved, one after the other, as long as that pays."""
    fields = arena.candidates.claim.fields
    names = [name for name, field in fields.items() if type(field) is Real][:NUMBERS]
    for name, factor in product(names, FACTORS):
        for _ in range(MOVES):
            if arena.spent > most_spent:
                return
            values = world.setting.values
            found = arena.with_value(dict(values), name, values[name] * factor)
            arena.hurried = True
            value = yield found
            arena.hurried = False
            if found is None or not value > top:
                break
            world, top = found, value
