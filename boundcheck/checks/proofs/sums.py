"""Nodes as sums of entries, for certificates: totals, products of matrices, norms, indicators.

A node is read into a term over entries of rows; what is no sum stays a letter if no index reaches
it. With the terms comes what the fields promise of any entry.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import sympy

from boundcheck.certificates import problem as plain
from boundcheck.certificates.terms import Relation, Term, replaced
from boundcheck.expressions.nodes import Apply, Indicator, Node, Table, Total, rank_of
from boundcheck.expressions.shapes import shape_of
from boundcheck.expressions.symbols import Known
from boundcheck.worlds.fields import Gram, Integer, Matrix, Probabilities, Vector, Weights

if TYPE_CHECKING:
    from boundcheck.checks.proofs.definitions import Knowledge

Places = tuple[str, ...]


class NoSum(Exception):
    """A node that is no sum of entries."""


@dataclass
class Sums:
    """Terms of the nodes of one claim.

    Args: knowledge: where letters and ranges come from. terms: letter to term. rows: row to
    (sizes, sign of its entries, whether they are a law). each: what holds of entries at places.
    named: indices with their sizes.
    """

    knowledge: Knowledge
    terms: dict[str, Term] = field(default_factory=dict)
    rows: dict[str, tuple[Places, int, bool]] = field(default_factory=dict)
    each: dict[tuple[Places, Relation], None] = field(default_factory=dict)
    named: dict[str, str] = field(default_factory=dict)

    def read(self, letter: str, node: Node) -> None:
        """Keep the term of a node under its letter, if it has one."""
        try:
            self.terms[letter] = self.scalar(node, {})
        except (NoSum, plain.Inexpressible):
            return

    # Numbers.

    def scalar(self, expr: sympy.Basic, here: Mapping[Known, str]) -> Term:
        """The term of a number, indices standing for places."""
        return self._with_nodes(expr, here, plain.term)

    def _with_nodes(
        self, expr: sympy.Basic, here: Mapping[Known, str],
        write: Callable[[sympy.Basic], Term],
    ) -> Term:  # fmt: skip
        from boundcheck.expressions.binding import outermost

        letters = {node: sympy.Dummy(f"node{i}", real=True)
                   for i, node in enumerate(outermost(expr))}  # fmt: skip
        bare = expr.xreplace(letters)
        found = write(bare)
        for symbol in bare.free_symbols - set(letters.values()):
            self._number(symbol, here)
        for node, letter in letters.items():
            found = replaced(found, letter.name, self._node(node, here))
        return found

    def _number(self, symbol: sympy.Basic, here: Mapping[Known, str]) -> None:
        if symbol in here or getattr(getattr(symbol, "meaning", None), "role", "") == "index":
            raise NoSum("an index as a number")
        if getattr(symbol, "rank", 0) != 0 or not symbol.is_commutative:
            raise NoSum(f"{symbol} is no number")
        self.knowledge.value(symbol.name)

    def _node(self, node: Node, here: Mapping[Known, str]) -> Term:
        if isinstance(node, Total) and node.rank == 0:
            return self._total(node, here)
        if isinstance(node, Indicator):
            condition = self._with_nodes(node.condition, here, plain.relation)
            return ("piecewise", ("case", "1", condition), ("case", "0", ("and",)))
        rule = SCALARS.get(node.primitive.name) if isinstance(node, Apply) else None
        if rule is not None:
            return rule(self, node.operands, here)
        if node.free_symbols & set(here):
            raise NoSum(f"{node.kind} at an index")
        return ("x", self._letter(node))

    def _letter(self, node: Node) -> str:
        for symbol, quantity in self.knowledge.claim.measured.items():
            if getattr(quantity, "whole", None) == node:
                self.knowledge.value(symbol)
                self._extremes(symbol, node)
                return symbol
        name = str(self.knowledge.letter(node).name)
        self._extremes(name, node)
        return name

    def _total(self, node: Total, here: Mapping[Known, str]) -> Term:
        inner, bound = dict(here), []
        for each in node.indices:
            size = each.meaning.size
            bound.append((self._size(size), self._fresh(each.name, self._size(size))))
            inner[each] = bound[-1][1]
        body = self.scalar(node.body, inner)
        for size, index in reversed(bound):
            body = ("sum", size, index, body)
        return body

    def over(self, size: str, body: Callable[[str], Term]) -> Term:
        """A sum over an index of its own."""
        index = self._fresh("l", self._size(size))
        return ("sum", self._size(size), index, body(index))

    def _fresh(self, stem: str, size: str) -> str:
        name, count = f"at_{stem}", 1
        while name in self.named:
            name, count = f"at_{stem}_{count}", count + 1
        self.named[name] = size
        return name

    def _size(self, size: object) -> str:
        """The name of a size that is at least one."""
        name = str(size)
        found = self.knowledge.fields.get(name)
        if not isinstance(found, Integer) or not isinstance(found.low, int) or found.low < 1:
            raise NoSum(f"the size {name} may be zero")
        self.knowledge.value(name)
        return name

    # Entries.

    def entry(self, array: sympy.Basic, at: Places, here: Mapping[Known, str]) -> Term:
        """The entry of a vector or matrix at places."""
        if isinstance(array, sympy.Add):
            return ("+", *[self.entry(arg, at, here) for arg in array.args])
        if isinstance(array, sympy.Mul):
            scalars = [self.scalar(arg, here) for arg in array.args if arg.is_commutative]
            factors = [arg for arg in array.args if not arg.is_commutative]
            return ("*", *scalars, self._product(factors, at, here))
        if isinstance(array, sympy.Pow) and array.exp.is_Integer and 2 <= array.exp <= 4:
            return self._product([array.base] * int(array.exp), at, here)
        if isinstance(array, Known):
            return self._known(array, at, here)
        if isinstance(array, Table):
            return self.scalar(array.body, {**here, **dict(zip(array.indices, at, strict=True))})
        rule = ARRAYS.get(array.primitive.name) if isinstance(array, Apply) else None
        if rule is None:
            raise NoSum(f"entries of {array}")
        return rule(self, array.operands, at, here)

    def _product(
        self, factors: Sequence[sympy.Basic], at: Places, here: Mapping[Known, str]
    ) -> Term:
        first, *rest = factors
        if not rest:
            return self.entry(first, at, here)
        if isinstance(first, Apply) and first.primitive.name == "diagonal":
            return ("*", self.entry(first.operands[0], at[:1], here), self._product(rest, at, here))
        if isinstance(first, Apply) and first.primitive.name == "identity":
            return self._product(rest, at, here)
        size = self._sizes(first)[1]
        return self.over(size, lambda index: (
            "*", self.entry(first, (at[0], index), here),
            self._product(rest, (index, *at[1:]), here),
        ))  # fmt: skip

    def _sizes(self, array: sympy.Basic) -> tuple[str, ...]:
        shape = shape_of(array)
        if shape is None or len(shape) != rank_of(array) or None in shape:
            raise NoSum(f"the sizes of {array}")
        return tuple(map(str, shape))

    def _known(self, array: Known, at: Places, here: Mapping[Known, str]) -> Term:
        definition = array.meaning.definition
        if definition is not None:
            return self.entry(definition, at, here)
        found, sizes = self.knowledge.fields.get(array.name), self._sizes(array)
        for size in sizes:
            self._size(size)
        if any(self.named.get(place) != size for place, size in zip(at, sizes, strict=True)):
            raise NoSum(f"{array} at a place of another size")
        if type(found) is Gram:
            return self._gram(array.name, sizes[0], at)
        if type(found) not in (Weights, Probabilities, Vector, Matrix):
            raise NoSum(f"entries of {type(found).__name__}")
        self._promise(array.name, sizes, found)
        return ("at", array.name, *at)

    def _gram(self, name: str, size: str, at: Places) -> Term:
        """A positive semi-definite matrix as A A^T: what any of them is."""
        half, rank = self._unused(f"root of {name}"), self._unused(f"rank of {name}")
        index = self._fresh("r", rank)
        self.rows[half] = (size, rank), 0, False
        return ("sum", rank, index, ("*", *[("at", half, place, index) for place in at]))

    def _unused(self, name: str) -> str:
        """A name that no symbol of the claim has."""
        while name in self.knowledge.claim.names:
            name += "'"
        return name

    def _promise(self, name: str, sizes: Places, found: object) -> None:
        """What a field says of all its entries."""
        if name in self.rows:
            return
        here: Term = ("at", name, *[f"_{i}" for i in range(len(sizes))])
        if isinstance(found, (Weights, Probabilities)):
            self.rows[name] = sizes, 1, isinstance(found, Weights)
            self.each[(sizes, ("<=", "0", here))] = None
            self.each[(sizes, ("<=", here, "1"))] = None
            return
        low, high = self._end(found.low), self._end(found.high)  # type: ignore[attr-defined]
        open_low = bool(getattr(found, "open_low", False))
        sign = 0
        if low is not None:
            self.each[(sizes, ("<" if open_low else "<=", low, here))] = None
            sign = 0 if not isinstance(low, str) or low.startswith("-") else (
                2 if open_low or low != "0" else 1)  # fmt: skip
        if high is not None:
            self.each[(sizes, ("<=", here, high))] = None
        self.rows[name] = sizes, sign, False

    def _end(self, end: object) -> Term | None:
        found = self.knowledge.end_of(end)
        return None if found is None else plain.term(found)

    def _extremes(self, letter: str, node: Node) -> None:
        """No value of positive probability lies beyond the least and the greatest one."""
        name = node.primitive.name if isinstance(node, Apply) else ""
        if name not in ("least_value", "greatest_value"):
            return
        x, p = node.operands
        if not (isinstance(x, Known) and isinstance(p, Known)):
            return
        sizes = self._sizes(x)
        entries = [self._known(row, (self._fresh("e", sizes[0]),), {}) for row in (x, p)]
        value, weight = (("at", str(entry[1]), "_0") for entry in entries)
        order = ("<=", ("x", letter), value) if name == "least_value" else (
            "<=", value, ("x", letter))  # fmt: skip
        self.each[(sizes, ("or", ("=", weight, "0"), order))] = None

    def known(self) -> list[tuple[Places, Relation]]:
        """What holds of entries at any places."""
        return list(self.each)

Operands = Sequence[sympy.Basic]
Here = Mapping[Known, str]


def _place(sums: Sums, place: sympy.Basic, size: str, here: Here) -> str:
    """The index of a place: one bound, or a letter for one that is written down."""
    if place in here:
        return here[place]
    if not place.is_Integer or place != 0:
        raise NoSum(f"the place {place}")
    name = f"first_of_{size}" if size.isidentifier() else ""
    if not name:
        raise NoSum(f"the place {place}")
    sums.named.setdefault(name, sums._size(size))
    return name


def _entry(sums: Sums, operands: Operands, here: Here) -> Term:
    array, *places = operands
    sizes = sums._sizes(array)
    return sums.entry(
        array, tuple(_place(sums, p, s, here) for p, s in zip(places, sizes, strict=True)), here
    )


def _inner(sums: Sums, operands: Operands, here: Here) -> Term:
    left, right = operands
    return sums.over(sums._sizes(left)[0], lambda index: (
        "*", sums.entry(left, (index,), here), sums.entry(right, (index,), here)))  # fmt: skip


def _form(sums: Sums, operands: Operands, here: Here) -> Term:
    matrix, vector = operands
    return _inner(sums, (vector, sympy.Mul(matrix, vector)), here)


def _norm(sums: Sums, operands: Operands, here: Here) -> Term:
    return ("^", _inner(sums, (operands[0], operands[0]), here), "1/2")


def _trace(sums: Sums, operands: Operands, here: Here) -> Term:
    (matrix,) = operands
    return sums.over(sums._sizes(matrix)[0], lambda i: sums.entry(matrix, (i, i), here))


SCALARS: dict[str, Callable[[Sums, Operands, Here], Term]] = {
    "entry": _entry, "inner": _inner, "form": _form, "norm": _norm, "trace": _trace,
}  # fmt: skip
ARRAYS: dict[str, Callable[[Sums, Operands, Places, Here], Term]] = {
    "transpose": lambda s, o, at, here: s.entry(o[0], at[::-1], here),
    "row": lambda s, o, at, here: s.entry(
        o[0], (_place(s, o[1], s._sizes(o[0])[0], here), *at), here),
    "outer": lambda s, o, at, here: (
        "*", s.entry(o[0], at[:1], here), s.entry(o[1], at[1:], here)),
    "entrywise": lambda s, o, at, here: ("*", s.entry(o[0], at, here), s.entry(o[1], at, here)),
    "ones": lambda s, o, at, here: "1",
}  # fmt: skip
