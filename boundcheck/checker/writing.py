"""Expressions over a world of a given shape written out entry by entry, copies counted.

Parts of a size are numbered; some are copied, `COPIES` times each. A sum over a size is one over
its parts, each as often as it stands there; entries of copies are equal. A matrix that is constant
within copies has the norm of that of its parts, every entry times the root of how often it stands
there: vectors that sum to zero over copies are mapped to nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import sympy
from flint import arb

from boundcheck.arithmetic import Value
from boundcheck.checker import atoms, blocks
from boundcheck.claim import Claim
from boundcheck.expressions.binding import Definition
from boundcheck.expressions.names import Named
from boundcheck.expressions.nodes import (
    Apply,
    Average,
    Greatest,
    Indicator,
    Least,
    Multiplied,
    Node,
    Table,
    Total,
    rank_of,
)
from boundcheck.expressions.symbols import Known
from boundcheck.worlds.composed import promised_field
from boundcheck.worlds.fields import Gram, Symmetric, Weights

MOST_PARTS = 6
COPIED = "number of copies"  # no name of a field
COPIES = sympy.Symbol(COPIED, real=True)
ARITHMETIC = (sympy.Add, sympy.Mul, sympy.Pow, sympy.Max, sympy.Min, sympy.Function)
ONE, TWO = sympy.Integer(1), sympy.Integer(2)
Key = str | int  # of a size: its name, or a number
Places = Mapping[sympy.Basic, int]
Row = tuple[Key, list[sympy.Expr]]
Grid = tuple[Key, Key, list[list[sympy.Expr]]]


class Unwritten(Exception):
    """No rule writes it out."""


@dataclass(frozen=True)
class Parts:
    """Sizes of a world, the one some of whose parts are copied, and which these are."""

    sizes: Mapping[str, int]
    grown: str
    copied: frozenset[int]

    def __post_init__(self) -> None:
        if self.grown and not self.copied <= set(range(self.sizes[self.grown])):
            raise Unwritten("no such part")

    def count(self, key: Key) -> int:
        """How many parts there are at t = 1. Raises: Unwritten where they are too many."""
        number = key if isinstance(key, int) else self.sizes[key]
        if not 1 <= number <= MOST_PARTS:
            raise Unwritten(f"{number} parts")
        return number

    def is_copied(self, key: Key, part: int) -> bool:
        """Whether a part is copied."""
        return bool(self.grown) and key == self.grown and part in self.copied

    def times(self, key: Key) -> list[sympy.Expr]:
        """How often each part stands there."""
        return [COPIES if self.is_copied(key, a) else ONE for a in range(self.count(key))]

    def listed(self, key: Key, times: int) -> list[int]:
        """The parts in order, copies beside each other; where all are copied, in turn."""
        parts = range(self.count(key))
        if all(self.is_copied(key, a) for a in parts):
            return [*parts] * times
        return [a for a in parts for _ in range(times if self.is_copied(key, a) else 1)]


@dataclass(frozen=True)
class Tally:
    """How often each value of a sequence of independent draws comes up, and what they are.

    Args: size: of the sequence. values: none for places of atoms.
    """

    size: str
    times: Sequence[sympy.Expr]
    values: Sequence[sympy.Expr] = ()


class Writing:
    """Expressions of a claim over numbers alone.

    Args: drawn: size and entries of an outcome by name. held: values of numbers that stay, by name.
        unknown: numbers that came in, of which only a range is known, and one in it; by name.
    """

    def __init__(
        self, claim: Claim, parts: Parts, drawn: Mapping[str, Row] | None = None,
        held: Mapping[str, Value] | None = None,
    ) -> None:  # fmt: skip
        self.claim, self.parts, self.drawn, self.held = claim, parts, drawn or {}, held or {}
        self.fields: dict[str, Any] = {
            name: promised_field(field) for name, field in claim.fields.items()}
        self.unknown: dict[str, tuple[arb, Value]] = {}
        self.tallies: Mapping[str, Tally] = {}
        self.put: Mapping[str, sympy.Expr] = {}  # what stands for numbers, by name
        self.needed: list[sympy.Basic] = []  # conditions under which what is written is the value
        self._parts: dict[Hashable, sympy.Symbol] = {}

    def key(self, size: sympy.Basic) -> Key:
        """What a size is called. Raises: Unwritten for one that is computed."""
        size = sympy.sympify(size)
        if isinstance(size, sympy.Integer):
            return int(size)
        if isinstance(size, sympy.Symbol) and size.name in self.parts.sizes:
            return str(size.name)
        raise Unwritten(f"the size {size}")

    def unwritten(self, expr: sympy.Basic) -> Unwritten:
        """That no rule writes an expression out."""
        return Unwritten(str(expr))

    def part_of(self, key: Hashable, ball: arb, one: Value) -> sympy.Symbol:
        """A number in a ball, the same for the same key and outcome."""
        key = key, tuple((name, *entries) for name, (_, entries) in self.drawn.items())
        if key not in self._parts:
            self._parts[key] = sympy.Symbol(f"part {len(self._parts)}", real=True)
            self.unknown[self._parts[key].name] = ball, one
        return self._parts[key]

    # Numbers.

    def number(self, expr: sympy.Basic, at: Places | None = None) -> sympy.Expr:
        """A number written out. Raises: Unwritten where no rule does."""
        at = at or {}
        if isinstance(expr, sympy.Symbol):
            if expr in at and self.key(expr.meaning.size) != self.parts.grown:
                return sympy.Integer(at[expr])  # a place is one where no part is copied
            return self._symbol(expr)
        if isinstance(expr, Named):
            return self.number(expr.body, at)
        if isinstance(expr, (Total, Greatest, Least, Multiplied)):
            return self._bound(expr, at)
        if isinstance(expr, (Indicator, sympy.Piecewise)):
            cases = expr.args if isinstance(expr, sympy.Piecewise) else (
                (ONE, expr.condition), (sympy.Integer(0), sympy.true))  # fmt: skip
            made = sympy.Piecewise(*((self.number(value, at), self.condition(condition, at))
                                     for value, condition in cases))  # fmt: skip
            if made.has(sympy.ITE):  # which condition is asked is a case itself
                raise Unwritten(str(expr))
            return made
        if isinstance(expr, Apply):
            return self._primitive(expr, at)
        if isinstance(expr, Average):
            from boundcheck.checker import averages

            return averages.number(self, expr, at)
        if isinstance(expr, Node) or rank_of(expr) != 0:
            raise Unwritten(str(expr))
        if not expr.args:
            return expr
        if not isinstance(expr, ARITHMETIC):
            raise Unwritten(str(expr))
        return expr.func(*(self.number(arg, at) for arg in expr.args))

    def condition(self, expr: sympy.Basic, at: Places | None = None) -> sympy.Basic:
        """A condition written out."""
        if expr in (sympy.true, sympy.false):
            return expr
        if isinstance(expr, (sympy.And, sympy.Or, sympy.Not)):
            return expr.func(*(self.condition(arg, at) for arg in expr.args))
        if not isinstance(expr, sympy.Rel):
            raise Unwritten(str(expr))
        return expr.func(*(self.number(arg, at) for arg in expr.args))

    def _symbol(self, symbol: sympy.Symbol) -> sympy.Expr:
        if isinstance(symbol, Known) and symbol.meaning.role == "index":
            raise Unwritten(f"{symbol} is used as a number")
        if symbol.name in self.put:
            return self.put[symbol.name]
        if symbol.name == self.parts.grown:
            return sympy.Add(*self.parts.times(symbol.name))
        if symbol.name in self.fields:
            if rank_of(symbol) != 0:
                raise Unwritten(symbol.name)
            return sympy.Symbol(symbol.name, real=True)
        return self.number(self.definition(symbol))

    def definition(self, symbol: sympy.Symbol) -> sympy.Expr:
        """What a measured symbol stands for. Raises: Unwritten where that is no expression."""
        quantity = self.claim.measured.get(symbol.name)
        if not isinstance(quantity, Definition):
            raise Unwritten(symbol.name)
        return quantity.whole

    def _bound(self, expr: Total | Greatest | Least | Multiplied, at: Places) -> sympy.Expr:
        tallied = [each for each in expr.body.free_symbols if each.name in self.tallies]
        if tallied and isinstance(expr, Total):
            return self._tallied(expr, tallied, at)
        found = [(count, self.number(expr.body, here))
                 for count, here in self.counted(expr.indices, at)]  # fmt: skip
        if isinstance(expr, Total):
            return sympy.Add(*(count * value for count, value in found))
        if isinstance(expr, Multiplied):
            return sympy.Mul(*(value**count for count, value in found))
        rule = sympy.Max if isinstance(expr, Greatest) else sympy.Min
        return rule(*(value for _, value in found))

    def _tallied(self, expr: Total, drawn: Sequence[sympy.Symbol], at: Places) -> sympy.Expr:
        """A sum over a sequence of draws of what reads each of them: by how often each value comes
        up. Raises: Unwritten where it reads more, or has a mean over other draws of the same."""
        (index, *more), (sequence, *others) = expr.indices, drawn
        tally, place = self.tallies[sequence.name], sequence[index]
        inside = any(each.drawn == sequence for each in expr.body.atoms(Average))
        if more or others or inside or str(index.meaning.size) != tally.size:
            raise Unwritten(str(expr))
        if tally.values:
            terms = [self.number(expr.body.xreplace({place: value}), {**at, index: 0})
                     for value in tally.values]  # fmt: skip
        else:
            terms = [self.number(expr.body, {**at, index: 0, place: atom})
                     for atom in range(len(tally.times))]  # fmt: skip
        return sympy.Add(*(n * term for n, term in zip(tally.times, terms, strict=True)))

    def _beside_signs(self, node: Apply, signs: sympy.Symbol, at: Places) -> sympy.Expr:
        """The scalar product of a vector, equal on all copies, with signs."""
        tally = self.tallies[signs.name]
        (other,) = (each for each in node.operands if each != signs)
        key, row = self.vector(other, at)
        if key != tally.size or len(row) != 1 or not tally.values:
            raise Unwritten(str(node))
        return row[0] * sympy.Add(*(n * v for n, v in zip(
            tally.times, tally.values, strict=True)))  # fmt: skip

    def counted(
        self, indices: Sequence[sympy.Basic], at: Places
    ) -> Iterator[tuple[sympy.Expr, Places]]:
        """Where indices stand, and how often each place is there."""
        times = [self.parts.times(self.key(index.meaning.size)) for index in indices]
        for places in product(*(range(len(each)) for each in times)):
            count = sympy.Mul(*(each[a] for each, a in zip(times, places, strict=True)))
            yield count, {**at, **dict(zip(indices, places, strict=True))}

    # Vectors and matrices.

    def vector(self, expr: sympy.Basic, at: Places) -> Row:
        """The size of a vector and its entries, one of each part."""
        if isinstance(expr, Named):
            return self.vector(expr.body, at)
        if isinstance(expr, sympy.Symbol):
            if expr.name in self.drawn:
                return self.drawn[expr.name]
            field = self.fields.get(expr.name)
            if field is None:
                return self.vector(self.definition(expr), at)
            return self._entries(expr.name, field)
        if isinstance(expr, Table) and len(expr.indices) == 1:
            (index,) = expr.indices
            key = self.key(index.meaning.size)
            return key, [self.number(expr.body, {**at, index: a})
                         for a in range(self.parts.count(key))]  # fmt: skip
        if isinstance(expr, Apply) and expr.primitive.standard == "row":
            down, across, grid = self.matrix(expr.operands[0], at)
            return across, grid[self._place(expr.operands[1], down, at)]
        if isinstance(expr, sympy.Add):
            rows = [self.vector(arg, at) for arg in expr.args]
            lines = zip(*(row for _, row in rows), strict=True)
            return _one([key for key, _ in rows]), [sympy.Add(*each) for each in lines]
        if isinstance(expr, sympy.Mul):
            return self._multiple_of_vector(expr, at)
        raise Unwritten(str(expr))

    def _entries(self, name: str, field: object) -> Row:
        size = getattr(field, "size", None)
        if not isinstance(size, (str, int)) or not hasattr(field, "admits"):
            raise Unwritten(name)
        found = [sympy.Symbol(f"{name}[{a}]", real=True) for a in range(self.parts.count(size))]
        if isinstance(field, Weights):
            found = [w / count for w, count in zip(found, self.parts.times(size), strict=True)]
        return size, found

    def _multiple_of_vector(self, expr: sympy.Mul, at: Places) -> Row:
        scalars = [arg for arg in expr.args if rank_of(arg) == 0]
        *matrices, last = [arg for arg in expr.args if rank_of(arg) != 0]
        if any(rank_of(matrix) != 2 for matrix in matrices):
            raise Unwritten(str(expr))
        key, row = self.vector(last, at)
        for matrix in reversed(matrices):
            found = blocks.block(self, matrix, at)
            key, row = found.rows, blocks.times(self, found, row)
        factor = sympy.Mul(*(self.number(arg, at) for arg in scalars))
        return key, [factor * entry for entry in row]

    def matrix(self, expr: sympy.Basic, at: Places) -> Grid:
        """Both sizes of a matrix and its entries, one of each pair of parts."""
        found = blocks.block(self, expr, at)
        return found.rows, found.cols, blocks.folded(self, found, expr)

    def table(self, expr: sympy.Basic, at: Places) -> Grid:
        """The same of a field, or of entries that have a formula."""
        if isinstance(expr, sympy.Symbol):
            return self._table(expr.name, self.fields[expr.name])
        if isinstance(expr, Table) and len(expr.indices) == 2:
            rows, cols = (self.key(index.meaning.size) for index in expr.indices)
            places = [[{**at, **dict(zip(expr.indices, (a, b), strict=True))}
                       for b in range(self.parts.count(cols))]
                      for a in range(self.parts.count(rows))]  # fmt: skip
            return rows, cols, [[self.number(expr.body, here) for here in row] for row in places]
        raise Unwritten(str(expr))

    def _table(self, name: str, field: object) -> Grid:
        rows, cols = (getattr(field, each, getattr(field, "size", None))
                      for each in ("rows", "cols"))  # fmt: skip
        if not isinstance(rows, (str, int)) or not isinstance(cols, (str, int)):
            raise Unwritten(name)

        def symbol(a: int, b: int) -> sympy.Symbol:
            if type(field) in (Symmetric, Gram):
                a, b = min(a, b), max(a, b)
            return sympy.Symbol(f"{name}[{a},{b}]", real=True)

        return rows, cols, [[symbol(a, b) for b in range(self.parts.count(cols))]
                            for a in range(self.parts.count(rows))]  # fmt: skip

    # Primitives.

    def _primitive(self, node: Apply, at: Places) -> sympy.Expr:
        name, operands = node.primitive.standard, node.operands
        if name == "entry":
            return self._entry(operands[0], list(operands[1:]), at)
        signs = [each for each in operands if getattr(each, "name", "") in self.tallies]
        if name == "inner" and len(signs) == 1:
            return self._beside_signs(node, signs[0], at)
        if name in ("norm", "inner"):
            rows = [self.vector(operand, at) for operand in operands]
            times = self.parts.times(_one([key for key, _ in rows]))
            left, right = rows[0][1], rows[-1][1]
            found = sympy.Add(*(m * a * b for m, a, b in zip(times, left, right, strict=True)))
            return sympy.sqrt(found) if name == "norm" else found
        if name == "operator_norm":
            return self._operator_norm(*self.matrix(operands[0], at))
        if rule := atoms.NUMBERS.get(name):  # those of blocks among them
            return rule(self, node, at)
        raise Unwritten(node.primitive.name)

    def _entry(self, array: sympy.Basic, places: list[sympy.Basic], at: Places) -> sympy.Expr:
        rank = rank_of(array)
        if rank == 1:
            key, row = self.vector(array, at)
            return row[self._place(places[0], key, at)]
        if rank != 2:
            raise Unwritten(str(array))
        rows, cols, grid = self.matrix(array, at)
        return grid[self._place(places[0], rows, at)][self._place(places[1], cols, at)]

    def _place(self, place: sympy.Basic, key: Key, at: Places) -> int:
        """The part where an index stands, or a number where no part is copied."""
        if isinstance(place, Apply) and place in at and key != self.parts.grown:
            return self._within(at[place], key)  # that of an atom that is drawn
        if place in at and not isinstance(place, Apply) and self.key(place.meaning.size) == key:
            return at[place]
        if isinstance(place, sympy.Integer) and key != self.parts.grown:
            return self._within(int(place), key)
        raise Unwritten(f"the place {place}")

    def _within(self, place: int, key: Key) -> int:
        if not 0 <= place < self.parts.count(key):
            raise Unwritten(f"the place {place}")
        return place

    def _operator_norm(self, rows: Key, cols: Key, grid: list[list[sympy.Expr]]) -> sympy.Expr:
        """Of a matrix with two parts a side, which copies leave."""
        down, across = self.parts.times(rows), self.parts.times(cols)
        square = sympy.Add(*(m * k * grid[a][b] ** 2 for a, m in enumerate(down)
                             for b, k in enumerate(across)))  # fmt: skip
        if len(down) == 1 or len(across) == 1:
            return sympy.sqrt(square)
        if (len(down), len(across)) != (2, 2):
            raise Unwritten("an operator norm of more than two parts")
        det = grid[0][0] * grid[1][1] - grid[0][1] * grid[1][0]
        product_ = sympy.Mul(*down, *across) * det**2
        return sympy.sqrt((square + sympy.sqrt(square**2 - 4 * product_)) / TWO)


def _one(keys: list[Key]) -> Key:
    if len(set(keys)) != 1:
        raise Unwritten(f"the sizes {', '.join(map(str, keys))}")
    return keys[0]
