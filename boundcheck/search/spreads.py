"""Worlds whose entries move one by one and whose parts are copied, as motions of a world suggest.

A proposal only; `boundcheck.checker.spreads` certifies what is made of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from flint import fmpq, fmpq_mat

from boundcheck.arithmetic import Value
from boundcheck.checker.writing import MOST_PARTS
from boundcheck.checker.written import SYMMETRIC, Spread, entries
from boundcheck.claim import Claim, WithProbability
from boundcheck.expressions.binding import Definition
from boundcheck.expressions.nodes import Average
from boundcheck.search.growth import Immovable, cut, sizes
from boundcheck.search.pushes import Motion
from boundcheck.search.rays import STEP, of_number
from boundcheck.setting import INEQUALITIES, flatten
from boundcheck.worlds.composed import promised_field
from boundcheck.worlds.draws import Counts, Each, Indices, Signs
from boundcheck.worlds.fields import Field, Integer, Matrix, Real, Vector, Weights

SHARES = fmpq(9, 25), fmpq(1, 2)  # of two atoms: that with its rest a square, and a half
START = 4  # size of a motion at which entries are looked at first
Values = dict[str, Value]


def spreads_of(claim: Claim, motion: Motion, base: Values) -> Iterator[Spread]:
    """Along one motion of a world, with no part copied, each of them, and all but one."""
    moved = _moves(claim, motion, base)
    if moved is None:
        return
    start, moves = moved
    if moves:
        yield Spread(start, moves)
    for size in sizes(claim.fields):
        parts = start[size]
        if not isinstance(parts, int) or not 1 <= parts <= MOST_PARTS:
            continue
        every = tuple(range(parts))
        for copied in dict.fromkeys((every, every[:1], every[1:])):
            if copied:
                yield Spread(start, moves, size, copied)


def lines_of(claim: Claim, base: Values) -> Iterator[Spread]:
    """A matrix of one dense row or column: ones there, beside them what falls as 1/t, and t copies
    of all parts but the first."""
    for name, field in claim.fields.items():
        matrix = base.get(name)
        if type(field) is not Matrix or not isinstance(matrix, fmpq_mat):
            continue
        rows, cols = matrix.nrows(), matrix.ncols()
        start = {**base, name: fmpq_mat(rows, cols, [1] * (rows * cols))}
        for dense in ({f"{name}[0,{b}]" for b in range(cols)},
                      {f"{name}[{a},0]" for a in range(rows)}):  # fmt: skip
            falling = {entry: (fmpq(-1), fmpq(0)) for entry in entries(name, matrix, False)
                       if entry not in dense}  # fmt: skip
            for size in sizes(claim.fields):
                parts = base[size]
                if isinstance(parts, int) and 1 < parts <= MOST_PARTS:
                    yield Spread(start, falling, size, tuple(range(1, parts)))


def rare_atoms(claim: Claim, base: Values) -> Iterator[Spread]:
    """An atom of probability 1/t; vectors on the atoms stay, or are one there and fall beside."""
    for name, field in claim.fields.items():
        atoms = base[name]
        if type(field) is not Weights or not isinstance(atoms, tuple) or len(atoms) < 2:
            continue
        share = fmpq(1, len(atoms) - 1)
        laws = {**base, name: (fmpq(1, 2), *(share / 2 for _ in atoms[1:]))}
        moves = {entry: (fmpq(-1), share if place else fmpq(0))
                 for place, entry in enumerate(entries(name, atoms, False))}  # fmt: skip
        yield Spread(laws, moves)
        on_atoms = [vector for vector, other in claim.fields.items()
                    if type(other) is Vector and other.size == field.size]  # fmt: skip
        beside = (fmpq(1, 64),) * (len(atoms) - 1)  # below means from the first world on
        ones = {vector: (fmpq(1), *beside) for vector in on_atoms}
        falling = {entry: (fmpq(-2), fmpq(0)) for vector in on_atoms
                   for entry in list(entries(vector, atoms, False))[1:]}  # fmt: skip
        if on_atoms:
            yield Spread({**laws, **ones}, {**moves, **falling})


def drawn(claim: Claim, base: Values) -> Iterator[Spread]:
    """Draws from two atoms, one and zero: ever more of them, one of a rare atom, and as many
    as there are copies of every atom; numbers between ends in the middle, or falling to the lower
    one where an atom is rare."""
    means = {node for quantity in claim.measured.values() if isinstance(quantity, Definition)
             for node in quantity.whole.atoms(Average)}  # fmt: skip
    inside = dict.fromkeys(node.drawn.meaning.draw for node in sorted(means, key=str))
    for draw in (claim.draw, *inside):
        if isinstance(draw, (Counts, Indices)) and (
            type(claim.fields.get(draw.weights)) is Weights
        ):
            yield from _counted(claim, base, draw)


def _counted(claim: Claim, base: Values, draw: Counts | Indices) -> Iterator[Spread]:
    trials = draw.trials if isinstance(draw, Counts) else draw.length
    size = claim.fields[draw.weights].size
    atoms = base.get(size) if isinstance(size, str) else None
    if not isinstance(atoms, int) or atoms < 2 or (
        type(claim.fields.get(trials)) is not Integer):  # fmt: skip
        return
    try:
        world = cut(claim.fields, base, size, 2)
    except Immovable:
        return
    world |= {draw.weights: (fmpq(1, 2), fmpq(1, 2))} | _one_and_zero(claim, world, size)
    between = _in_the_middle(claim)
    more = {trials: (fmpq(1), fmpq(0))}
    for numbers in ({}, between):
        yield Spread({**world, **numbers, trials: START}, more)
        yield Spread({**world, **numbers, trials: 1}, more, size, (0, 1))
    for name in _allowed(claim):
        yield Spread({**world, **between, trials: 1, name: fmpq(1, 4)}, more, rare=name)
    rare = {f"{draw.weights}[0]": (fmpq(-1), fmpq(0)), f"{draw.weights}[1]": (fmpq(-1), fmpq(1))}
    lower = {name: claim.fields[name].low + (middle - claim.fields[name].low) / 2
             for name, middle in between.items()}  # fmt: skip
    falling = {name: (fmpq(-1), fmpq(claim.fields[name].low)) for name in between}
    for numbers, moves in (({}, {}), (between, {}), (lower, falling)):
        yield Spread({**world, **numbers, trials: 1}, {**rare, **moves})


def _in_the_middle(claim: Claim) -> Values:
    """Real numbers between whole ends, halfway."""
    return {name: fmpq(field.low + field.high, 2) for name, field in claim.fields.items()
            if type(field) is Real and isinstance(field.low, int)
            and isinstance(field.high, int)}  # fmt: skip


def _allowed(claim: Claim) -> list[str]:
    """The number of which the level of a statement with probability is made, if it is one."""
    inner = getattr(claim.statement, "inner", claim.statement)
    found = inner.level.free_symbols if isinstance(inner, WithProbability) else set()
    names = [symbol.name for symbol in found]
    return names if len(names) == 1 and type(claim.fields.get(names[0])) is Real else []


def _one_and_zero(claim: Claim, world: Values, size: str) -> Values:
    """Vectors that are one on the first of two atoms and zero on the other, and matrices with such
    rows or columns, one on either atom in turn."""
    found: Values = {}
    for name, field in claim.fields.items():
        field = promised_field(field)
        if type(field) is Vector and field.size == size:
            found[name] = fmpq(1), fmpq(0)
        if type(field) is Matrix and size in (field.rows, field.cols):
            matrix = world[name]
            places = product(range(matrix.nrows()), range(matrix.ncols()))
            turned = field.rows == size
            found[name] = fmpq_mat(matrix.nrows(), matrix.ncols(), [
                int((a == b % 2) if turned else (b == a % 2)) for a, b in places])
    return found


def spectra(claim: Claim, base: Values) -> Iterator[Spread]:
    """A unit matrix of two rows that rises as t or falls as 1/t, or whose first entry does."""
    for name, field in claim.fields.items():
        field = promised_field(field)
        square = type(field) is Matrix and field.rows == field.cols
        size = str(getattr(field, "size", getattr(field, "rows", "")))
        if not (square or type(field) in SYMMETRIC) or not isinstance(base.get(size), int):
            continue
        try:
            world = cut(claim.fields, base, size, 2) if base[size] > 1 else None
        except Immovable:
            continue
        if world is not None:
            start = {**world, name: fmpq_mat(2, 2, [1, 0, 0, 1])}
            for power, number in product((fmpq(1), fmpq(-1)), (1, 2)):
                moved = (f"{name}[{place},{place}]" for place in range(number))
                yield Spread(start, dict.fromkeys(moved, (power, fmpq(0))))


def in_turn(claim: Claim, base: Values) -> Iterator[Spread]:
    """Rows of a matrix of two columns, one and zero and the other way round, that come in turn."""
    for name, field in claim.fields.items():
        if type(field) is not Matrix or field.rows == field.cols:
            continue
        sizes_ = str(field.rows), str(field.cols)
        if not all(isinstance(base.get(size), int) and base[size] > 1 for size in sizes_):
            continue
        try:
            world = cut(claim.fields, cut(claim.fields, base, sizes_[1], 2), sizes_[0], 2)
        except Immovable:
            continue
        yield Spread({**world, name: fmpq_mat(2, 2, [1, 0, 0, 1])}, {}, sizes_[0], (0, 1))


def all_words(claim: Claim, base: Values) -> Iterator[Spread]:
    """A matrix whose rows or columns are all words over -1 and 1, or 0 and 1, of one letter first.
    """
    for name, field in claim.fields.items():
        if type(field) is not Matrix or field.rows == field.cols:
            continue
        for size, number in ((field.cols, field.rows), (field.rows, field.cols)):
            if not all(isinstance(base.get(str(each)), int) for each in (size, number)):
                continue
            for letters in ((-1, 1), (0, 1)):
                shape = (2, 1) if size == field.cols else (1, 2)
                try:
                    world = cut(claim.fields, base, str(size), 1)
                except Immovable:
                    continue
                words = {name: fmpq_mat(*shape, list(letters)), str(number): 2}
                yield Spread({**world, **words}, {}, str(size), (0,), name)


def tossed(claim: Claim, base: Values) -> Iterator[Spread]:
    """Ever more independent variables of one law: fair signs, or fair choices of one and zero."""
    draw, fields = claim.draw, claim.fields
    size = draw.length if isinstance(draw, Signs) else getattr(
        fields.get(getattr(draw, "chances", "")), "size", "")  # fmt: skip
    if not isinstance(draw, (Signs, Each)) or not isinstance(base.get(size), int):
        return
    try:
        world = cut(fields, base, size, 1)
        if isinstance(draw, Each):
            entry = fields[draw.chances].entry
            values = str(entry.size) if type(entry) is Weights else ""
            if not isinstance(base.get(values), int) or base[values] < 2:
                return
            world = cut(fields, world, values, 2)
            world[draw.chances] = ((fmpq(1, 2), fmpq(1, 2)),)
            world |= {name: fmpq_mat(1, 2, [1, 0]) for name, field in fields.items()
                      if type(field) is Matrix and (field.rows, field.cols) == (size, values)}
    except Immovable:
        return
    ones = {name: (fmpq(1),) for name, field in fields.items()
            if type(field) is Vector and field.size == size}  # fmt: skip
    middle = _in_the_middle(claim)
    yield Spread({**world, **ones, **middle}, {}, size, (0,))
    for name in _allowed(claim):
        yield Spread({**world, **ones, **middle, name: fmpq(1, 4)}, {}, size, (0,), rare=name)


def at_hypotheses(claim: Claim, base: Values) -> Iterator[Spread]:
    """A number as small as hypotheses let it be, while one in them grows or falls to zero."""
    for condition in (part for given in claim.given for part in flatten(given)):
        name = str(condition.gts) if isinstance(condition, INEQUALITIES) else ""
        if type(claim.fields.get(name)) not in (Integer, Real):
            continue
        for other in sorted(symbol.name for symbol in condition.lts.free_symbols):
            field = claim.fields.get(other)
            if not isinstance(field, (Integer, Real)) or other == name:
                continue
            ways = [fmpq(1)] if field.high is None else []
            ways += [fmpq(-1)] if isinstance(field, Real) and field.low == 0 else []
            yield from (Spread(base, {other: (way, fmpq(0))}, least=name) for way in ways)


def meeting(claim: Claim, base: Values) -> Iterator[Spread]:
    """Laws, vectors, matrices and numbers of one kind that come closer to one place as 1/t: one of
    them moves, and is there alone or with the others."""
    groups: dict[tuple[Any, ...], list[str]] = {}
    for name, field in claim.fields.items():
        field = promised_field(field)
        if type(field) in (Weights, Vector, Matrix, Real, *SYMMETRIC):
            ends = (field.low, field.high) if type(field) is Real else ()
            places = [str(getattr(field, each, "")) for each in ("size", "rows", "cols")]
            groups.setdefault((type(field) is Weights, *places, *ends), []).append(name)
    for (_, *places), names in groups.items():
        try:
            world = base
            for size in dict.fromkeys(filter(None, map(str, places[:3]))):
                world = cut(claim.fields, world, size, 2) if base.get(size, 2) > 1 else world
        except Immovable:
            continue
        for share in SHARES:
            centres = {name: _centre(claim.fields[name], world[name], share) for name in names}
            for name, centre in centres.items():
                moved = _shifted(name, claim.fields[name], centre)
                if moved is not None:
                    yield Spread({**world, **centres, name: moved[0]}, moved[1])


def _centre(field: Field, value: Value, share: fmpq) -> Value:
    """Where a value of a field may be approached from one side at least: between two ends, and for
    the first of two atoms, at a share of the whole."""
    field = promised_field(field)
    if isinstance(value, fmpq_mat):
        ones = [int(a == b) for a in range(value.nrows()) for b in range(value.ncols())]
        return fmpq_mat(value.nrows(), value.ncols(), ones)
    if isinstance(value, tuple) and type(field) is Weights:
        two = (share, 1 - share)
        return two if len(value) == 2 else (fmpq(1, len(value)),) * len(value)
    low, high = (getattr(field, end, None) for end in ("low", "high"))
    low, high = (fmpq(end) if isinstance(end, (int, fmpq)) else None for end in (low, high))
    if low is None or high is None:
        middle = low + 1 if low is not None else high - 1 if high is not None else 1 - 2 * share
    else:
        middle = low + (high - low) * share
    return (middle,) * len(value) if isinstance(value, tuple) else middle


def _shifted(
    name: str, field: Field, centre: Value
) -> tuple[Value, dict[str, tuple[fmpq, fmpq]]] | None:
    """A value beside its place, and how it comes back: a law by half of an entry that another one
    gives, all else by a quarter of one entry."""
    if isinstance(centre, fmpq_mat):
        moved: Value = fmpq_mat(centre)
        moved[0, 0] += fmpq(1, 4)
        return moved, {f"{name}[0,0]": (fmpq(-1), centre[0, 0])}
    if not isinstance(centre, tuple):
        return centre + fmpq(1, 8), {name: (fmpq(-1), centre)}
    if type(promised_field(field)) is not Weights:
        return (centre[0] + fmpq(1, 4), *centre[1:]), {f"{name}[0]": (fmpq(-1), centre[0])}
    if len(centre) < 2:
        return None
    given = centre[0] / 2
    return (centre[0] + given, centre[1] - given, *centre[2:]), {
        f"{name}[{place}]": (fmpq(-1), centre[place]) for place in (0, 1)}


PROPOSED = (at_hypotheses, lines_of, rare_atoms, drawn, tossed, all_words, in_turn, spectra,
            meeting)  # fmt: skip


def _moves(
    claim: Claim, motion: Motion, base: Values
) -> tuple[Values, dict[str, tuple[fmpq, fmpq]]] | None:
    """The world at the first size, and how its entries go on; None where one has no power."""
    pushed = Motion(motion.pushes)
    at = [pushed.at(claim.fields, base, START << STEP * place) for place in range(3)]
    worlds = [{name: world[name] for name in claim.fields} for world in at]
    found: dict[str, tuple[fmpq, fmpq]] = {}
    for name in sorted(motion.names):
        symmetric = type(promised_field(claim.fields[name])) in SYMMETRIC
        tables = [entries(name, world[name], symmetric) or {name: world[name]} for world in worlds]
        for entry in tables[0]:
            values = [fmpq(table[entry]) for table in tables]
            if len(set(values)) == 1:
                continue
            motion_of = of_number(values)
            if motion_of is None:
                return None
            found[entry] = motion_of.power, motion_of.end
    return worlds[0], found

