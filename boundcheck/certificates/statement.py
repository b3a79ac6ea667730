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
from boundcheck.certificates.words import Matrices, check_equations, read_matrices


@dataclass(frozen=True)
class Problem:
    """What is to be shown of real numbers.

    Args:
        integers: symbols that take whole values.
        premises: what holds. needed: what must hold beside the goal, in this order.
        goal: the statement; that its parts have values is shown with it.
        matrices: equations between matrices that are to hold beside it, or None.
    """

    integers: tuple[str, ...]
    premises: tuple[Relation, ...]
    needed: tuple[Relation, ...]
    goal: Relation
    matrices: Matrices | None = None

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
        return {
            "integers": list(self.integers), "premises": [listed(p) for p in self.premises],
            "needed": [listed(n) for n in self.needed], "goal": listed(self.goal),
            "matrices": None if self.matrices is None else self.matrices.as_json(),
        }  # fmt: skip


def listed(term: Term) -> object:
    """A term with lists for tuples."""
    return term if isinstance(term, str) else [listed(part) for part in term]


def read_problem(value: object) -> Problem:
    """A problem from JSON. Raises: Rejected."""
    fields = {"integers", "premises", "needed", "goal", "matrices"}
    if not isinstance(value, dict) or set(value) != fields:
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
    )


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
