"""Fields of any size: one entry that stands for all, largest and least entries.

The largest value of an expression over an index is a number M that some entry attains and none
exceeds; an entry at a drawn place is any entry.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import sympy


@dataclass(frozen=True)
class Row:
    """A field of some size that no number fixes, by its name and that of its size."""

    name: str
    size: str


@dataclass(frozen=True)
class Extreme:
    """max or min over an index of an expression in entries of rows of one size."""

    letter: sympy.Symbol
    largest: bool
    expr: sympy.Expr
    index: str
    size: str


@dataclass
class Rows:
    """Entries and extremes met in one claim.

    Args: entries: symbol of an entry to (row, index). sizes: index to the size that it runs over.
    taken: names that mean something, those of extremes among them once they are made.
    """

    entries: dict[sympy.Symbol, tuple[str, str]] = field(default_factory=dict)
    sizes: dict[str, str] = field(default_factory=dict)
    extremes: dict[tuple[Any, ...], Extreme] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)

    def entry(self, row: Row, index: str) -> sympy.Symbol:
        """The entry of a row at an index."""
        symbol = self._at(row.name, index)
        self.entries[symbol] = (row.name, index)
        return symbol

    def _at(self, row: str, index: str) -> sympy.Symbol:
        """A symbol for an entry, of a name that means nothing else."""
        name = f"{row}[{index}]"
        while name in self.taken:
            name += "'"
        return sympy.Symbol(name, real=True)

    def fresh(self, size: str) -> str:
        """An index that stands for every place of rows of a size."""
        index = f"i{len(self.sizes) + 1}"
        self.sizes[index] = size
        return index

    def moved(self, expr: sympy.Expr, index: str, to: str) -> sympy.Expr:
        """An expression at another index."""
        found = {}
        for symbol in expr.free_symbols & set(self.entries):
            row, place = self.entries[symbol]
            if place == index:
                there = self._at(row, to)
                if to != "?":
                    self.entries[there] = (row, to)
                found[symbol] = there
        return expr.xreplace(found)

    def some(self, index: str) -> sympy.Basic:
        """That an index runs over something: nothing has no largest entry."""
        return sympy.Ge(sympy.Symbol(self.sizes[index], real=True), 1)

    def letter(self, expr: sympy.Expr, index: str, largest_: bool) -> sympy.Symbol:
        """The letter that stands for the largest or least value of an expression over an index."""
        size = self.sizes[index]
        key = (largest_, size, self.moved(expr, index, "?"))
        if key not in self.extremes:
            word = "max" if largest_ else "min"
            name = f"{word}_{len(self.extremes) + 1}"
            while name in self.taken:
                name += "_"
            self.taken.add(name)
            letter = sympy.Symbol(name, real=True)
            self.extremes[key] = Extreme(letter, largest_, expr, index, size)
        return self.extremes[key].letter

    def value(self, symbol_name: str, setting: Callable[[str], Any]) -> Any:
        """Value in a setting of an entry at a drawn index, or of an extreme. Raises: KeyError."""
        from boundcheck.exact import compiled

        for symbol, (row, label) in self.entries.items():
            if symbol.name == symbol_name:
                return setting(row)[_at(label, setting)]
        found = {item.letter.name: item for item in self.extremes.values()}[symbol_name]
        values = []
        for place in range(int(setting(found.size))):
            def here(name: str, place: int = place) -> Any:
                row, index = self.entries.get(sympy.Symbol(name, real=True), ("", ""))
                return setting(row)[place] if index == found.index else setting(name)

            values.append(compiled(found.expr)(here))
        return max(values) if found.largest else min(values)

    def conditions(self) -> list[sympy.Basic]:
        """Every extreme is attained at its own index and is one at the indices of all others."""
        found: list[sympy.Basic] = []
        for item in self.extremes.values():
            found.append(sympy.Eq(item.letter, item.expr))
            for other in self.extremes.values():
                if other is not item and other.size == item.size:
                    there = self.moved(item.expr, item.index, other.index)
                    relation = sympy.Ge if item.largest else sympy.Le
                    found.append(relation(item.letter, there))
        return [c for c in found if c is not sympy.true]


def _at(label: str, setting: Callable[[str], Any]) -> int:
    """The place that an outcome such as k[0] names in a setting. Raises: KeyError."""
    name, *places = label.replace("]", "").split("[")
    if not places:
        raise KeyError(label)
    value = setting(name)
    for place in places:
        value = value[int(place)]
    return int(value)
