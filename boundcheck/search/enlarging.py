"""Good worlds carried beyond the sizes that search draws from, as long as they become better.

The sizes of a setting begin small, because each world costs; a statement that fails from ten points
on holds in all of them. Growth shows there already: what doubles in size by a move of
`boundcheck.search.growth` and comes closer to a violation is doubled again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from inspect import signature
from itertools import count, product
from math import prod
from typing import Any

from flint import fmpq, fmpq_mat

from boundcheck.claim import Claim, UpToConstant
from boundcheck.errors import Undefined
from boundcheck.search.admissible import Candidate, Candidates
from boundcheck.search.arena import TIGHT, Arena, Entry, first_of_shapes
from boundcheck.search.ends import dimensions, far_out, near_ends
from boundcheck.search.factors import known_worlds
from boundcheck.search.growth import MOVES, Immovable, Values, cut, grown, sizes
from boundcheck.search.hints import read_by_rules
from boundcheck.search.members import Steps
from boundcheck.search.outliers import outliers
from boundcheck.search.scanning import scanned
from boundcheck.search.screening import averaged
from boundcheck.search.shrink import entries
from boundcheck.search.thresholds import just_met
from boundcheck.search.words import all_words
from boundcheck.worlds.composed import Derived, Tuples
from boundcheck.worlds.fields import Field, Gram, Integer, Matrix, Real, Symmetric, Vector
from boundcheck.worlds.kinds import Hermitian, Independent, SemidefiniteHermitian

BASES = 3  # shapes of worlds that are carried upwards, tight ones and others
STARTS = 4  # worlds of which a number is moved to its ends
DOUBLINGS = 7
USUAL = 1.0  # cost of worlds that are carried upwards as far as that pays; and of dearer ones
DEAREST = 8.0  # without a draw, up to which sizes alone grow, as long as all of it takes no more
SHARE = 0.5  # than this part of what search took before
LEAST_GAIN = 1e-6  # of the logarithm of the score
NUMBERS, ACROSS = 4096, 32  # in a world or as one of its integers; rows or columns of a matrix
PATIENCE = 2  # doublings that do not pay, after which a world may still become better
LITTLE, LEAST_SPENT = 20, 2_000  # one part in so many of the effort spent, or of so much, is little
OUTCOMES = 4096  # of the draws inside a world
COUNT, COUNTS = "", 12  # the move of an integer alone, which no field follows; and how often
SCALES = {"twice": fmpq(2), "half": fmpq(1, 2)}  # of all entries of an array without ends
FARTHEST, NEAREST = "largest entry", "smallest entry"  # or column, moved away from the others
APART = {FARTHEST: fmpq(2), NEAREST: fmpq(1, 2)}
DIRECTED = (Vector, Gram, Independent)  # whose entries, or columns, are moved so
STEEP, STEPS = 7, 24  # squarings of the factor of a scale that pays, and steps
PARAMETERS = 3  # that move with the size, at most
WALKED = 2  # worlds from which integers alone go on one by one
SCANNED = 2  # worlds of which integers are looked at in floats, far beyond
ONE_BY_ONE, THEN = 64, 8  # integers in a row, then each larger by one part in so many


def larger_worlds(arena: Arena, *, ends: bool = True) -> Steps:
    """Worlds of twice the size of the last one as long as that pays; ends when none does.

    Args: ends: whether numbers are put next to the ends of their domains first, and tables of all
    words tried at last.
    """
    claim = arena.candidates.claim
    # Up to a constant, families are followed instead; outcomes are not counted as effort.
    dearest = DEAREST if claim.draw is None else USUAL
    if isinstance(claim.statement, UpToConstant) or claim.cost > dearest:
        return
    most, ways, apart = math.inf, [*product(sizes(claim.fields), MOVES)], list[str]()
    if claim.cost > USUAL:
        most = arena.spent + SHARE * max(arena.spent, LEAST_SPENT)
    else:
        if ends:
            yield from just_met(arena, _bases(arena))
            yield from near_ends(arena, _bases(arena)[:STARTS])
        apart = [name for name in endless(claim) if type(claim.fields[name]) in DIRECTED]
        ways = [*product(endless(claim), SCALES), *product(apart, APART), *ways,
                *((name, COUNT) for name in counts(claim))]  # fmt: skip
    for place, entry in enumerate(_bases(arena)):
        for size, move in ways:
            patient = move == COUNT or place == 0
            yield from _carried(arena, entry, size, move, most, patient=patient)
    if claim.cost <= USUAL:
        for entry, name, move in product(_beside(arena), apart, APART):
            yield from _carried(arena, entry, name, move, most, patient=False)
        for entry, name in product(_bases(arena)[:WALKED], counts(claim)):
            yield from _walked(arena, entry, name)
    if not ends:
        return
    if claim.cost <= USUAL:  # last, for nearer worlds are plainer ones
        yield from scanned(arena, _bases(arena)[:SCANNED], numbers(claim))
        yield from far_out(arena, _bases(arena)[:STARTS], numbers(claim))
    little = arena.spent + SHARE * max(arena.spent, 10 * LEAST_SPENT)
    yield from all_words(arena, little, affordable(arena.candidates))


def worlds_apart(arena: Arena) -> Steps:
    """Good worlds with one part large and apart from the others; none up to a constant, where
    families are followed instead, and none that are dear."""
    claim = arena.candidates.claim
    if not isinstance(claim.statement, UpToConstant) and claim.cost <= USUAL:
        yield from outliers(arena, _bases(arena)[:STARTS], affordable(arena.candidates))


def worlds_known(arena: Arena) -> Steps:
    """Matrices that are extreme and that no step of search meets, with the rest of a good world, or
    of any where none meets the hypotheses; for the same statements."""
    claim, candidates = arena.candidates.claim, arena.candidates
    if isinstance(claim.statement, UpToConstant) or claim.cost > USUAL:
        return
    bases = [entry.candidate.setting.values for entry in _bases(arena)[:1]]
    base = bases[0] if bases else candidates.any(arena.rng).values
    if base:
        yield from known_worlds(arena, base, affordable(candidates))


def _carried(
    arena: Arena, entry: Entry, size: str, move: str, most_spent: float, *, patient: bool
) -> Steps:
    """One world doubled by one move; where that does not pay, twice more if there is patience.

    Sizes only as long as a world takes little of what search took so far: what it costs may grow
    without bound with each doubling. An array is scaled in steps that become steeper while they
    pay, so that an explicit 10^9 is passed.
    """
    if move in SCALES or move in APART:
        yield from _scaled(arena, entry, size, move)
        return
    candidates = arena.candidates
    within = affordable(candidates, size if move == COUNT else "", arena.listed)
    values, best = entry.candidate.setting.values, entry.value
    most = patience = PATIENCE if patient else 0
    for _ in range(DOUBLINGS if move in MOVES else COUNTS):
        found = plain = None
        for proposal in _doubled(arena, values, size, move, fmpq(2)):
            if proposal is None:
                yield None  # whoever counts what is spent may have had enough
                continue
            values_of = proposal.setting.values
            if not within(values_of) or arena.spent + arena.effort(values_of) > most_spent:
                drawn = candidates.claim.draw is not None
                if drawn and move in MOVES and patience == most:
                    yield from _less_than_twice(arena, values[size], values_of, size, within)
                return
            arena.hurried = patience < most  # definitions may take twice as long for each point
            value = yield proposal
            arena.hurried = False
            plain = plain or proposal
            if value > best + LEAST_GAIN:
                found, best = proposal, value
            elif patience < most:
                break
        dear = move in MOVES and plain is not None and found is None and (
            LITTLE * arena.effort(plain.setting.values) > max(arena.spent, LEAST_SPENT))
        if plain is None or dear or (found is None and not patience):
            return
        patience = most if found is not None else patience - 1
        values = (found or plain).setting.values


def _less_than_twice(
    arena: Arena, least: int, doubled: Values, size: str, within: Callable[[Values], bool]
) -> Steps:
    """Of a world twice as large, which there is no room for, the largest part that there is."""
    for whole in range(doubled[size] - 1, least, -1):
        try:
            part = cut(arena.candidates.claim.fields, doubled, size, whole)
        except (Immovable, Undefined):
            return
        if within(part):
            yield arena.candidates.from_values(part)
            return


def _walked(arena: Arena, entry: Entry, name: str) -> Steps:
    """One world with an integer alone that goes on, for what fails between its doublings: one by
    one, then in small steps as long as each is better than the last."""
    values, within = entry.candidate.setting.values, affordable(
        arena.candidates, name, arena.listed)  # fmt: skip
    place, before = values[name], -math.inf
    for step in count():
        place += 1 if step < ONE_BY_ONE else place // THEN + 1
        if not within({**values, name: place}):
            return
        proposal = arena.candidates.from_values({**values, name: place})
        arena.hurried = proposal is not None  # what takes more than a little is of no use
        value = yield proposal
        arena.hurried = False
        if step >= ONE_BY_ONE and (value is None or value <= before):
            return
        before = -math.inf if value is None else value


def _scaled(arena: Arena, entry: Entry, name: str, move: str) -> Steps:
    """An array, or one entry of it, times ever larger powers of a factor as long as that pays,
    then by small ones."""
    factor = SCALES[move] if move in SCALES else APART[move]
    within = affordable(arena.candidates)
    values, best, squarings = entry.candidate.setting.values, entry.value, 0
    for step in range(STEPS):
        found = None
        for proposal in _doubled(arena, values, name, move, factor ** (1 << squarings)):
            if proposal is None:
                yield None
                continue
            if not within(proposal.setting.values):
                return
            value = yield proposal
            if value > best + LEAST_GAIN:
                found, best = proposal, value
        if found is None and not squarings:
            return
        squarings = 0 if found is None else min(squarings + (step > 0), STEEP)
        values = values if found is None else found.setting.values


def counts(claim: Claim) -> list[str]:
    """Names of integers without end on which no other value of the world rests."""
    fields = claim.fields
    used = {name for field in fields.values() for name in _named(field)} | {*read_by_rules(claim)}
    return [name for name, field in fields.items()
            if isinstance(field, Integer) and field.high is None and name not in used]  # fmt: skip


def numbers(claim: Claim) -> list[str]:
    """Those of them that nothing computed is as long as, where nothing is drawn."""
    long = dimensions(claim)
    return [name for name in counts(claim) if name not in long] if claim.draw is None else []


def endless(claim: Claim) -> list[str]:
    """Names of vectors, matrices and lists of these whose entries have no end on some side, so that
    search draws from a part of their domain."""
    return [name for name, field in claim.fields.items() if _has_no_end(field)]


def _has_no_end(field: Field) -> bool:
    if isinstance(field, Tuples):
        return _has_no_end(field.entry)
    if isinstance(field, Gram):
        return field.scale is None
    if isinstance(field, (Vector, Matrix, Symmetric)):
        return field.low is None or field.high is None
    return isinstance(field, (Hermitian, SemidefiniteHermitian, Independent))


def _named(field: Any) -> Iterator[str]:
    """Names that the arguments of a field, and of fields inside it, may stand for."""
    if isinstance(field, Derived):
        yield from signature(field.rule).parameters
    for value in vars(field).values():
        if isinstance(value, str):
            yield value
        elif isinstance(value, Field):
            yield from _named(value)


def _bases(arena: Arena) -> list[Entry]:
    """The best worlds of the first shapes, of the first that are not tight, and of some sizes."""
    chosen: list[Entry] = []
    slack = [entry for entry in arena.elite if entry.value < TIGHT]
    niches = sorted(arena.niches.values(), key=lambda entry: -entry.value)
    for elite in (arena.elite, slack, [entry for entry in niches if entry.value < TIGHT]):
        chosen += [entry for entry in first_of_shapes(elite)[:BASES] if entry not in chosen]
    return chosen


def _beside(arena: Arena) -> list[Entry]:
    """The best worlds of sizes that are tight, and not among the bases: others crowd them out."""
    bases = {entry.candidate.setting for entry in _bases(arena)}
    tight = [entry for entry in arena.niches.values() if entry.value >= TIGHT]
    return [entry for entry in tight if entry.candidate.setting not in bases][:BASES]


def _doubled(
    arena: Arena, values: dict[str, Any], size: str, move: str, factor: fmpq
) -> Iterator[Candidate | None]:
    """The world at twice its size, as it is and with parameters that follow the size.

    Args: factor: of an integer or array that no move of sizes carries.

    None for one that does not meet the hypotheses, which takes time to find out too.
    """
    candidates = arena.candidates
    try:
        if move in MOVES:
            larger = grown(candidates.claim.fields, values, size, move, 2)
        else:
            larger = {**values, size: _times(values[size], factor, move)}
    except (Immovable, Undefined):  # no rule grows it, or computes what follows from it
        return
    numbers = [name for name, field in candidates.movable.items() if isinstance(field, Real)]
    changes = [(name, factor) for name in numbers[:PARAMETERS]
               for factor in (fmpq(2), fmpq(3, 2), fmpq(2, 3), fmpq(1, 2))]  # fmt: skip
    for name, share in [("", fmpq(1)), *changes]:
        world = {**larger, name: larger[name] * share} if name else larger
        found = candidates.from_values(world)
        if found is None:
            arena.spent += arena.effort(world, assessed=False)
        yield found


def _times(value: Any, factor: fmpq, move: str) -> Any:
    if move in APART and isinstance(value, fmpq_mat):
        return _stretched(value, factor, move)
    if move in APART:
        entries_of = [abs(entry) for entry in value if entry]
        if len(value) < 2 or not entries_of:
            raise Immovable
        moved = max(entries_of) if move == FARTHEST else min(entries_of)
        place = [abs(entry) for entry in value].index(moved)
        return (*value[:place], value[place] * factor, *value[place + 1 :])
    if isinstance(value, tuple):
        return tuple(_times(entry, factor, move) for entry in value)
    return value * int(factor.p) if isinstance(value, int) else value * factor


def _stretched(value: fmpq_mat, factor: fmpq, move: str) -> fmpq_mat:
    """A matrix with one column times a factor, and the row of it too where both are directions of
    one form: what is definite, or has independent columns, keeps that and is near to losing it."""
    rows, cols = value.nrows(), value.ncols()
    if cols < 2:
        raise Immovable
    lengths = [sum((value[i, j] ** 2 for i in range(rows)), fmpq(0)) for j in range(cols)]
    place = lengths.index(max(lengths) if move == FARTHEST else min(lengths))
    form = value == value.transpose()
    return fmpq_mat(rows, cols, [
        value[i, j] * (factor if j == place else 1) * (factor if form and i == place else 1)
        for i in range(rows) for j in range(cols)])  # fmt: skip


def affordable(
    candidates: Candidates, count: str = "", listed: float = math.inf
) -> Callable[[dict[str, Any]], bool]:
    """Whether a world is small enough to be assessed exactly in about the time of another.

    Args: count: name of an integer that says how much there is to do. listed: outcomes of the draw
    of the claim that are listed.
    """
    drawn, draw = averaged(candidates.claim, listed=True), candidates.claim.draw

    def within(values: dict[str, Any]) -> bool:
        if count and values[count] > NUMBERS:
            return False
        across = [max(value.nrows(), value.ncols()) for value in _matrices(values.values())]
        if max(across, default=0) > ACROSS or sum(map(entries, values.values())) > NUMBERS:
            return False
        try:
            if draw is not None and draw.count(values.__getitem__) > listed:
                return False
            return prod(each.count(values.__getitem__) for each in drawn) <= OUTCOMES
        except (KeyError, TypeError, ValueError):  # a law that is itself measured
            return not drawn

    return within


def _matrices(values: Any) -> Iterator[fmpq_mat]:
    for value in values:
        if isinstance(value, fmpq_mat):
            yield value
        elif isinstance(value, tuple):
            yield from _matrices(value)
