"""Worlds whose entries move one by one and whose parts are copied: a statement about numbers alone.

A sum over atoms of which some are t equal copies is t times the term of one copy, and a maximum is
that over one of each. So a statement about vectors, weights and matrices, in a world of a given
shape whose entries move as e + c t^p and some of whose parts are copied t times, is one about these
numbers and t; rays of such statements have laws (`boundcheck.checker.rays.law`). A weight is shared
out among the copies of its atom. One rule per kind of node; what has none is not written out, as an
index that is used as a number: copies would differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import sympy
from flint import fmpq, fmpq_mat

from boundcheck import exact
from boundcheck.arithmetic import PRECISIONS, Value, precision, sign, to_ball
from boundcheck.checker.along import UNKNOWN
from boundcheck.checker.germs import NoGerm
from boundcheck.checker.growing import law
from boundcheck.checker.judge import Place, is_admissible
from boundcheck.checker.laws import governed
from boundcheck.checker.ray import Ray, motions_of
from boundcheck.checker.writing import COPIED, Parts, Unwritten, Writing
from boundcheck.claim import Claim, Holds, UpToConstant
from boundcheck.errors import MalformedStatement
from boundcheck.setting import flatten, guarded
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
Moves = Mapping[str, tuple[fmpq, fmpq]]


@dataclass(frozen=True)
class Spread:
    """A world at t = 1, and how it goes on.

    Args: moves: power and end of entries by name, "x[0]" or "M[0,1]", and of numbers; size: of
    which some parts are copied t times, "" for none; copied: their places.
    """

    start: Mapping[str, Value]
    moves: Moves
    size: str = ""
    copied: tuple[int, ...] = ()


def law_of(claim: Claim, spread: Spread) -> str:
    """How left over right grows without end as a world is spread, in words; "" if that is not
    certain. Both sides must be those of the world itself where it is made in full."""
    form = claim.statement
    if not isinstance(form, UpToConstant) or not isinstance(form.inner, Holds):
        return ""
    if claim.draw is not None or claim.undefined or not is_admissible(claim, spread.start):
        return ""
    try:
        written = _Written(claim, spread)
        found = law(written.claim, written.ray)
        return found if found and written.agrees() else ""
    except (NoGerm, Unwritten, MalformedStatement, *UNKNOWN):
        return ""


class _Written:
    """The statement about numbers alone that a claim is along a spread, and its ray."""

    def __init__(self, claim: Claim, spread: Spread) -> None:
        self.whole, self.spread = claim, spread
        self._require_fields()
        self.writing = Writing(claim, self.parts)
        self.ray = Ray(
            self.start, {name: power for name, (power, _) in self.moves.items()},
            {name: end for name, (_, end) in self.moves.items() if end},
        )  # fmt: skip
        self._require_laws()

    @cached_property
    def parts(self) -> Parts:
        """Of every size the number of parts at t = 1, and how often each is copied."""
        spread, fields = self.spread, self.whole.fields
        sizes = {name: int(spread.start[name]) for name, field in fields.items()
                 if isinstance(field, Integer)}  # fmt: skip
        return Parts(sizes, spread.size, frozenset(spread.copied))

    def _require_fields(self) -> None:
        """Raises: Unwritten unless every field can be written out, and moves if it says so."""
        spread, fields = self.spread, self.whole.fields
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
            set(fields) - touched):  # fmt: skip
            raise Unwritten("a size moves, or what the constant depends on")
        for name, field in fields.items():
            kinds = (*ARRAYS, *NUMBERS) if name in touched else (*ARRAYS, *NUMBERS, Choice, Gram)
            ends = getattr(field, "low", None), getattr(field, "high", None)
            if type(field) not in kinds or any(_names(end) for end in ends):
                raise Unwritten(name)

    @cached_property
    def start(self) -> dict[str, Value]:
        """Every number of the world at t = 1 by name, and the number of copies."""
        found: dict[str, Value] = {}
        for name, field in self.whole.fields.items():
            value = self.spread.start[name]
            if name != self.spread.size and type(field) in (*NUMBERS, Choice):
                found[name] = value
            found.update(entries(name, value, type(field) is Symmetric))
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
        for name, field in self.whole.fields.items():
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
        given = [part for condition in self.whole.given for part in flatten(condition)]
        written = [part for condition in given for part in _apart(write.condition(condition))]
        if sympy.false in written:
            raise Unwritten("a hypothesis fails")
        sides = [(write.number(part.lts), write.number(part.gts)) for part in self._asserted()]
        relations = [sympy.Le(left, right, evaluate=False) for left, right in sides]
        return Claim(
            source=self.whole.source,
            statement=UpToConstant(sympy.And(*relations, evaluate=False)
                                   if len(relations) > 1 else relations[0]),
            given=[part for part in written if part is not sympy.true],
            parameters={sympy.Symbol(name, real=True): self._domain(name) for name in self.start},
        )  # fmt: skip

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
        field: Field = self.whole.fields[name.partition("[")[0]]
        if type(field) in (*NUMBERS, Choice):
            return field
        if type(field) is Weights:
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
                one, other = Place(self.whole, values), Place(self.claim, numbers)
                for part in self._asserted():
                    for side in part.args:
                        gap = to_ball(one.value(side)) - to_ball(
                            other.value(self.writing.number(side)))  # fmt: skip
                        if sign(gap) not in (0, None):
                            return False
        return True

    def world(self, numbers: Mapping[str, Value]) -> dict[str, Value]:
        """The world of these numbers in full."""
        times = int(numbers.get(COPIED, 1))
        made: dict[str, Value] = {}
        for name, field in self.whole.fields.items():
            value = self.spread.start[name]
            if name == self.spread.size:
                made[name] = len(self.parts.listed(name, times))
            elif isinstance(value, fmpq_mat):
                made[name] = self._matrix(name, field, value, numbers, times)
            elif isinstance(value, tuple):
                shared = {a: times if type(field) is Weights and self.parts.is_copied(field.size, a)
                          else 1 for a in range(len(value))}  # fmt: skip
                made[name] = tuple(fmpq(numbers[f"{name}[{a}]"]) / shared[a]
                                   for a in self.parts.listed(field.size, times))  # fmt: skip
            else:
                made[name] = numbers[name]
        return made

    def _matrix(
        self, name: str, field: Matrix | Symmetric, value: fmpq_mat, numbers: Mapping[str, Value],
        times: int,
    ) -> fmpq_mat:  # fmt: skip
        sizes = [getattr(field, each, getattr(field, "size", "")) for each in ("rows", "cols")]
        rows, cols = (self.parts.listed(size, times) for size in sizes)
        symmetric = type(field) is Symmetric
        return fmpq_mat([[fmpq(numbers[entry_name(name, a, b, symmetric)]) for b in cols]
                         for a in rows])  # fmt: skip


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
    return {f"{name}[{i}]": entry for i, entry in enumerate(value)} if isinstance(
        value, tuple) else {}  # fmt: skip


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


# As part of a witness.


def said(spread: Spread) -> str:
    """How a world goes on, in words."""
    rates = [f"{name} moves as {'' if end == 0 else f'{end} + '}c t^{power}"
             for name, (power, end) in spread.moves.items()]  # fmt: skip
    places = ", ".join(map(str, spread.copied))
    copies = [f"{spread.size} grows by t copies of parts {places}"] if spread.size else []
    return "; ".join(copies + rates)


def as_extra(spread: Spread) -> dict[str, Any]:
    """How a witness says how its world goes on."""
    moves = {name: [str(power), str(end)] for name, (power, end) in spread.moves.items()}
    return {"ray": moves, "repeated": spread.size, "copied": list(spread.copied)}


def from_extra(extra: Mapping[str, Any], values: Mapping[str, Value]) -> Spread:
    """The spread that a witness says. Raises: ValueError, TypeError where there is none."""
    return Spread(values, motions_of(extra["ray"]), str(extra.get("repeated", "")),
                  tuple(map(int, extra.get("copied", ()))))  # fmt: skip
