"""The statement about numbers alone that a claim is where entries move and parts are copied."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import Any

import sympy
from flint import arb, fmpq, fmpq_mat

from boundcheck import exact
from boundcheck.arithmetic import PRECISIONS, Value, precision, sign, to_ball
from boundcheck.checker.blocks import determinant_of
from boundcheck.checker.chance import Reading
from boundcheck.checker.growing import Branch, law
from boundcheck.checker.judge import Place, is_admissible
from boundcheck.checker.laws import governed
from boundcheck.checker.ray import Ray
from boundcheck.checker.writing import COPIED, Parts, Unwritten, Writing
from boundcheck.claim import Claim, UpToConstant, WithProbability
from boundcheck.setting import flatten, guarded
from boundcheck.worlds.composed import Tuples, promised_field
from boundcheck.worlds.fields import (
    Choice,
    Field,
    Gram,
    Integer,
    Matrix,
    Real,
    Symmetric,
    Vector,
    Weights,
    number_at,
)

LOOKED_AT = (0, 2)  # octaves at which sides are compared with those of the world itself
ARRAYS = (Vector, Weights, Matrix, Symmetric)
NUMBERS = (Integer, Real)
SYMMETRIC = (Symmetric, Gram)
MOST_MINORS = 3  # rows of a kernel matrix that moves
Moves = Mapping[str, tuple[fmpq, fmpq]]


@dataclass(frozen=True)
class Spread:
    """A world at t = 1, and how it goes on.

    Args: moves: power and end of entries by name, "x[0]" or "M[0,1]", and of numbers; size: of
    which some parts are copied t times, "" for none; copied: their places; words: a matrix that
    holds all words of that length, "" for none; rare: a number that is half the probability that
    all draws come to the first value, least: one that is the least whole number that hypotheses
    allow, "" for none.
    """

    start: Mapping[str, Value]
    moves: Moves
    size: str = ""
    copied: tuple[int, ...] = ()
    words: str = ""
    rare: str = ""
    least: str = ""


def level_of(claim: Claim) -> sympy.Expr:
    """The level of a statement with probability."""
    inner = getattr(claim.statement, "inner", claim.statement)
    assert isinstance(inner, WithProbability)  # no other comes here
    return inner.level


class Written:
    """The statement about numbers alone that a claim is along a spread, and its ray.

    Args: reading: what its draw comes to.
    """

    def __init__(self, claim: Claim, spread: Spread, reading: Reading | None = None) -> None:
        self.whole, self.spread, self.reading = claim, spread, reading
        self.fields: dict[str, Any] = {
            name: promised_field(field) for name, field in claim.fields.items()}
        self._require_fields()
        self.writing = self._writing()
        self._require_laws()

    def _writing(self) -> Writing:
        goes = {*self.moves, self.spread.rare, self.spread.least}
        held = {name: value for name, value in self.start.items() if name not in goes}
        made = Writing(self.whole, self.parts, self.reading.counts if self.reading else {}, held)
        made.tallies = self.reading.tallies if self.reading else {}
        if self.spread.rare and self.reading:
            made.put = {self.spread.rare: self.reading.mass / 2}
        return made

    @cached_property
    def ray(self) -> Ray:
        """Where these numbers go; of unknown ones one value stands there."""
        claim = self.claim  # in which they are met
        ones = {name: one for name, (_, one) in self.unknown.items()}
        start = {name: (self.start | ones)[name] for name in claim.fields}
        powers = {name: power for name, (power, _) in self.moves.items()}
        return Ray(start, powers, {name: end for name, (_, end) in self.moves.items() if end})

    @cached_property
    def parts(self) -> Parts:
        """Of every size the number of parts at t = 1, and how often each is copied."""
        spread, fields = self.spread, self.fields
        sizes = {name: int(spread.start[name]) for name, field in fields.items()
                 if isinstance(field, Integer) and name not in {*spread.moves, spread.least}
                 }  # fmt: skip
        return Parts(sizes, spread.size, frozenset(spread.copied))

    def _require_fields(self) -> None:
        """Raises: Unwritten unless every field can be written out, and moves if it says so."""
        spread, fields = self.spread, self.fields
        depends = set(getattr(self.whole.statement, "depends", ()))
        if spread.size:
            grown = fields.get(spread.size)
            if not isinstance(grown, Integer) or grown.high is not None or not spread.copied:
                raise Unwritten(spread.size)
        sizes = {str(getattr(field, each, "")) for field in fields.values()
                 for each in ("size", "rows", "cols")}  # fmt: skip
        moving = {name.partition("[")[0] for name in spread.moves}
        touched = {name for name, field in fields.items() if spread.size and (
            name == spread.size or governed(field, spread.size))} | moving  # fmt: skip
        if not moving <= set(fields) or sizes & moving or not depends <= (
            set(fields) - touched - {spread.rare}):  # fmt: skip
            raise Unwritten("a size moves, or what the constant depends on")
        if spread.rare and (spread.rare in moving | depends or not _reaches_zero(
            fields.get(spread.rare))):  # fmt: skip
            raise Unwritten(f"{spread.rare} as a probability that falls to zero")
        for name, field in fields.items():
            kinds = (*ARRAYS, *NUMBERS) if name in touched else (*ARRAYS, *NUMBERS, Choice, Gram)
            if name in moving and self._stays_semidefinite(name, field):
                continue
            ends = getattr(field, "low", None), getattr(field, "high", None)
            of_copies = name not in moving and _has_copies(field, spread.size)
            scaled = str(getattr(field, "scale", None)) in touched | {spread.rare, spread.least}
            if (type(field) not in kinds and not of_copies) or scaled or any(
                _names(end) for end in ends
            ):
                raise Unwritten(name)

    def _stays_semidefinite(self, name: str, field: Any) -> bool:
        """Whether a kernel matrix has so few rows that its minors say what it must be."""
        few = type(field) is Gram and field.scale is None and not field.regular
        return few and field.size != self.spread.size and (
            fmpq_mat(self.spread.start[name]).nrows() <= MOST_MINORS)  # fmt: skip

    def _minors(self) -> list[sympy.Basic]:
        """Conditions for kernel matrices that move: principal minors are not below zero."""
        found: list[sympy.Basic] = []
        for name in {each.partition("[")[0] for each in self.spread.moves}:
            if type(self.fields[name]) is not Gram:
                continue
            size = range(fmpq_mat(self.spread.start[name]).nrows())
            for places in (each for k in size for each in combinations(size, k + 1)):
                grid = [[sympy.Symbol(entry_name(name, a, b, True), real=True) for b in places]
                        for a in places]  # fmt: skip
                found.append(determinant_of(grid) >= 0)
        return found

    @cached_property
    def start(self) -> dict[str, Value]:
        """Every number of the world at t = 1 by name, and the number of copies."""
        found: dict[str, Value] = {}
        for name, field in self.fields.items():
            value = self.spread.start[name]
            if name != self.spread.size and type(field) in (*NUMBERS, Choice):
                found[name] = value
            found.update(entries(name, value, type(field) in SYMMETRIC))
        return found | ({COPIED: 1} if self.spread.size else {})

    @cached_property
    def moves(self) -> dict[str, tuple[fmpq, fmpq]]:
        """Power and end of what moves, copies among it."""
        if not set(self.spread.moves) <= set(self.start):
            raise Unwritten("no such entry")
        copies = {COPIED: (fmpq(1), fmpq(0))} if self.spread.size else {}
        return {**self.spread.moves, **copies}

    def _require_laws(self) -> None:
        """Raises: Unwritten unless weights that move sum to one for every t."""
        for name, field in self.fields.items():
            inside = [entry for entry in self.start if entry.startswith(f"{name}[")]
            if type(field) is not Weights or not set(inside) & set(self.moves):
                continue
            moved: dict[fmpq, fmpq] = {}
            fixed = fmpq(0)
            for entry in inside:
                power, end = self.moves.get(entry, (fmpq(0), fmpq(0)))
                moved[power] = moved.get(power, fmpq(0)) + fmpq(self.start[entry]) - end
                fixed += end
            if moved.pop(fmpq(0), fmpq(0)) + fixed != 1 or any(moved.values()):
                raise Unwritten(f"{name} does not stay a law")

    @cached_property
    def claim(self) -> Claim:
        """The statement about numbers alone."""
        write = self.writing
        written = [part for each in self.given() for part in _apart(write.condition(each))]
        if write.unknown:
            raise Unwritten("a hypothesis that may fail")
        sides = list(map(self.sides, self._asserted()))
        written += [*self.required(), *self._minors(), *self.writing.needed]
        if sympy.false in written:
            raise Unwritten("a hypothesis fails")
        relations = [sympy.Le(left, right, evaluate=False) for left, right in sides]
        return Claim(
            source=self.whole.source,
            statement=UpToConstant(sympy.And(*relations, evaluate=False)
                                   if len(relations) > 1 else relations[0]),
            given=[part for part in written if part is not sympy.true],
            parameters={sympy.Symbol(name, real=True): self._domain(name)
                        for name in (*self.start, *self.unknown)},
        )  # fmt: skip

    def hypotheses(self) -> list[sympy.Basic]:
        """Those of the claim, one by one."""
        return [part for condition in self.whole.given for part in flatten(condition)]

    def given(self) -> list[sympy.Basic]:
        """Hypotheses that are written out."""
        return self.hypotheses()

    def sides(self, part: sympy.Rel) -> tuple[sympy.Expr, sympy.Expr]:
        """Smaller and larger side written out; where something in them is unknown what stays is put
        in, so that what cancels does."""
        found = self.writing.number(part.lts), self.writing.number(part.gts)
        if not self.reading or not self.reading.unknown:
            return found
        numbers = {sympy.Symbol(name, real=True): sympy.Rational(str(fmpq(value)))
                   for name, value in self.writing.held.items()}
        left, right = (sympy.expand(side.xreplace(numbers)) for side in found)
        return left, right

    def required(self) -> list[sympy.Basic]:
        """Conditions under which the sides are these; known once they are written."""
        return []

    @property
    def unknown(self) -> dict[str, tuple[arb, Value]]:
        """Numbers of which a range is known, and one in it."""
        return self.writing.unknown | dict(self.reading.unknown if self.reading else {})

    def law(self) -> str:
        """The law of the statement, if its sides are those of the claim."""
        balls = {name: ball for name, (ball, _) in self.unknown.items()}
        found = law(self.claim, self.ray, [Branch(fmpq(1), known=balls)] if balls else ())
        return found if found and self.agrees() else ""

    def _asserted(self) -> list[sympy.Rel]:
        """Comparisons without premises."""
        found = [part for premises, part in guarded(self.whole.statement.relation)
                 if not premises and isinstance(part, exact.INEQUALITIES)]  # fmt: skip
        if not found:
            raise Unwritten("no comparison")
        return found

    def _domain(self, name: str) -> Field:
        if name == COPIED:
            return Integer(1, searched=2)
        if name in self.unknown:
            return Real(None, None)
        field: Field = self.fields[name.partition("[")[0]]
        if type(field) in (*NUMBERS, Choice):
            return field
        if type(field) in (Weights, Tuples):
            return Real(0, 1)
        low, high = getattr(field, "low", None), getattr(field, "high", None)
        opens = getattr(field, "open_low", False), getattr(field, "open_high", False)
        return Real(low, high, *opens)

    def agrees(self) -> bool:
        """Whether the world made in full is one of the claim, with the same sides."""
        with precision(PRECISIONS[-1]):
            for octaves in LOOKED_AT:
                numbers = self.ray.at(octaves)
                if numbers is None:
                    return False
                values = self.world(numbers)
                if not is_admissible(self.whole, values):
                    return False
                one, other = self._places(values, numbers)
                for part in self._asserted():
                    seen = (sign(to_ball(one.value(side)) - to_ball(other.value(made)))
                            for side, made in zip((part.lts, part.gts), self.sides(part),
                                                  strict=True))  # fmt: skip
                    if not self._are_seen(*seen):
                        return False
        return True

    def _are_seen(self, left: int | None, right: int | None) -> bool:
        """Whether both sides are what is written, by the signs of the gaps."""
        return left in (0, None) and right in (0, None)

    def _places(
        self, values: Mapping[str, Value], numbers: Mapping[str, Value]
    ) -> tuple[Place, Place]:
        """The world in full and its numbers, at an outcome where there is a draw."""
        one = Place(self.whole, values)
        known = {name: ball for name, (ball, _) in self.unknown.items()}
        if self.reading is not None:
            outcome, of_outcome = self.reading.one(numbers)
            one, known = one.at(outcome), known | of_outcome
        return one, Place(self.claim, {**numbers, **known})

    def world(self, numbers: Mapping[str, Value]) -> dict[str, Value]:
        """The world of these numbers in full."""
        times = int(numbers.get(COPIED, 1))
        return {name: self.value(name, field, numbers, times)
                for name, field in self.fields.items()}  # fmt: skip

    def value(
        self, name: str, field: Any, numbers: Mapping[str, Value], times: int
    ) -> Value:
        """One value of that world."""
        value: Any = self.spread.start[name]
        if name == self.spread.rare:
            return self._half_of_mass(numbers)
        if name == self.spread.size:
            return len(self.parts.listed(name, times))
        if isinstance(value, fmpq_mat):
            return self._matrix(name, field, value, numbers, times)
        if isinstance(field, Tuples):
            return tuple(value[a] for a in self.parts.listed(field.size, times))
        if not isinstance(value, tuple):
            return numbers[name]
        shared = {a: times if type(field) is Weights and self.parts.is_copied(field.size, a)
                  else 1 for a in range(len(value))}  # fmt: skip
        return tuple(fmpq(numbers[f"{name}[{a}]"]) / shared[a]
                     for a in self.parts.listed(field.size, times))  # fmt: skip

    def _half_of_mass(self, numbers: Mapping[str, Value]) -> fmpq:
        if self.reading is None:
            raise Unwritten("a probability of no outcome")
        mass = self.reading.mass.xreplace({symbol: sympy.Integer(int(numbers[symbol.name]))
                                           for symbol in self.reading.mass.free_symbols})
        return fmpq(int(mass.p), int(mass.q)) / 2

    def _matrix(
        self, name: str, field: Matrix | Symmetric, value: fmpq_mat, numbers: Mapping[str, Value],
        times: int,
    ) -> fmpq_mat:  # fmt: skip
        sizes = [getattr(field, each, getattr(field, "size", "")) for each in ("rows", "cols")]
        rows, cols = (self.parts.listed(size, times) for size in sizes)
        symmetric = type(field) in SYMMETRIC
        return fmpq_mat([[fmpq(numbers[entry_name(name, a, b, symmetric)]) for b in cols]
                         for a in rows])  # fmt: skip


def _has_copies(field: Field, size: str) -> bool:
    """Whether rows and columns of a kernel matrix, or laws in a list, may be copied."""
    if type(field) is Gram:
        return field.scale is None and not field.regular
    return type(field) is Tuples and type(field.entry) is Weights and field.entry.size != size


def _reaches_zero(field: object) -> bool:
    """Whether a real number may be any below one that it may be, down to zero."""
    return type(field) is Real and field.low is not None and number_at(field.low) == 0


def _names(end: object) -> bool:
    return end is not None and number_at(end) is None


def entry_name(name: str, row: int, col: int, symmetric: bool) -> str:
    """The name of an entry of a matrix."""
    return f"{name}[{min(row, col)},{max(row, col)}]" if symmetric else f"{name}[{row},{col}]"


def entries(name: str, value: Value, symmetric: bool) -> dict[str, Value]:
    """The entries of a vector or matrix by name."""
    if isinstance(value, fmpq_mat):
        places = product(range(value.nrows()), range(value.ncols()))
        return {entry_name(name, i, j, symmetric): value[i, j] for i, j in places}
    found: dict[str, Value] = {}
    for i, entry in enumerate(value if isinstance(value, tuple) else ()):
        inside = entries(f"{name}[{i}]", entry, False)
        found |= inside if isinstance(entry, tuple) else {f"{name}[{i}]": entry}
    return found


def _apart(condition: sympy.Basic) -> Iterator[sympy.Basic]:
    """A hypothesis about a least or greatest value as one about each."""
    if isinstance(condition, sympy.And):
        for part in condition.args:
            yield from _apart(part)
    elif isinstance(condition, exact.INEQUALITIES):
        small, large = condition.lts, condition.gts
        strict = isinstance(condition, (sympy.Lt, sympy.Gt))
        form = sympy.Lt if strict else sympy.Le
        lows = small.args if isinstance(small, sympy.Max) else (small,)
        highs = large.args if isinstance(large, sympy.Min) else (large,)
        yield from (form(low, high) for low, high in product(lows, highs))
    else:
        yield condition
