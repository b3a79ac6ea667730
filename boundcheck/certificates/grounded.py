"""Problems with rows of entries at one size: entries become symbols, sums become plain sums."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from boundcheck.certificates.statement import Problem
from boundcheck.certificates.terms import Relation, Term


@dataclass(frozen=True)
class Grounding:
    """What is put in for sizes and places.

    Args: sizes: number of places by name. places: place by index.
    """

    sizes: Mapping[str, int]
    places: Mapping[str, int] = field(default_factory=dict)

    def at(self, places: Mapping[str, int]) -> Grounding:
        """The same with more places."""
        return Grounding(self.sizes, {**self.places, **places})

    def relation(self, stated: Relation) -> Relation:
        """A relation without entries and sums."""
        head, *args = stated
        return (head, *map(self.of, args))

    def of(self, term: Term) -> Term:
        """A term without entries and sums."""
        if isinstance(term, str):
            return term
        head, *args = term
        if head == "x":
            known = self.sizes.get(str(args[0]))
            return term if known is None else str(known)
        if head == "at":
            return entry(str(args[0]), [self.places[str(index)] for index in args[1:]])
        if head == "sum":
            size, index, body = args
            return ("+", "0", *[self.at({str(index): place}).of(body)
                                for place in range(self.sizes[str(size)])])  # fmt: skip
        return (head, *[self.of(arg) for arg in args])


def entry(row: str, places: list[int]) -> Term:
    """The symbol of an entry."""
    return ("x", f"{row}[{','.join(map(str, places))}]")


def grounded(problem: Problem, size: int) -> Problem:
    """A problem whose rows have `size` places, at least one, in every direction.

    What holds of it at any size holds of this one: a point that refutes this refutes the problem.
    """
    sizes = dict.fromkeys(problem.sizes(), size)
    anywhere = {index: place % size for place, (index, _) in enumerate(problem.named)}
    at = Grounding(sizes, anywhere)
    premises = [at.relation(premise) for premise in problem.premises]
    for directions, relation in problem.each:
        for places in itertools.product(range(size), repeat=len(directions)):
            named = {f"_{position}": place for position, place in enumerate(places)}
            premises.append(at.at(named).relation(relation))
    return Problem(
        tuple(name for name in problem.integers if name not in sizes),
        (*premises, *_of_rows(problem, size)),
        tuple(map(at.relation, problem.needed)), at.relation(problem.goal),
    )  # fmt: skip


def _of_rows(problem: Problem, size: int) -> Iterator[Relation]:
    """What is known of the entries of rows: their signs, and the last one of each law."""
    for name, directions, sign, law in problem.rows:
        every = itertools.product(range(size), repeat=len(directions))
        entries = [entry(name, list(places)) for places in every]
        if law:
            yield ("=", entries[-1], ("+", "1", *[("*", "-1", one) for one in entries[:-1]]))
            yield from (("<=", one, "1") for one in entries)
        if sign:
            yield from (("<" if sign == 2 else "<=", "0", one) for one in entries)
