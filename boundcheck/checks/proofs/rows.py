"""Fields of any size in traced code: one entry that stands for all, largest and least entries.

Going through a row gives a single entry at an index of its own. `max` or `min` of what is made of
it is a number M that some entry attains and none exceeds. An index that is not used up by such an
extreme (a loop that adds, or counts) ends the trace. Code may still tell how many entries there
are, so that it is run again on rows of other lengths and has to give the same formula.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import sympy

from boundcheck.checks.proofs.tracing import (
    Traced,
    Unknown,
    Untraceable,
    expression,
    largest,
    least,
    need,
)

LENGTHS = (2, 7)  # of rows on which code is run again


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
    taken: names that mean something else. length: entries of every row in the run that goes on.
    """

    entries: dict[sympy.Symbol, tuple[str, str]] = field(default_factory=dict)
    sizes: dict[str, str] = field(default_factory=dict)
    extremes: dict[tuple[Any, ...], Extreme] = field(default_factory=dict)
    open: set[str] = field(default_factory=set)
    taken: frozenset[str] = frozenset()
    length: int = 1

    @contextmanager
    def of_length(self, length: int) -> Iterator[None]:
        """Within it every row has so many entries; what is met there is forgotten afterwards."""
        kept = self.entries, self.sizes, self.extremes
        self.entries, self.sizes = dict(self.entries), dict(self.sizes)
        self.extremes = dict(self.extremes)
        self.length = length
        try:
            yield
        finally:
            self.entries, self.sizes, self.extremes = kept
            self.length = 1

    def entry(self, row: Row, index: str) -> Traced:
        """The entry of a row at an index."""
        symbol = sympy.Symbol(f"{row.name}[{index}]", real=True)
        self.entries[symbol] = (row.name, index)
        return Traced(symbol)

    def fresh(self, size: str) -> str:
        """An index that stands for every place of rows of a size."""
        index = f"i{len(self.sizes) + 1}"
        for label in self.places(index):
            self.sizes[label] = size
        self.open.add(index)
        return index

    def places(self, index: str) -> list[str]:
        """The labels of all entries that an index runs over."""
        return [index, *[f"{index}~{place}" for place in range(2, self.length + 1)]]

    def indices_in(self, expr: sympy.Basic) -> set[str]:
        """Indices whose entries occur in an expression."""
        return {self.entries[s][1] for s in expr.free_symbols if s in self.entries}

    def loose(self, expr: sympy.Basic) -> bool:
        """Whether an entry at the index of some way through a row is left in an expression."""
        return bool(self.indices_in(expr) & set(self.sizes))

    def moved(self, expr: sympy.Expr, index: str, to: str) -> sympy.Expr:
        """An expression at another index."""
        found = {}
        for symbol in expr.free_symbols & set(self.entries):
            row, place = self.entries[symbol]
            if place == index:
                there = sympy.Symbol(f"{row}[{to}]", real=True)
                if to != "?":
                    self.entries[there] = (row, to)
                found[symbol] = there
        return expr.xreplace(found)

    def extreme(self, values: list[Any], largest_: bool) -> Traced:
        """The largest or least value of an expression over its one open index."""
        value = values[0]
        inside = self.indices_in(value.expr) & set(self.sizes)
        if len(inside) != 1 or not inside <= self.open:
            raise Untraceable("takes an extreme over several indices, or twice over one")
        (index,) = inside
        everywhere = [self.moved(value.expr, index, place) for place in self.places(index)]
        if [expression(other) for other in values] != everywhere:
            raise Untraceable("takes an extreme of some entries of a row")
        need(self.some(index))
        return Traced(self.letter(value.expr, index, largest_))

    def some(self, index: str) -> sympy.Basic:
        """That an index runs over something: nothing has no largest entry."""
        return sympy.Ge(sympy.Symbol(self.sizes[index], real=True), 1)

    def letter(self, expr: sympy.Expr, index: str, largest_: bool) -> sympy.Symbol:
        """The letter that stands for the largest or least value of an expression over an index."""
        self.open.discard(index)
        size = self.sizes[index]
        key = (largest_, size, self.moved(expr, index, "?"))
        if key not in self.extremes:
            word = "max" if largest_ else "min"
            name = f"{word}_{len(self.extremes) + 1}"
            while name in self.taken:
                name += "_"
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
        return builtins.max(values) if found.largest else builtins.min(values)

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


class Row(Unknown):
    """A field of some size that no number fixes; entries are traced one at a time."""

    def __init__(self, rows: Rows, name: str, size: str) -> None:
        super().__init__(f"uses {name}, whose size is free")
        self.rows, self.name, self.size = rows, name, size

    def __iter__(self) -> Iterator[Traced]:
        index = self.rows.fresh(self.size)
        return iter([self.rows.entry(self, place) for place in self.rows.places(index)])

    def __getitem__(self, index: Any) -> Traced:
        if not isinstance(index, Drawn):
            raise Untraceable(f"uses single entries of {self.name}, whose size is free")
        if index.size != self.size:
            raise Untraceable(f"uses {self.name} at a place that may lie outside of it")
        return self.rows.entry(self, index.label)


class Drawn(Unknown):
    """An outcome of the draw, or an entry of it; it may stand as an index only.

    Args: label: how it is written. length: name of the number of its entries, "" if it is one
    itself or none is known. size: the size of the rows that it is a place of.
    """

    def __init__(self, label: str, length: str = "", size: str = "") -> None:
        super().__init__(f"uses {label}, an outcome of the draw")
        self.label, self.length, self.size = label, length, size if not length else ""
        self._size = size

    def __getitem__(self, index: Any) -> Drawn:
        if not isinstance(index, int) or index < 0 or not self.length:
            raise Untraceable(f"uses entries of {self.label}, an outcome of the draw")
        need(sympy.Ge(sympy.Symbol(self.length, real=True), index + 1))
        return Drawn(f"{self.label}[{index}]", size=self._size)


def together(*parts: Any, strict: bool = False) -> Any:
    """`zip` of traced code: rows of one size go through at one index."""
    rows = [part for part in parts if isinstance(part, Row)]
    if not rows:
        return builtins.zip(*parts, strict=strict)
    if len(rows) != len(parts) or len({row.size for row in rows}) != 1:
        raise Untraceable("goes through rows of different sizes together")
    places = rows[0].rows.places(rows[0].rows.fresh(rows[0].size))
    return iter([tuple(row.rows.entry(row, place) for row in rows) for place in places])


def over_rows(rows: Rows, kind: Callable[..., Any], largest_: bool) -> Callable[..., Any]:
    """`max` or `min` of traced code, over an open index where there is one."""

    def pick(*values: Any, **options: Any) -> Any:
        found = list(iter(values[0])) if len(values) == 1 else list(values)
        open_ = [v for v in found if isinstance(v, Traced) and rows.loose(v.expr)]
        if not open_:
            return kind(found, **options)
        if len(values) > 1:
            return kind(*found, **options)
        if options or len(open_) < len(found):
            _refuse()
        return rows.extreme(found, largest_)

    return pick


def _at(label: str, setting: Callable[[str], Any]) -> int:
    """The place that an outcome such as k[0] names in a setting. Raises: KeyError."""
    name, *places = label.replace("]", "").split("[")
    if not places:
        raise KeyError(label)
    value = setting(name)
    for place in places:
        value = value[int(place)]
    return int(value)


def _refuse() -> Any:
    raise Untraceable("takes an extreme of entries and other numbers")


def length_of(rows: Rows) -> Callable[[Any], int]:
    """`len` of traced code: what was made of a row has a size that nobody knows."""

    def length(value: Any) -> int:
        if isinstance(value, Unknown):
            raise value.told()
        if any(isinstance(item, Traced) and rows.loose(item.expr) for item in value):
            raise Untraceable("counts what is made of a row, whose size is free")
        return len(value)

    return length


def exchanged(rows: Rows) -> dict[str, Any]:
    """Builtins of traced code that know rows."""
    return {
        "zip": together, "len": length_of(rows),
        "max": over_rows(rows, largest, True), "min": over_rows(rows, least, False),
    }  # fmt: skip


