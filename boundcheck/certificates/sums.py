"""Sums over rows of any size: their normal forms, and what entries at any place say of them.

A sum is linear, does not depend on the names of its indices nor on their order, and factors that no
index reaches stand outside of it. What is left is an atom: a connected product of entries and of
functions of them, under its indices, written with the names #0, #1, ... that make it least.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from flint import fmpq

from boundcheck.certificates.polynomials import Monomial, Poly, add_to, number, scaled
from boundcheck.certificates.terms import Rejected, Relation, Term, places, reindexed

if TYPE_CHECKING:
    from boundcheck.certificates.normal import Normal

Bound = list[tuple[str, str]]  # (size, index)
Factor = tuple[Term, int]
INDICES, NAMED = 6, 16  # indices of one atom; names of indices while sums are put in order


def summed(normal: Normal, size: str, index: str, body: Term) -> Poly:
    """The normal form of a sum of a term over an index.

    Raises: Rejected where the size is none of the problem, or may be any number.
    """
    if size not in normal.signs.sizes:
        raise Rejected(f"{size[:60]!r} is no size here")
    name = _unused(places(body) | {index})
    total: Poly = {}
    for monomial, value in normal.of(reindexed(body, index, name)).items():
        inside = [(a, p) for a, p in monomial if name in _places_of(normal, a)]
        outside: Monomial = tuple(pair for pair in monomial if pair not in inside)
        factors = [(_term(normal, atom), power) for atom, power in inside]
        part = _product(normal, [(size, name)], factors)
        add_to(total, scaled(normal.product({outside: fmpq(1)}, part), value))
    return total


def _product(normal: Normal, bound: Bound, factors: list[Factor]) -> Poly:
    """The sum of a product over its indices, one atom for every part that hangs together."""
    bound, factors = _opened(bound, factors)
    result = number(1)
    for indices, members in _parts(bound, factors):
        result = normal.product(result, _atom(normal, indices, members))
    return result


def _opened(bound: Bound, factors: list[Factor]) -> tuple[Bound, list[Factor]]:
    """Sums among the factors taken together with the sum around them."""
    used = {index for _, index in bound}.union(*[places(term) for term, _ in factors])
    found: list[Factor] = []
    bound = list(bound)
    for term, power in factors:
        if term[0] != "sum" or power < 1:
            found.append((term, power))
            continue
        for _ in range(power):
            inner = term
            while not isinstance(inner, str) and inner[0] == "sum":
                _, size, index, body = inner
                name = _unused(used)
                used.add(name)
                bound.append((str(size), name))
                inner = reindexed(body, str(index), name)
            members = inner[1:] if inner[0] == "*" else (inner,)
            found += [_as_power(member) for member in members]
    return bound, found


def _as_power(term: Term) -> Factor:
    if isinstance(term, str) or term[0] != "^" or not isinstance(term[2], str):
        return term, 1
    # An inverse is zero where it has no value, and so cancels nothing.
    return (term[1], int(term[2])) if term[2].isdigit() else (term, 1)


def _parts(bound: Bound, factors: list[Factor]) -> Iterator[tuple[Bound, list[Factor]]]:
    """Indices and factors that hang together."""
    left = list(bound)
    while left:
        reached, members = {left[0][1]}, []
        for _ in range(len(bound) + 1):
            members = [f for f in factors if places(f[0]) & reached]
            reached |= set().union(*[places(f[0]) for f in members]) & {i for _, i in bound}
        yield [pair for pair in left if pair[1] in reached], members
        left = [pair for pair in left if pair[1] not in reached]


def _atom(normal: Normal, bound: Bound, factors: list[Factor]) -> Poly:
    if not factors:  # every index is on its own
        return normal.of(("x", bound[0][0]))
    if len(bound) > INDICES:
        raise Rejected(f"a sum over more than {INDICES} indices")
    joint: dict[Term, int] = {}
    for term, power in factors:
        joint[term] = joint.get(term, 0) + power
    kept = [(t, 1 if indicator(t) and p > 0 else p) for t, p in joint.items() if p]
    sizes = sorted(size for size, _ in bound)
    orders = [order for order in itertools.permutations(range(len(bound)))
              if all(bound[i][0] == sizes[place] for i, place in enumerate(order))]  # fmt: skip
    least = min((_written(normal, bound, kept, order) for order in orders), key=repr)
    if len(bound) == 1 and len(kept) == 1 and _law(normal, *least):
        return number(1)
    return {((normal.table.number(("sum", *least)), 1),): fmpq(1)}


def _written(
    normal: Normal, bound: Bound, factors: Sequence[Factor], order: Sequence[int]
) -> tuple[tuple[str, ...], tuple[Factor, ...]]:
    names = {index: f"#{place}" for (_, index), place in zip(bound, order, strict=True)}
    sizes = [""] * len(bound)
    for (size, _), place in zip(bound, order, strict=True):
        sizes[place] = size
    found: list[Factor] = []
    for term, power in factors:
        for index, name in names.items():
            term = reindexed(term, index, f"{name}'")
        for name in names.values():
            term = reindexed(term, f"{name}'", name)
        found.append((_settled(normal, term), power))
    return tuple(sizes), tuple(sorted(found, key=repr))


def _settled(normal: Normal, term: Term) -> Term:
    """A factor as its own normal form writes it."""
    if term[0] == "at":
        return term
    poly = normal.of(term)
    if len(poly) == 1:
        ((monomial, value),) = poly.items()
        if value == 1 and len(monomial) == 1 and monomial[0][1] == 1:
            return _term(normal, monomial[0][0])
    return term


def _law(normal: Normal, sizes: tuple[str, ...], factors: tuple[Factor, ...]) -> bool:
    """Whether an atom is the whole mass of a probability vector."""
    ((term, power),) = factors
    return power == 1 and term[0] == "at" and (
        normal.signs.laws.get(str(term[1])) == sizes[0] and len(term) == 3)  # fmt: skip


def indicator(term: Term) -> bool:
    """Whether a term is 1 where a condition holds, else 0."""
    if isinstance(term, str) or term[0] != "piecewise" or len(term) != 3:
        return False
    first, second = term[1], term[2]
    return first[1] == "1" and second[1:] == ("0", ("and",))


def term_of_sum(sizes: Sequence[str], factors: Sequence[Factor]) -> Term:
    """The term of an atom."""
    body: Term = ("*", *[t if p == 1 else ("^", t, str(p)) for t, p in factors])
    for place, size in enumerate(sizes):
        body = ("sum", size, f"#{place}", body)
    return body


def each(
    known: Sequence[tuple[tuple[str, ...], Relation]], bound: Bound
) -> Iterator[Relation]:
    """What is known of entries at any place, said of some indices."""
    for sizes, relation in known:
        for chosen in itertools.product(bound, repeat=len(sizes)):
            if tuple(size for size, _ in chosen) == sizes:
                plain = relation
                for place, (_, index) in enumerate(chosen):
                    plain = reindexed(plain, f"_{place}", index)  # type: ignore[assignment]
                yield plain


def _unused(taken: frozenset[str] | set[str]) -> str:
    for place in range(INDICES + 1, NAMED):
        if f"#{place}" not in taken:
            return f"#{place}"
    raise Rejected(f"sums inside sums need more than {NAMED} names")


def _places_of(normal: Normal, atom: int) -> frozenset[str]:
    found = normal.table.places.get(atom)
    if found is None:
        found = normal.table.places[atom] = frozenset(places(_term(normal, atom)))
    return found


def _term(normal: Normal, atom: int) -> Term:
    from boundcheck.certificates.facts import atom_term

    return atom_term(normal.table, atom)
