"""Nodes as sums of entries, for certificates: totals, products of matrices, norms, indicators.

A node is read into a term over entries of rows; what is no sum stays a letter if no index reaches
it. With the terms comes what the fields promise of any entry.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import sympy

from boundcheck.certificates import problem as plain
from boundcheck.certificates.terms import Relation, Term, replaced
from boundcheck.checks.proofs.definite import is_a, is_power, regular
from boundcheck.checks.proofs.operations import ARRAYS, SCALARS, flat
from boundcheck.checks.proofs.outcomes import Expectation
from boundcheck.checks.proofs.places import NoSum, field_of, placed, sizes_of
from boundcheck.expressions.names import Named
from boundcheck.expressions.nodes import Apply, Average, Indicator, Node, Table, Total
from boundcheck.expressions.symbols import Known
from boundcheck.unmerged import put
from boundcheck.worlds.fields import (
    Gram,
    Integer,
    Matrix,
    Probabilities,
    Symmetric,
    Vector,
    Weights,
)

if TYPE_CHECKING:
    from boundcheck.checks.proofs.definitions import Knowledge

Places = tuple[str, ...]


@dataclass
class Sums:
    """Terms of the nodes of one claim.

    Args: knowledge: where letters and ranges come from. terms: letter to term. rows: row to
    (sizes, sign of its entries, whether they are a law). each: what holds of entries at places.
    named: indices with their sizes. sequences: sequence of places to its length and the size that
    its entries lie below. origin: array at places of sequences to its name and these sequences.
    random: letters and rows that depend on an outcome. arrays: by name. solved: vector with an
    inverse to the row that stands for it. needed: what must hold for these inverses to exist.
    """

    knowledge: Knowledge
    terms: dict[str, Term] = field(default_factory=dict)
    rows: dict[str, tuple[Places, int, bool]] = field(default_factory=dict)
    each: dict[tuple[Places, Relation], None] = field(default_factory=dict)
    named: dict[str, str] = field(default_factory=dict)
    sequences: dict[str, tuple[str, str]] = field(default_factory=dict)
    extremes: dict[str, Node] = field(default_factory=dict)
    origin: dict[str, tuple[str, ...]] = field(default_factory=dict)
    random: set[str] = field(default_factory=set)
    arrays: dict[str, Known] = field(default_factory=dict)
    solved: dict[sympy.Basic, str] = field(default_factory=dict)
    needed: list[sympy.Basic] = field(default_factory=list)

    def read(self, letter: str, node: Node) -> None:
        """Keep the term of a node under its letter, if it has one."""
        try:
            found = self.scalar(node, {})
        except (NoSum, plain.Inexpressible):
            return
        if found != ("x", letter):  # itself: nothing is read of it
            self.terms[letter] = found

    # Numbers.

    def scalar(self, expr: sympy.Basic, here: Mapping[Known, str]) -> Term:
        """The term of a number, indices standing for places."""
        return self._with_nodes(expr, here, plain.term)

    def _with_nodes(
        self, expr: sympy.Basic, here: Mapping[Known, str],
        write: Callable[[sympy.Basic], Term],
    ) -> Term:  # fmt: skip
        from boundcheck.expressions.binding import outermost

        letters = {node: sympy.Dummy(self.unused(f"node{i}"), real=True)
                   for i, node in enumerate(outermost(expr))}  # fmt: skip
        bare = put(expr, letters)
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
        self._note(symbol.name, symbol)

    def _node(self, node: Node, here: Mapping[Known, str]) -> Term:
        if isinstance(node, Named):
            return self.scalar(node.body, here)
        if isinstance(node, Total) and node.rank == 0:
            return self._total(node, here, lambda inner: self.scalar(node.body, inner))
        if isinstance(node, Indicator):
            condition = self._with_nodes(node.condition, here, plain.relation)
            return ("piecewise", ("case", "1", condition), ("case", "0", ("and",)))
        if type(node) is Average and node.rank == 0:  # a supremum is one over outcomes too
            return Expectation(self, node.drawn.meaning.draw).of(self.scalar(node.body, here))
        rule = SCALARS.get(node.primitive.standard) if isinstance(node, Apply) else None
        if rule is not None:
            return rule(self, node.operands, here)
        if node.free_symbols & set(here):
            raise NoSum(f"{node.kind} at an index")
        letter = self._letter(node)
        self._note(letter, node)
        return ("x", letter)

    def _note(self, name: str, expr: sympy.Basic) -> None:
        """Remember what stands for an expression that depends on an outcome."""
        from boundcheck.expressions.symbols import rests_on

        drawn = {s for symbol in expr.free_symbols if isinstance(symbol, Known)
                 for s in (symbol, *(rests_on(symbol) if symbol.meaning.definition is not None
                                     else ())) if s.meaning.role == "outcome"}  # fmt: skip
        if drawn or expr.has(Average):
            self.random.add(name)

    def _letter(self, node: Node) -> str:
        for symbol, quantity in self.knowledge.claim.measured.items():
            if getattr(quantity, "whole", None) == node:
                self.knowledge.value(symbol)
                self.extremes[symbol] = node
                return symbol
        name = str(self.knowledge.letter(node).name)
        self.extremes[name] = node
        return name

    def _total(
        self, node: Total, here: Mapping[Known, str], inside: Callable[[dict[Known, str]], Term]
    ) -> Term:
        inner, bound = dict(here), []
        for each in node.indices:
            bound.append(self.index(each))
            inner[each] = bound[-1][1]
        body = inside(inner)
        for size, index in reversed(bound):
            body = ("sum", size, index, body)
        return body

    def index(self, each: Known) -> tuple[str, str]:
        """An index of its own for one of a binder: (size, name)."""
        size = self.size(each.meaning.size)
        return size, self.fresh(each.name, size)

    def over(self, size: str, body: Callable[[str], Term]) -> Term:
        """A sum over an index of its own."""
        index = self.fresh("l", self.size(size))
        return ("sum", self.size(size), index, body(index))

    def fresh(self, stem: str, size: str) -> str:
        """The name of a new index."""
        name, count = f"at_{stem}", 1
        while name in self.named:
            name, count = f"at_{stem}_{count}", count + 1
        self.named[name] = size
        return name

    def given_place(self, name: str, size: str) -> str:
        """The index of a place of its own, about which no more is known. Raises: NoSum."""
        if not name.isidentifier() or self.named.setdefault(name, self.size(size)) != size:
            raise NoSum(f"the place {name}")
        return name

    def size(self, size: object) -> str:
        """The name of a size that is at least one."""
        name = str(size)
        found = field_of(self.knowledge.fields, name)
        if not isinstance(found, Integer) or not isinstance(found.low, int) or found.low < 1:
            raise NoSum(f"the size {name} may be zero")
        self.knowledge.value(name)
        return name

    # Entries.

    def equal(self, left: sympy.Basic, right: sympy.Basic) -> Relation:
        """That two vectors or matrices are equal: their entries at any places. Raises: NoSum."""
        one, other = self._written_out(left), self._written_out(right)
        sizes = sizes_of(self.knowledge.fields, one)
        if sizes != sizes_of(self.knowledge.fields, other):
            raise NoSum("sides of other sizes")
        at = tuple(self.given_place(f"any_{i}_of_{size}", size) for i, size in enumerate(sizes))
        return ("=", self.entry(one, at, {}), self.entry(other, at, {}))

    def _written_out(self, expr: sympy.Basic) -> sympy.Basic:
        """An expression with what its measured letters stand for."""
        found = {s: getattr(self.knowledge.claim.measured.get(s.name), "whole", s)
                 for s in expr.free_symbols}  # fmt: skip
        return expr.xreplace(found)

    def entry(self, array: sympy.Basic, at: Places, here: Mapping[Known, str]) -> Term:
        """The entry of a vector or matrix at places."""
        if isinstance(array, Named):
            return self.entry(array.body, at, here)
        if isinstance(array, sympy.Add):
            return ("+", *[self.entry(arg, at, here) for arg in array.args])
        if isinstance(array, sympy.Mul) or is_power(array):
            return self._product([array], at, here)
        if isinstance(array, Known):
            return self._known(array, at, here)
        if isinstance(array, Total):
            return self._total(array, here, lambda inner: self.entry(array.body, at, inner))
        if isinstance(array, Table):
            return self.scalar(array.body, {**here, **dict(zip(array.indices, at, strict=True))})
        rule = ARRAYS.get(array.primitive.standard) if isinstance(array, Apply) else None
        if rule is None:
            raise NoSum(f"entries of {array}")
        return rule(self, array.operands, at, here)

    def _product(
        self, factors: Sequence[sympy.Basic], at: Places, here: Mapping[Known, str]
    ) -> Term:
        """The entry of a product, sums among its factors multiplied out."""
        scalars, plain_factors = flat(factors)
        for place, factor in enumerate(plain_factors):
            if isinstance(factor, sympy.Add) and len(plain_factors) > 1:
                before, after = plain_factors[:place], plain_factors[place + 1 :]
                parts = [self._product([*before, arg, *after], at, here) for arg in factor.args]
                return ("*", *[self.scalar(s, here) for s in scalars], ("+", *parts))
        body = self._word(plain_factors, at, here)
        return ("*", *[self.scalar(s, here) for s in scalars], body) if scalars else body

    def _word(
        self, factors: Sequence[sympy.Basic], at: Places, here: Mapping[Known, str]
    ) -> Term:
        first, *rest = factors
        if not rest:
            return self.entry(first, at, here)
        if isinstance(first, sympy.Pow) and len(at) == 1:
            return self._solved(sympy.Mul(*factors), first, at, here)
        if is_a(first, "diagonal"):
            (values,) = first.operands
            return ("*", self.entry(values, at[:1], here), self._word(rest, at, here))
        if is_a(factors[-1], "diagonal") and len(at) == 2:
            (values,) = factors[-1].operands
            return ("*", self._word(factors[:-1], at, here), self.entry(values, at[1:], here))
        sizes = sizes_of(self.knowledge.fields, first)
        if len(sizes) != 2:
            raise NoSum(f"{first} before another factor")
        return self.over(sizes[1], lambda index: (
            "*", self.entry(first, (at[0], index), here), self._word(rest, (index, *at[1:]), here),
        ))  # fmt: skip

    def _solved(
        self, vector: sympy.Basic, inverse: sympy.Pow, at: Places, here: Mapping[Known, str]
    ) -> Term:
        """The entry of what a system of equations has for its solution: some vector."""
        fields = self.knowledge.fields
        if inverse.exp != -1 or vector.free_symbols & set(here):
            raise NoSum(f"entries of {inverse}")
        self.require(regular(fields, inverse.base))
        name = self.solved.setdefault(vector, self.unused(f"solution {len(self.solved) + 1}"))
        made, indices, own = placed(self, name, at, sizes_of(fields, inverse.base)[:1])
        self.rows[made] = own, 0, False
        self.origin[made] = (name, *[place.partition("@")[2] for place in at])
        self._note(made, vector)
        return ("at", made, *indices)

    def require(self, conditions: Sequence[sympy.Basic]) -> None:
        """Remember what must hold for a form to be what it is read as."""
        for needed in conditions:
            if needed not in self.needed:
                self.needed.append(needed)
                for symbol in sorted(needed.free_symbols, key=str):
                    self.knowledge.value(symbol.name)

    def _known(self, array: Known, at: Places, here: Mapping[Known, str]) -> Term:
        if array.meaning.definition is not None:
            return self.entry(array.meaning.definition, at, here)
        self.arrays[array.name] = array
        found = field_of(self.knowledge.fields, array.name)
        sizes = sizes_of(self.knowledge.fields, array)
        for size in sizes:
            self.size(size)
        if type(found) is Gram:
            return self._gram(array.name, sizes[0], at)
        if type(found) is Symmetric:
            return self._symmetric(array.name, sizes, at)
        if len(sizes) != array.rank:
            raise NoSum(f"entries of {type(found).__name__}")
        name, indices, _ = placed(self, array.name, at, sizes)
        through = [place.partition("@")[2] for place in at]
        self.origin[name] = (array.name, *through)
        for kept in itertools.product(*[(one, "") if one else ("",) for one in through]):
            self.composed(array.name, kept)
        return ("at", name, *indices)

    def composed(self, array: str, through: Sequence[str]) -> str:
        """The array that stands for one at places of sequences; what its field says is kept."""
        if array not in self.arrays:
            raise NoSum(f"{array} at places of a draw")
        found = field_of(self.knowledge.fields, array)
        name = f"{array}[{', '.join(through)}]" if any(through) else array
        sizes = sizes_of(self.knowledge.fields, self.arrays[array])
        own = tuple(self.sequences[t][0] if t else size
                    for t, size in zip(through, sizes, strict=True))  # fmt: skip
        self.origin[name] = (array, *through)
        if type(found) in (Weights, Probabilities, Vector, Matrix):
            self._promise(name, own, found, law=not any(through))
        else:  # any numbers: more than the field holds
            self.rows[name] = own, 0, False
        return name

    def law(self, name: str) -> str:
        """The size of a law that is drawn from, which is then known as one. Raises: NoSum."""
        found = field_of(self.knowledge.fields, name)
        if not isinstance(found, Weights):
            raise NoSum(f"{name} is no law of atoms")
        size = self.size(found.size)
        self._promise(name, (size,), found, law=True)
        return size

    def _gram(self, name: str, size: str, at: Places) -> Term:
        """A positive semi-definite matrix as A A^T: what any of them is."""
        rank, free = self.unused(f"rank of {name}"), self.unused(f"root of {name}")
        index = self.fresh("r", rank)
        halves = [placed(self, free, (place,), (size,)) for place in at]
        for (half, _, own), place in zip(halves, at, strict=True):
            self.rows[half] = (*own, rank), 0, False
            self.origin[half] = (free, place.partition("@")[2], "")
        return ("sum", rank, index,
                ("*", *[("at", half, *place, index) for half, place, _ in halves]))  # fmt: skip

    def _symmetric(self, name: str, sizes: Places, at: Places) -> Term:
        """A symmetric matrix as A + A^T: what any of them is."""
        members, free = [], self.unused(f"half of {name}")
        for places in (at, at[::-1]):
            half, indices, own = placed(self, free, places, sizes)
            self.rows[half] = own, 0, False
            self.origin[half] = (free, *[place.partition("@")[2] for place in places])
            members.append(("at", half, *indices))
        return ("+", *members)

    def unused(self, name: str) -> str:
        """A name that no symbol of the claim has."""
        while name in self.knowledge.claim.names:
            name += "'"
        return name

    def _promise(self, name: str, sizes: Places, found: object, *, law: bool) -> None:
        """What a field says of all its entries."""
        if name in self.rows:
            return
        here: Term = ("at", name, *[f"_{i}" for i in range(len(sizes))])
        if isinstance(found, (Weights, Probabilities)):
            self.rows[name] = sizes, 1, law and isinstance(found, Weights)
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
