"""What a certificate is to show: premises, what must hold beside the goal, and the goal."""

from __future__ import annotations

from dataclasses import dataclass

from boundcheck.certificates.checker import closes
from boundcheck.certificates.facts import Context, entries
from boundcheck.certificates.terms import (
    FALSE,
    Rejected,
    Relation,
    Term,
    needs,
    negated,
    nnf,
    read_relation,
)


@dataclass(frozen=True)
class Problem:
    """What is to be shown of real numbers.

    Args:
        integers: symbols that take whole values.
        premises: what holds. needed: what must hold beside the goal, in this order.
        goal: the statement; that its parts have values is shown with it.
    """

    integers: tuple[str, ...]
    premises: tuple[Relation, ...]
    needed: tuple[Relation, ...]
    goal: Relation

    def targets(self) -> list[Relation]:
        """Everything to show, one after the other; each may use those before it."""
        found: list[Relation] = []
        for wanted in (*self.needed, self.goal):
            for relation in (*needs(wanted), wanted):
                if nnf(relation) != ("and",) and relation not in found:
                    found.append(relation)
        return found

    def context(self) -> Context:
        """The facts that a proof starts from."""
        found = Context(set(self.integers))
        found.add(*self.premises)
        return found

    def as_json(self) -> dict[str, object]:
        """The problem as JSON."""
        return {"integers": list(self.integers), "premises": [listed(p) for p in self.premises],
                "needed": [listed(n) for n in self.needed], "goal": listed(self.goal)}  # fmt: skip


def listed(term: Term) -> object:
    """A term with lists for tuples."""
    return term if isinstance(term, str) else [listed(part) for part in term]


def read_problem(value: object) -> Problem:
    """A problem from JSON. Raises: Rejected."""
    if not isinstance(value, dict) or set(value) != {"integers", "premises", "needed", "goal"}:
        raise Rejected("a problem is not integers, premises, needed and goal")
    names = entries(value["integers"])
    if not all(isinstance(name, str) for name in names):
        raise Rejected("an integer symbol has no name")
    return Problem(
        tuple(str(name) for name in names),
        tuple(read_relation(p) for p in entries(value["premises"])),
        tuple(read_relation(n) for n in entries(value["needed"])),
        read_relation(value["goal"]),
    )


def verify(problem: Problem, proofs: object) -> int:
    """Steps of the proofs of a problem's targets, one list of steps each.

    Raises: Rejected if a target is not shown.
    """
    targets = problem.targets()
    context = problem.context()
    if FALSE in targets or len(entries(proofs)) != len(targets):
        raise Rejected(f"{len(targets)} targets, {len(entries(proofs))} proofs")
    for target, proof in zip(targets, entries(proofs), strict=True):
        closes(context.branch(negated(target)), proof, "a target")
        context.add(target)
    return context.count.steps
