"""Facts that hold in one branch of a proof, and what they say about signs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from flint import fmpq

from boundcheck.certificates.normal import Normal
from boundcheck.certificates.polynomials import (
    Poly,
    Signs,
    Table,
    constant,
    content,
    key_of,
    minus,
    poly_of,
    rational,
    scaled,
)
from boundcheck.certificates.sums import each, term_of_sum
from boundcheck.certificates.terms import (
    COMPARISONS,
    Rejected,
    Relation,
    Term,
    nnf,
    places,
    read_term,
    symbols,
)

Step = Mapping[str, object]
FACTS, NESTED = 4_000, 60


@dataclass
class Count:
    """Work done so far in one check; there is an end to it."""

    steps: int = 0
    boxes: int = 0


@dataclass
class Context:
    """Facts that hold in one branch of a proof, and what they say about signs.

    Args: integers: symbols that take whole values. each: sizes of places _0, _1, ... and what
    holds of entries there. here: (size, index) of the places that facts speak of.
    """

    integers: set[str]
    table: Table = field(default_factory=Table)
    signs: Signs = field(default_factory=Signs)
    facts: list[Relation] = field(default_factory=list)
    count: Count = field(default_factory=Count)
    depth: int = 0
    each: tuple[tuple[tuple[str, ...], Relation], ...] = ()
    here: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        self._normal: tuple[object, Normal] | None = None

    def branch(self, *relations: Relation, without: str | None = None) -> Context:
        """The same with more facts; without: those on one symbol left out, and sums up to it."""
        if self.depth > NESTED:
            raise Rejected(f"a proof is nested deeper than {NESTED}")
        if without is None:
            new = Context(set(self.integers), self.table, self.signs.copy(), list(self.facts),
                          self.count, self.depth + 1, self.each, self.here)  # fmt: skip
        else:
            kept = tuple((s, r) for s, r in self.each if without not in {*s, *symbols(r)})
            new = Context(set(self.integers), self.table, self.signs.fresh(without), [], self.count,
                          self.depth + 1, kept, self.here)  # fmt: skip
            new.signs.letters = dict(self.signs.letters)
            new.add(*[fact for fact in self.facts if without not in symbols(fact)])
        new.add(*relations)
        return new

    def at_places(self, bound: list[tuple[str, str]]) -> list[Relation]:
        """What holds of entries at new indices of some sizes, alone and with those before."""
        new = {index for _, index in bound}
        return [fact for fact in each(self.each, [*self.here, *bound]) if places(fact) & new]

    def anywhere(self, bound: list[tuple[str, str]]) -> Context:
        """The same at any places of some sizes, with what holds of entries there."""
        found = self.branch(*self.at_places(bound))
        found.here = (*self.here, *bound)
        return found

    @property
    def normal(self) -> Normal:
        """Normal forms under what is known now."""
        state = self.signs.state(), tuple(self.signs.low.items()), tuple(self.signs.high.items())
        if self._normal is None or self._normal[0] != state:
            self._normal = (state, Normal(self.table, self.signs))
        return self._normal[1]

    def add(self, *relations: Relation) -> None:
        """New facts, conjunctions taken apart."""
        for relation in relations:
            plain = nnf(relation)
            if plain[0] == "and":
                self.add(*plain[1:])  # type: ignore[arg-type]
                continue
            if len(self.facts) >= FACTS:
                raise Rejected(f"more than {FACTS} facts")
            self.facts.append(plain)
            self._register(plain)
        self._settle()

    def _settle(self) -> None:
        """Signs told by facts whose normal form other signs have changed."""
        for _ in range(6):
            before = self.signs.state(), len(self.signs.low), len(self.signs.high)
            for fact in self.facts:
                self._register(fact)
            if before == (self.signs.state(), len(self.signs.low), len(self.signs.high)):
                return

    def _register(self, fact: Relation) -> None:
        if fact[0] not in COMPARISONS:
            return
        poly = minus(self.normal.of(fact[2]), self.normal.of(fact[1]))
        if constant(poly) is not None:
            return
        scale = content(poly)
        key = key_of(scaled(poly, 1 / abs(scale)))
        if fact[0] == "<":
            self.signs.positive.add(key)
        elif fact[0] == "<=":
            self.signs.nonnegative.add(key)
        elif fact[0] == "!=":
            self.signs.nonzero.add(key_of(scaled(poly, 1 / scale)))
        if fact[0] in ("<", "<=", "="):
            self._bound(poly)

    def _bound(self, poly: Poly) -> None:
        rest = {m: c for m, c in poly.items() if m}
        if len(rest) != 1:
            return
        ((monomial, value),) = rest.items()
        if len(monomial) != 1 or monomial[0][1] != 1:
            return
        atom, end = monomial[0][0], -poly.get((), fmpq(0)) / value
        if value > 0:
            self.signs.low[atom] = max(end, self.signs.low.get(atom, end))
        else:
            self.signs.high[atom] = min(end, self.signs.high.get(atom, end))

    def fact(self, index: object) -> Relation:
        """A fact by its place."""
        if not isinstance(index, int) or isinstance(index, bool) or not (
            0 <= index < len(self.facts)
        ):
            raise Rejected(f"there is no fact {index!r}")
        return self.facts[index]

    def gap(self, index: object, *kinds: str) -> Poly:
        """Right side minus left side of a fact of one of some kinds."""
        fact = self.fact(index)
        if fact[0] not in (kinds or COMPARISONS):
            raise Rejected(f"fact {index} is no comparison of kind {' or '.join(kinds)}")
        return minus(self.normal.of(fact[2]), self.normal.of(fact[1]))


def term_of(table: Table, poly: Poly) -> Term:
    """A term whose normal form is a polynomial."""
    parts = []
    for monomial, value in sorted(poly.items()):
        factors: list[Term] = [f"{value.p}/{value.q}" if value.q != 1 else str(value.p)]
        factors += [_atom_power(table, atom, power) for atom, power in monomial]
        parts.append(("*", *factors) if len(factors) > 1 else factors[0])
    return "0" if not parts else parts[0] if len(parts) == 1 else ("+", *parts)


def _atom_power(table: Table, atom: int, power: int) -> Term:
    term = atom_term(table, atom)
    return term if power == 1 else ("^", term, str(power))


def atom_term(table: Table, atom: int) -> Term:
    """The term that an atom stands for."""
    head, *args = table.atoms[atom]
    if head in ("x", "at", "piecewise"):
        return (str(head), *args)  # type: ignore[arg-type]
    if head == "sum":
        return term_of_sum(*args)  # type: ignore[arg-type]
    if head == "root":
        return ("^", term_of(table, poly_of(args[1])), f"1/{args[0]}")  # type: ignore[arg-type]
    inner = [term_of(table, poly_of(arg)) for arg in args]  # type: ignore[arg-type]
    if head == "inv":
        return ("^", inner[0], "-1")
    if head == "pow":
        return ("^", inner[0], inner[1])
    return (str(head), *inner)


def entries(value: object) -> Sequence[object]:
    """A list of a step. Raises: Rejected."""
    if not isinstance(value, (list, tuple)) or len(value) > 20_000:
        raise Rejected(f"{str(value)[:60]!r} is no list")
    return value


def rows(step: Step, name: str, width: int) -> list[Sequence[object]]:
    """The rows of a table of a step. Raises: Rejected."""
    found = [entries(row) for row in entries(step.get(name, []))]
    if any(len(row) != width for row in found):
        raise Rejected(f"a row of {name} has not {width} entries")
    return found


def positive(value: object) -> fmpq:
    """A positive number of a step. Raises: Rejected."""
    found = rational(str(read_term(value))) if isinstance(value, str) else fmpq(-1)
    if found <= 0:
        raise Rejected("a factor of a combination is not positive")
    return found
