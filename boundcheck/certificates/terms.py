"""Terms and relations of a certificate: nested lists of texts, read with limits.

A number is a text "p" or "p/q"; everything else is a list that begins with its operation:
["x", name], ["+", ...], ["^", base, exponent], ["log", a], ["<=", a, b], ["and", ...] and so on.
["at", row, index ...] is an entry of a row and ["sum", size, index, body] a sum over an index.
Terms are total: 1/0 is 0, roots of negative numbers are minus the root of their size, and
logarithms and powers outside their domains are some numbers of which nothing is known. That every
part of a statement has a value is shown apart, by `needs`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

Term = str | tuple["Term", ...]
Relation = tuple[Term, ...]

NUMBER = re.compile(r"-?[0-9]{1,2000}(/[0-9]{1,2000})?")
NAME = re.compile(r".{1,200}", re.DOTALL)
INDEX = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,60}")
INNER = re.compile(r"#[0-9]")
NODES, DEPTH = 200_000, 120
KEPT = 1 << 15  # terms whose indices are remembered
UNARY = ("exp", "log", "abs", "floor", "ceiling", "sin", "cos", "tanh", "erf")
ARITIES: dict[str, tuple[int, int]] = {
    "+": (1, 10_000), "*": (1, 10_000), "^": (2, 2), "max": (1, 100), "min": (1, 100),
    "pi": (0, 0), "piecewise": (1, 100),
    **dict.fromkeys(UNARY, (1, 1)),
}  # fmt: skip
LEAVES = ("x", "at", "sum")  # what a sum is made of depends on its index
COMPARISONS = ("<=", "<", "=", "!=")
CONNECTIVES: dict[str, tuple[int, int]] = {
    "and": (0, 10_000), "or": (0, 10_000), "not": (1, 1), "implies": (2, 2),
}  # fmt: skip
TRUE: Relation = ("and",)
FALSE: Relation = ("or",)


class Rejected(Exception):
    """What is wrong with a certificate, in one line."""


class _Reader:
    def __init__(self) -> None:
        self.nodes = 0
        self.bound: list[str] = []

    def _enter(self, value: object, depth: int) -> list[object]:
        self.nodes += 1
        if depth > DEPTH or self.nodes > NODES:
            raise Rejected(f"an expression is deeper than {DEPTH} or has over {NODES} parts")
        if not isinstance(value, (list, tuple)) or not value or not isinstance(value[0], str):
            raise Rejected(f"{str(value)[:60]!r} is no expression")
        return list(value)

    def term(self, value: object, depth: int = 0) -> Term:
        if isinstance(value, str):
            if not NUMBER.fullmatch(value) or value.endswith("/0"):
                raise Rejected(f"{value[:60]!r} is no rational number")
            return value
        head, *rest = self._enter(value, depth)
        if head == "x":
            return ("x", _name(rest))
        if head == "at" and len(rest) in (2, 3):
            return ("at", _name(rest[:1]), *[self._index(index) for index in rest[1:]])
        if head == "sum" and len(rest) == 3:
            self.bound.append(str(rest[1]))
            index, body = self._index(rest[1]), self.term(rest[2], depth + 1)
            self.bound.pop()
            return ("sum", _name(rest[:1]), index, body)
        low, high = ARITIES.get(str(head), (1, 0))
        if not low <= len(rest) <= high:
            raise Rejected(f"{str(head)[:60]!r} is no operation on {len(rest)} values")
        if head == "piecewise":
            return (head, *[self._piece(part, depth + 1) for part in rest])
        return (str(head), *[self.term(part, depth + 1) for part in rest])

    def _index(self, value: object) -> str:
        """An index; names that normal forms give to what they add over stand in sums only."""
        name = str(value)
        plain = INDEX.fullmatch(name) or (name in self.bound and INNER.fullmatch(name))
        if not isinstance(value, str) or not plain:
            raise Rejected(f"{name[:60]!r} is no index")
        return name

    def _piece(self, value: object, depth: int) -> Term:
        pair = self._enter(value, depth)
        if pair[0] != "case" or len(pair) != 3:
            raise Rejected("a piece is no ['case', value, condition]")
        return ("case", self.term(pair[1], depth), self.relation(pair[2], depth))

    def relation(self, value: object, depth: int = 0) -> Relation:
        head, *rest = self._enter(value, depth)
        if head in COMPARISONS:
            if len(rest) != 2:
                raise Rejected(f"{head!r} compares {len(rest)} values")
            return (str(head), *[self.term(part, depth + 1) for part in rest])
        low, high = CONNECTIVES.get(str(head), (1, 0))
        if not low <= len(rest) <= high:
            raise Rejected(f"{str(head)[:60]!r} is no relation of {len(rest)} parts")
        return (str(head), *[self.relation(part, depth + 1) for part in rest])


def _name(rest: list[object]) -> str:
    if len(rest) != 1 or not isinstance(rest[0], str) or not NAME.fullmatch(rest[0]):
        raise Rejected("a symbol has no name")
    return rest[0]


def read_term(value: object) -> Term:
    """A term from JSON. Raises: Rejected."""
    return _Reader().term(value)


def read_relation(value: object) -> Relation:
    """A relation from JSON. Raises: Rejected.

    >>> read_relation(["<=", ["x", "n"], "3/2"])
    ('<=', ('x', 'n'), '3/2')
    """
    return _Reader().relation(value)


def nnf(relation: Relation) -> Relation:
    """The same in comparisons, "and" and "or" only."""
    head, *rest = relation
    if head in ("and", "or"):
        return (head, *[nnf(part) for part in rest])  # type: ignore[arg-type]
    if head == "not":
        return negated(rest[0])  # type: ignore[arg-type]
    if head == "implies":
        return ("or", negated(rest[0]), nnf(rest[1]))  # type: ignore[arg-type]
    return relation


def negated(relation: Relation) -> Relation:
    """What holds where a relation does not, in comparisons, "and" and "or".

    >>> negated(("<=", ("x", "n"), "1"))
    ('<', '1', ('x', 'n'))
    """
    head, *rest = relation
    if head == "and" or head == "or":
        return ("or" if head == "and" else "and", *[negated(p) for p in rest])  # type: ignore
    if head == "not":
        return nnf(rest[0])  # type: ignore[arg-type]
    if head == "implies":
        return ("and", nnf(rest[0]), negated(rest[1]))  # type: ignore[arg-type]
    a, b = rest
    if head in ("=", "!="):
        return ("!=" if head == "=" else "=", a, b)
    return ("<" if head == "<=" else "<=", b, a)


def subterms(term: Term) -> Iterator[Term]:
    """Every part of a term or relation, itself included, inside out."""
    if isinstance(term, str):
        yield term
        return
    if term[0] not in LEAVES:
        for part in term[1:]:
            yield from subterms(part)
    yield term


def symbols(term: Term) -> set[str]:
    """Names of the symbols of a term or relation."""
    if isinstance(term, str):
        return set()
    if term[0] == "x":
        return {str(term[1])}
    if term[0] == "at":
        return {f"{term[1]}[{','.join(map(str, term[2:]))}]"}
    if term[0] == "sum":
        return symbols(term[3]) | {str(term[1])}
    return set().union(*[symbols(part) for part in term[1:]])


def sizes_summed(term: Term) -> set[str]:
    """Sizes of the sums in a term or relation."""
    if isinstance(term, str) or term[0] in ("x", "at"):
        return set()
    inner = set().union(*[sizes_summed(part) for part in term[1:]])
    return inner | {str(term[1])} if term[0] == "sum" else inner


def replaced(term: Term, name: str, by: Term) -> Term:
    """A term or relation with a symbol put in. Raises: Rejected for the size of a sum."""
    if isinstance(term, str):
        return term
    if term[0] == "x":
        return by if term[1] == name else term
    if term[0] == "at":
        return term
    if term[0] == "sum":
        if term[1] == name or (term[2] in places(by) and name in symbols(term[3])):
            raise Rejected(f"{name} is the size of a sum, or an index would mean another")
        return ("sum", term[1], term[2], replaced(term[3], name, by))
    return (term[0], *[replaced(part, name, by) for part in term[1:]])


def put_in(term: Term, what: Term, by: Term) -> Term:
    """A term or relation with one term wherever another stands, which may be in no sum.

    >>> put_in(("<", ("abs", ("x", "t")), "1"), ("abs", ("x", "t")), ("x", "t"))
    ('<', ('x', 't'), '1')
    """
    if term == what:
        return by
    if isinstance(term, str) or term[0] in LEAVES:
        return term
    return (term[0], *[put_in(part, what, by) for part in term[1:]])


@lru_cache(maxsize=KEPT)
def places(term: Term) -> frozenset[str]:
    """Indices of entries that no sum around them binds."""
    if isinstance(term, str) or term[0] == "x":
        return frozenset()
    if term[0] == "at":
        return frozenset(map(str, term[2:]))
    if term[0] == "sum":
        return places(term[3]) - {str(term[2])}
    return frozenset[str]().union(*[places(part) for part in term[1:]])


@lru_cache(maxsize=KEPT)
def reindexed(term: Term, index: str, to: str) -> Term:
    """A term or relation with another free index in the place of one.

    Raises: Rejected where a sum would bind it.
    """
    if isinstance(term, str) or term[0] == "x":
        return term
    if term[0] == "at":
        return (*term[:2], *[to if place == index else place for place in term[2:]])
    if term[0] == "sum":
        if term[2] == index or index not in places(term[3]):
            return term
        if term[2] == to:
            raise Rejected(f"the index {to} would mean another")
        return (*term[:3], reindexed(term[3], index, to))
    return (term[0], *[reindexed(part, index, to) for part in term[1:]])


def whole_number(term: Term) -> int | None:
    """The integer that a term is, if it is one written down."""
    if isinstance(term, str) and "/" not in term:
        return int(term)
    return None


def needs(term: Term) -> list[Relation]:
    """What must hold for every part of a term or relation to have a value.

    >>> needs(("<=", ("^", ("x", "n"), "-1"), "1"))
    [('!=', ('x', 'n'), '0')]
    """
    if isinstance(term, str) or term[0] in ("x", "at", "pi"):
        return []
    head = term[0]
    if head == "sum":  # at any place: of the index nothing is known but that it is one
        return needs(term[3])
    if head == "implies":
        inner = needs(term[2])
        return [*needs(term[1]), *[("implies", term[1], needed) for needed in inner]]
    if head == "piecewise":
        return _of_pieces(term[1:])
    found = [needed for part in term[1:] for needed in needs(part)]
    return [*found, *_own(term)]


def _own(term: tuple[Term, ...]) -> list[Relation]:
    if term[0] == "log":
        return [("<", "0", term[1])]
    if term[0] != "^":
        return []
    base, exponent = term[1], term[2]
    whole = whole_number(exponent)
    if whole is not None:
        return [("!=", base, "0")] if whole < 0 else []
    if isinstance(exponent, str):
        return [("<" if exponent.startswith("-") else "<=", "0", base)]
    at_zero = ("and", ("=", base, "0"), ("<", "0", exponent))
    return [("or", ("<", "0", base), at_zero)]


def parts_of(pieces: Iterable[Term]) -> Iterator[tuple[Term, Relation]]:
    """(value, condition) of every piece of a piecewise term."""
    for piece in pieces:
        head, value, condition = piece if isinstance(piece, tuple) else ("", "", "")
        if head != "case" or isinstance(condition, str):
            raise Rejected("what is no piece of a piecewise term")
        yield value, condition


def _of_pieces(pieces: tuple[Term, ...]) -> list[Relation]:
    found: list[Relation] = []
    earlier: list[Relation] = []
    for value, condition in parts_of(pieces):
        found += needs(condition)
        here: Relation = ("and", condition, *[("not", other) for other in earlier])
        found += [("implies", here, needed) for needed in needs(value)]
        earlier.append(condition)
    return [*found, ("or", *earlier)]


def derivative(term: Term, name: str) -> Term:
    """Derivative by a symbol, for what is differentiable where `regular` holds. Raises: Rejected.

    >>> derivative(("exp", ("*", "2", ("x", "t"))), "t")
    ('*', ('exp', ('*', '2', ('x', 't'))), '2')
    """
    if name not in symbols(term):
        return "0"
    assert not isinstance(term, str)
    head, *args = term
    if head == "x":
        return "1"
    if head == "+":
        return _sum([derivative(arg, name) for arg in args])
    if head == "*":
        return _sum([
            _product([*args[:i], derivative(arg, name), *args[i + 1 :]])
            for i, arg in enumerate(args) if name in symbols(arg)
        ])  # fmt: skip
    inner = derivative(args[0], name) if args else "0"
    if head == "exp":
        return _product([term, inner])
    if head == "log":
        return _product([("^", args[0], "-1"), inner])
    if head == "^" and isinstance(args[1], str):
        return _product([args[1], ("^", args[0], ("+", args[1], "-1")), inner])
    if head == "^":
        rest = ("*", args[1], ("log", args[0]))
        return _product([term, derivative(rest, name)])
    if head in ("sin", "cos"):
        other = ("cos", args[0]) if head == "sin" else ("*", "-1", ("sin", args[0]))
        return _product([other, inner])
    if head == "tanh":
        return _product([("+", "1", ("*", "-1", ("^", term, "2"))), inner])
    raise Rejected(f"no derivative of {head} in {name}")


def _sum(parts: list[Term]) -> Term:
    kept = [part for part in parts if part != "0"]
    return kept[0] if len(kept) == 1 else ("+", *kept) if kept else "0"


def _product(parts: list[Term]) -> Term:
    if "0" in parts:
        return "0"
    kept = [part for part in parts if part != "1"]
    return parts[0] if not kept else kept[0] if len(kept) == 1 else ("*", *parts)


def regular(term: Term, name: str) -> list[Relation]:
    """Where a term is differentiable in a symbol, beyond having a value: no root at zero."""
    found: list[Relation] = []
    for part in subterms(term):
        if isinstance(part, str) or part[0] != "^" or name not in symbols(part):
            continue
        if whole_number(part[2]) is None:
            found.append(("<", "0", part[1]))
    return found
