"""What a certificate is to show: premises, what must hold beside the goal, and the goal."""

from __future__ import annotations

from dataclasses import dataclass

from boundcheck.certificates.checker import closes
from boundcheck.certificates.facts import Context, entries
from boundcheck.certificates.terms import (
    COMPARISONS,
    FALSE,
    Rejected,
    Relation,
    needs,
    negated,
    nnf,
    read_relation,
    sizes_summed,
)
from boundcheck.certificates.words import Matrices, check_equations, read_matrices


@dataclass(frozen=True)
class Problem:
    """What is to be shown of real numbers.

    Args:
        integers: symbols that take whole values.
        premises: what holds. needed: what must hold beside the goal, in this order.
        goal: the statement; that its parts have values is shown with it.
        matrices: equations between matrices that are to hold beside it, or None.
        rows: (row, sizes, sign of its entries: 2 positive or 1 nonnegative, whether they are a
            probability law). each: (sizes, relation): what holds of entries at places _0, _1, ...
        named: (index, size) of every index in the terms.
    """

    integers: tuple[str, ...]
    premises: tuple[Relation, ...]
    needed: tuple[Relation, ...]
    goal: Relation
    matrices: Matrices | None = None
    rows: tuple[tuple[str, tuple[str, ...], int, bool], ...] = ()
    each: tuple[tuple[tuple[str, ...], Relation], ...] = ()
    named: tuple[tuple[str, str], ...] = ()

    def targets(self) -> list[Relation]:
        """Everything to show, one after the other; each may use those before it."""
        found: list[Relation] = []
        for wanted in (*self.needed, *conjuncts(self.goal)):
            for relation in (*needs(wanted), wanted):
                if nnf(relation) != ("and",) and relation not in found:
                    found.append(relation)
        return found

    def context(self) -> Context:
        """The facts that a proof starts from."""
        found = Context(set(self.integers), each=self.each)
        found.signs.entries = {name: sign for name, _, sign, _ in self.rows if sign}
        found.signs.laws = {name: sizes[0] for name, sizes, _, law in self.rows if law}
        found.signs.sizes = self.sizes()
        found.add(*self.premises)
        named = [(size, index) for index, size in self.named]
        anywhere = found.at_places(named)
        found.here = tuple(named)
        found.add(*[fact for fact in anywhere if fact[0] in COMPARISONS])
        return found

    def sizes(self) -> frozenset[str]:
        """Of rows, of places, and of the sums that the problem itself speaks of."""
        found = {size for _, sizes, _, _ in self.rows for size in sizes}
        found |= {size for sizes, _ in self.each for size in sizes}
        found |= {size for _, size in self.named}
        stated = (*self.premises, *self.needed, self.goal, *[fact for _, fact in self.each])
        return frozenset(found.union(*map(sizes_summed, stated)))

    def as_json(self) -> dict[str, object]:
        """The problem as JSON."""
        rows = {} if not (self.named or self.rows or self.each) else {
            "rows": listed(self.rows), "named": listed(self.named),
            "each": [[list(sizes), listed(relation)] for sizes, relation in self.each],
        }  # fmt: skip
        return {
            "integers": list(self.integers), "premises": [listed(p) for p in self.premises],
            "needed": [listed(n) for n in self.needed], "goal": listed(self.goal),
            "matrices": None if self.matrices is None else self.matrices.as_json(), **rows,
        }  # fmt: skip


def conjuncts(relation: Relation) -> list[Relation]:
    """The members of a conjunction, of which each may use those before it."""
    if relation[0] != "and":
        return [relation]
    return [part for member in relation[1:] for part in conjuncts(member)]  # type: ignore[arg-type]


def listed(term: object) -> object:
    """A term with lists for tuples."""
    return [listed(part) for part in term] if isinstance(term, tuple) else term


def read_problem(value: object) -> Problem:
    """A problem from JSON. Raises: Rejected."""
    fields = {"integers", "premises", "needed", "goal", "matrices"}
    rows = {"rows", "each", "named"}
    if not isinstance(value, dict) or set(value) not in (fields, fields | rows):
        raise Rejected("a problem is not integers, premises, needed, goal and matrices")
    names = entries(value["integers"])
    if not all(isinstance(name, str) for name in names):
        raise Rejected("an integer symbol has no name")
    return Problem(
        tuple(str(name) for name in names),
        tuple(read_relation(p) for p in entries(value["premises"])),
        tuple(read_relation(n) for n in entries(value["needed"])),
        read_relation(value["goal"]),
        None if value["matrices"] is None else read_matrices(value["matrices"]),
        *read_rows(value),
    )


Rows = tuple[tuple[str, tuple[str, ...], int, bool], ...]
Each = tuple[tuple[tuple[str, ...], Relation], ...]


def read_rows(value: dict[str, object]) -> tuple[Rows, Each, tuple[tuple[str, str], ...]]:
    """Rows, what holds of their entries, and indices. Raises: Rejected."""
    rows, each = [], []
    for name, sizes, sign, law in map(entries, entries(value.get("rows", []))):
        if not isinstance(name, str) or sign not in (0, 1, 2) or not isinstance(law, bool):
            raise Rejected("a row is no name, sizes, sign and whether it is a law")
        rows.append((name, tuple(map(str, entries(sizes))), int(sign), law))
    for sizes, relation in map(entries, entries(value.get("each", []))):
        each.append((tuple(map(str, entries(sizes))), read_relation(relation)))
    named = tuple((str(i), str(s)) for i, s in map(entries, entries(value.get("named", []))))
    if len({index for index, _ in named}) < len(named):
        raise Rejected("an index has two sizes")
    return tuple(rows), tuple(each), named


def verify(problem: Problem, proofs: object) -> int:
    """Steps of the proofs of a problem's targets, one list each; those of equations come last.

    Raises: Rejected if a target is not shown.
    """
    targets, found = problem.targets(), list(entries(proofs))
    context = problem.context()
    wanted = len(targets) + (problem.matrices is not None)
    if FALSE in targets or len(found) != wanted:
        raise Rejected(f"{wanted} targets, {len(found)} proofs")
    for target, proof in zip(targets, found, strict=False):
        closes(context.branch(negated(target)), proof, "a target")
        context.add(target)
    if problem.matrices is None:
        return context.count.steps
    return context.count.steps + check_equations(context, problem.matrices, found[-1])
