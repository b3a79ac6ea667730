"""What is known of a claim's symbols: formulas of definitions, facts, ranges of fields."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import sympy
from flint import fmpq

from boundcheck.checks.proofs.extremes import say_extremes
from boundcheck.checks.proofs.places import NoSum
from boundcheck.checks.proofs.rows import Row, Rows
from boundcheck.checks.proofs.sums import Sums
from boundcheck.checks.proofs.system import requirements
from boundcheck.checks.proofs.values import Values
from boundcheck.claim import Claim, Quantity
from boundcheck.expressions.binding import Definition, outermost
from boundcheck.expressions.nodes import Apply, Greatest, Indicator, Least, Node, Table
from boundcheck.expressions.signs import facts_of
from boundcheck.expressions.symbols import Known
from boundcheck.worlds.composed import Derived
from boundcheck.worlds.draws import Indices
from boundcheck.worlds.fields import (
    Choice,
    Integer,
    Probabilities,
    Real,
    Vector,
    Weights,
    as_rational,
)

CASES = 24
LONGEST = 6  # entries of a field of fixed size that become symbols of their own
Value: TypeAlias = "sympy.Symbol | tuple[sympy.Symbol, ...] | Row | None"


@dataclass(frozen=True)
class Formula:
    """What a definition computes, and what must hold for it to have a value."""

    expr: sympy.Expr
    needed: tuple[sympy.Basic, ...] = ()


@dataclass
class Knowledge:
    """A claim with its texts (kind of loss ...) fixed.

    Args:
        formulas: symbol to what its definition computes from other symbols.
        opaque: name to the reason why its definition is no formula.
        conditions: ranges and facts, as relations between symbols.
        entries: symbol of an entry to the field and the place it stands for.
        whole: names that take integer values only.
        valued: name of a node to what it needs to have a value, or why that is not to be seen.
        places: what must hold for entries at drawn places to be there.
    """

    claim: Claim
    fixed: Mapping[str, Any]
    formulas: dict[sympy.Symbol, Formula] = field(default_factory=dict)
    opaque: dict[str, str] = field(default_factory=dict)
    conditions: list[sympy.Basic] = field(default_factory=list)
    entries: dict[str, tuple[str, int]] = field(default_factory=dict)
    whole: set[str] = field(default_factory=set)
    places: list[sympy.Basic] = field(default_factory=list)
    valued: dict[str, tuple[list[sympy.Basic], str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        claim = self.claim
        self.fields = dict(claim.worlds.fields) if claim.worlds is not None else {}
        self.fields |= {s.name: f for s, f in claim.parameters.items()}
        used = set(claim.statement.free_symbols()).union(*[c.free_symbols for c in claim.given])
        self.symbols = {s.name: s for s in (*used, *claim.parameters, *claim.measure)}
        self.made = {*claim.names, *claim.stands, *self.symbols}  # names that mean something
        self._values: dict[str, Value] = {}
        self.rows = Rows(taken=self.made)
        self.nodes: dict[str, Node] = {}
        self.facts: dict[sympy.Basic, str] = {}  # what is known of a letter, where it has a value
        for symbol in sorted(used, key=str):
            self.value(symbol.name)
        self.sums = Sums(self)
        read: set[str] = set()
        while new := [name for name in self.nodes if name not in read]:
            for name in new:
                self.sums.read(name, self.nodes[name])
                read.add(name)
        say_extremes(self.sums)
        self.valueless()

    def symbol(self, name: str) -> sympy.Symbol:
        """The symbol of a name."""
        return self.symbols.setdefault(name, sympy.Symbol(name, real=True))

    def value(self, name: str) -> Value:
        """What stands for a name: its symbol, those of its entries, a row, or nothing."""
        if name not in self._values:
            self._values[name] = self._value(name)
        return self._values[name]

    def _value(self, name: str) -> Value:
        if name in self.fixed:
            return None
        quantity = self.claim.measured.get(name)
        found = self.fields.get(name)
        if quantity is not None and found is None:
            return self._measured(name, quantity)
        if isinstance(found, (Integer, Real)):
            return self._scalar(name, found)
        if isinstance(found, Choice):
            return self._chosen(name, found)
        if isinstance(found, (Weights, Vector)) and _few(found.size):
            return self._entries(name, found)
        if isinstance(found, (Weights, Probabilities, Vector)) and isinstance(found.size, str):
            self.value(found.size)
            return Row(name, found.size)
        return None

    def _scalar(self, name: str, found: Integer | Real) -> sympy.Symbol:
        symbol = self.symbol(name)
        if isinstance(found, Integer):
            self.whole.add(name)
        low, high = self.end_of(found.low), self.end_of(found.high)
        if low is not None:
            open_low = getattr(found, "open_low", False)
            self.conditions.append(symbol > low if open_low else symbol >= low)
        if high is not None:
            open_high = getattr(found, "open_high", False)
            self.conditions.append(symbol < high if open_high else symbol <= high)
        return symbol

    def _chosen(self, name: str, found: Choice) -> sympy.Symbol | None:
        numbers = [_rational(item) for item in found.items]
        if not numbers or None in numbers:
            return None
        symbol = self.symbol(name)
        self.conditions.append(sympy.Or(*[sympy.Eq(symbol, number) for number in numbers]))
        if all(number.is_Integer for number in numbers if number is not None):
            self.whole.add(name)
        return symbol

    def end_of(self, end: Any) -> sympy.Expr | None:
        """An end of a range: a number, or what a field or parameter of that name is."""
        if isinstance(end, str) and end in self.fields:
            value = self.value(end)
            return value if isinstance(value, sympy.Symbol) else None
        return None if end is None else _rational(end)

    def _entries(self, name: str, found: Any) -> tuple[sympy.Symbol, ...]:
        stem = f"{name}_"
        while any(f"{stem}{i + 1}" in self.made for i in range(found.size)):
            stem += "_"
        self.made |= {f"{stem}{i + 1}" for i in range(found.size)}
        symbols = tuple(self.symbol(f"{stem}{i + 1}") for i in range(found.size))
        for place, symbol in enumerate(symbols):
            self.entries[symbol.name] = (name, place)
        if isinstance(found, Weights):
            self.conditions += [symbol >= 0 for symbol in symbols]
            self.conditions.append(sympy.Eq(sympy.Add(*symbols), 1))
        return symbols

    def _measured(self, name: str, quantity: Quantity) -> sympy.Symbol | None:
        symbol = self.symbol(name)
        if not symbol.is_commutative:
            return None
        if isinstance(quantity, Definition):
            self._defined(symbol, quantity)
        else:
            self.opaque[name] = "is Python code, not a formula"
        return symbol

    def _defined(self, symbol: sympy.Symbol, quantity: Definition) -> None:
        """A definition that is an expression: its scalar part is read, nodes stand for reals."""
        expr = quantity.whole
        extreme = self._extreme(expr)
        single = self._entry(expr)
        if extreme is not None:
            self.formulas[symbol] = Formula(*extreme)
        elif single is not None:
            self.formulas[symbol] = Formula(single)
        elif isinstance(expr, Node) and not isinstance(expr, Indicator):
            self.opaque[symbol.name] = f"is {expr.kind}, not a formula in numbers"
            self.nodes[symbol.name] = expr
            self._facts(symbol, expr)
        else:
            plain = self._plain(expr)
            self.formulas[symbol] = Formula(
                plain, tuple(requirements(sympy.Eq(plain, 0, evaluate=False)))
            )

    def _plain(self, expr: sympy.Basic) -> sympy.Basic:
        """An expression in numbers: what stands for its nodes in their places."""
        found = {node: self._node(node) for node in outermost(expr)}
        plain = expr.xreplace(found)
        inside = {symbol for value in found.values() for symbol in value.free_symbols}
        for symbol in sorted(plain.free_symbols - inside, key=str):
            self.value(symbol.name)
        return plain

    def _extreme(self, node: sympy.Expr) -> tuple[sympy.Symbol, tuple[sympy.Basic, ...]] | None:
        """The letter of a max or min of a formula in entries of rows, and when it has a value."""
        if not isinstance(node, (Greatest, Least)) or len(node.indices) != 1:
            return None
        (each,) = node.indices
        size = each.meaning.size
        rows = {part: self._row(part, each) for part in outermost(node.body)}
        found = [row for row in rows.values() if row is not None and row.size == str(size)]
        if not found or len(found) < len(rows):
            return None
        index = self.rows.fresh(str(size))
        entries = {part: self.rows.entry(row, index) for part, row in zip(rows, found, strict=True)}
        plain = node.body.xreplace(entries)
        if each in plain.free_symbols:
            return None
        for inside in sorted(plain.free_symbols - set(entries.values()), key=str):
            self.value(inside.name)
        letter = self.rows.letter(plain, index, isinstance(node, Greatest))
        valued = requirements(sympy.Eq(plain, 0, evaluate=False))
        return letter, (self.rows.some(index), *valued)

    def _entry(self, node: sympy.Expr) -> sympy.Symbol | None:
        """The symbol of an entry: of a field of few entries, or of a row at a drawn place."""
        if not isinstance(node, Apply) or node.primitive.standard != "entry":
            return None
        array, *places = node.operands
        if not isinstance(array, Known) or len(places) != 1:
            return None
        found, (place,) = self.value(array.name), places
        if isinstance(found, tuple) and place.is_Integer and 0 <= int(place) < len(found):
            return found[int(place)]
        return self._drawn(found, place) if isinstance(found, Row) else None

    def _drawn(self, row: Row, place: sympy.Basic) -> sympy.Symbol | None:
        """The entry of a row at an entry of the drawn indices, which are places of such rows."""
        draw = self.claim.draw
        if not isinstance(place, Apply) or place.primitive.standard != "entry":
            return None
        outcome, number = place.operands[0], place.operands[-1]
        if not isinstance(draw, Indices) or getattr(outcome, "name", "") != draw.indices:
            return None
        if not number.is_Integer or number < 0 or len(place.operands) != 2:
            return None
        if getattr(self.fields.get(draw.weights), "size", None) != row.size:
            return None
        self.value(draw.length)
        self.places.append(sympy.Ge(self.symbol(draw.length), number + 1))
        return self.rows.entry(row, f"{draw.indices}[{number}]")

    def _row(self, part: sympy.Basic, each: Known) -> Row | None:
        """The row that a node is the entry of at an index."""
        if not isinstance(part, Apply) or part.primitive.standard != "entry":
            return None
        array, *places = part.operands
        if places != [each] or not isinstance(array, Known):
            return None
        found = self.value(array.name)
        return found if isinstance(found, Row) else None

    def _node(self, node: Node) -> sympy.Expr:
        """What stands for the value of a node, the same wherever the node stands."""
        if isinstance(node, Indicator):
            return sympy.Piecewise((1, self._plain(node.condition)), (0, True))
        single = self._entry(node)
        return self.letter(node) if single is None else single

    def letter(self, node: Node) -> sympy.Symbol:
        """A real that stands for a node, whatever its value is."""
        name = next((name for name, known in self.nodes.items() if known == node), "")
        if not name:
            name = f"({node})"
            while name in self.symbols or name in self.claim.names:  # nodes may be shown alike
                name += "'"
            symbol = self.symbol(name)
            self.opaque[name] = f"is {node.kind}, not a formula in numbers"
            self.nodes[name] = node
            self._facts(symbol, node)
        return self.symbols[name]

    def _facts(self, symbol: sympy.Symbol, node: Node) -> None:
        """What every value of a node is: only primitives of this package are believed."""
        for fact in facts_of(node, self.claim.stands):
            told = FACTS.get(fact, lambda _: [])(symbol)
            self.conditions += told
            self.facts |= dict.fromkeys(told, symbol.name)
            if fact == "integer":
                self.whole.add(symbol.name)

    def instances(self) -> list[sympy.Basic]:
        """What is known of entries of rows, and of extremes at the entries met."""
        found = self.rows.conditions()
        for symbol, (name, _) in self.rows.entries.items():
            here = self.fields[name]
            if isinstance(here, (Weights, Probabilities)):
                found += [symbol >= 0, symbol <= 1]
            elif isinstance(here, Vector):
                low, high = self.end_of(here.low), self.end_of(here.high)
                found += [] if low is None else [symbol >= low]
                found += [] if high is None else [symbol <= high]
        return found

    def replaced(self, condition: sympy.Basic) -> sympy.Basic:
        """A condition with every formula put in, decimals as the fractions that they print."""
        decimals = condition.atoms(sympy.Float)
        if decimals:  # SymPy would round sums of them
            condition = condition.xreplace({f: sympy.Rational(str(f)) for f in decimals})
        plain = {symbol: found.expr for symbol, found in self.formulas.items()}
        for _ in range(len(plain)):
            if not condition.free_symbols & set(plain):
                break
            condition = condition.xreplace(plain)
        return condition

    def valueless(self, *, read: bool = True) -> str:
        """A node of which it is not seen that it has a value, and why; "" if there is none.

        Args: read: leave out nodes that are read as sums, whose parts certificates ask about; of
        tables they may read some entries only.
        """
        return next((told for _, told in list(self._of_nodes(read=read)) if told), "")

    def _of_nodes(self, *, read: bool) -> Iterator[tuple[list[sympy.Basic], str]]:
        """What each node needs to have a value, or why that is not to be seen."""
        for name, node in list(self.nodes.items()):
            if name not in self.valued:
                self.valued[name] = self._of_node(node)
            if not read or name not in self.sums.terms or node.has(Table):
                yield self.valued[name]

    def unsure(self) -> set[sympy.Basic]:
        """Facts about letters whose terms have a value only where something holds.

        A term has some value everywhere: such a fact says of it what is to be shown.
        """
        letters = {name for name in {*self.facts.values()} & {*self.sums.terms}
                   if any(self._of_node(self.nodes[name]))}  # fmt: skip
        return {fact for fact, name in self.facts.items() if name in letters}

    def _of_node(self, node: Node) -> tuple[list[sympy.Basic], str]:
        try:
            found = Values(self.sums).needed(node, {})
        except NoSum as error:
            return [], f"{node}: {error}"
        for symbol in sorted({s for c in found for s in c.free_symbols}, key=str):
            self.value(symbol.name)  # with what its field promises
        return found, ""

    def needed(self, *, read: bool = True) -> list[sympy.Basic]:
        """What must hold for all formulas and nodes to have a value, every formula put in."""
        stated = [c for f in self.formulas.values() for c in f.needed]
        stated += [c for found, _ in self._of_nodes(read=read) for c in found]
        found = [self.replaced(c) for c in (*stated, *self.places)]
        return [c for c in dict.fromkeys(found) if c is not sympy.true]

    def look(self, setting: Callable[[str], Any]) -> Callable[[str], Any]:
        """Values of symbols in a setting, entries of fixed sequences included."""

        def value(name: str) -> Any:
            if name in self.entries:
                field_name, place = self.entries[name]
                return setting(field_name)[place]
            if sympy.Symbol(name, real=True) in self.rows.entries or name in self._letters():
                return self.rows.value(name, setting)
            return setting(name)

        return value

    def _letters(self) -> set[str]:
        return {item.letter.name for item in self.rows.extremes.values()}


FACTS: dict[str, Callable[[sympy.Symbol], list[sympy.Basic]]] = {
    "nonnegative": lambda x: [x >= 0],
    "positive": lambda x: [x > 0],
    "probability": lambda x: [x >= 0, x <= 1],
}


def cases(claim: Claim) -> Iterator[Knowledge]:
    """The claim for every combination of the texts among its world fields, if there are few."""
    fields = dict(claim.worlds.fields) if claim.worlds is not None else {}
    texts = {
        name: found.items for name, found in fields.items()
        if isinstance(found, Choice) and any(isinstance(item, str) for item in found.items)
    }  # fmt: skip
    used = _used(claim)
    texts = {name: items for name, items in texts.items() if name in used}
    count = 1
    for items in texts.values():
        count *= len(items)
    if count > CASES:
        texts = {}
    for values in itertools.product(*texts.values()):
        yield Knowledge(claim, dict(zip(texts, values, strict=True)))


def _used(claim: Claim) -> set[str]:
    """Names that the statement and its hypotheses rest on, through definitions."""
    waiting = [s.name for s in claim.statement.free_symbols()]
    waiting += [s.name for c in claim.given for s in c.free_symbols]
    fields = dict(claim.worlds.fields) if claim.worlds is not None else {}
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        quantity = claim.measured.get(name)
        if quantity is not None:
            waiting += claim.arguments(quantity)
        elif isinstance(field_ := fields.get(name), Derived):
            waiting += inspect.signature(field_.rule).parameters
    return found


def _few(size: Any) -> bool:
    return isinstance(size, int) and size <= LONGEST


def _rational(value: Any) -> sympy.Rational | None:
    if not isinstance(value, (int, fmpq, str)) or isinstance(value, bool):
        return None
    try:
        exact = as_rational(value, {})
    except (ValueError, TypeError):
        return None
    return sympy.Rational(int(exact.p), int(exact.q))
