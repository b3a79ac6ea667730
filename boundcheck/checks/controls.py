"""Negative controls: mutants of a claim, false on purpose, that the same search must refute.

Mutants are derived from the SymPy expression. One that survives is listed with the reason: a
mutant of a loose bound can be true, which is what the claim's slack says.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import sympy

from boundcheck.checks import enumeration
from boundcheck.checks.base import Task
from boundcheck.claim import Claim, UpToConstant, WithProbability
from boundcheck.errors import Broken, MalformedStatement
from boundcheck.verdict import Evidence

NAME = "controls"
SHARE = 8  # mutants get this fraction of the claim's evaluations
MOST_HYPOTHESES = 3


@dataclass(frozen=True)
class Mutant:
    """A claim changed in one way."""

    name: str
    claim: Claim


def run(task: Task, slack: float | None) -> Evidence:
    """Search every mutant of a claim that was not refuted; count those caught."""
    rows = []
    for mutant in mutants(task.claim):
        budget = replace(
            task.budget,
            evaluations=max(task.budget.evaluations // SHARE, 40),
            shrinks=0,
            seconds=task.budget.seconds / SHARE,
        )
        try:
            found = enumeration.run(replace(task, claim=mutant.claim, budget=budget))
        except Broken as error:  # a definition may serve under the hypotheses alone
            found = Evidence(NAME, None, f"a definition fails there: {error}")
        caught = found.outcome in ("refuted", "malformed")
        rows.append({"mutant": mutant.name, "caught": caught,
                     "reason": "" if caught else _why(mutant, slack, found)})  # fmt: skip
    count = sum(bool(row["caught"]) for row in rows)
    return Evidence(
        NAME, None, f"{count} of {len(rows)} mutants refuted", numbers={"mutants": rows}
    )


def _why(mutant: Mutant, slack: float | None, found: Evidence) -> str:
    if "hypothesis" in mutant.name:
        return "no violating world without this hypothesis was found: it may not be needed"
    if slack is not None and slack > 2:
        return f"the bound has slack {slack:.3g}, so the mutant may be true"
    return found.detail


def mutants(claim: Claim) -> Iterator[Mutant]:
    """All mutants of a claim, none for statements up to a constant (they have no constant)."""
    form = claim.statement
    if isinstance(form, UpToConstant) or claim.undefined:
        return
    for name, relation in mutated_relations(form.relation):
        changed = _with(claim, name, statement=form.with_relation(relation))
        if changed is not None:
            yield changed
    if isinstance(form, WithProbability):
        higher = (1 + form.level) / 2
        changed = _with(claim, "failure probability halved",
                        statement=WithProbability(higher, form.relation))  # fmt: skip
        if changed is not None:
            yield changed
    for position, condition in enumerate(claim.given[:MOST_HYPOTHESES]):
        kept = (*claim.given[:position], *claim.given[position + 1 :])
        changed = _with(claim, f"hypothesis {condition} removed", given=kept)
        if changed is not None:
            yield changed


def _with(claim: Claim, name: str, **changes: Any) -> Mutant | None:
    try:
        return Mutant(name, replace(claim, **changes))
    except MalformedStatement:
        return None


def mutated_relations(relation: sympy.Basic) -> Iterator[tuple[str, sympy.Basic]]:
    """(name, relation) for every mutation that applies to one comparison or implication."""
    if isinstance(relation, sympy.Implies):
        for name, changed in mutated_relations(relation.args[1]):
            yield name, sympy.Implies(relation.args[0], changed)
        return
    if isinstance(relation, sympy.And):
        first, *rest = relation.args
        for name, changed in mutated_relations(first):
            yield name, sympy.And(changed, *rest)
        return
    if isinstance(relation, sympy.Eq):
        yield from _mutated_equation(relation)
    elif isinstance(relation, (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)):
        yield from _mutated_inequality(relation)


def _mutated_equation(relation: sympy.Eq) -> Iterator[tuple[str, sympy.Basic]]:
    left, right = relation.lhs, relation.rhs
    if right != 0:
        yield "factor 2 on the right", sympy.Eq(left, 2 * right, evaluate=False)
        yield "sign of the right side flipped", sympy.Eq(left, -right, evaluate=False)
    elif left.is_commutative:
        yield "right side one", sympy.Eq(left, sympy.Integer(1), evaluate=False)


def _mutated_inequality(relation: sympy.Rel) -> Iterator[tuple[str, sympy.Basic]]:
    low, high = relation.lts, relation.gts
    strict = isinstance(relation, (sympy.Lt, sympy.Gt))
    if high != 0:
        yield "right side halved", sympy.Le(low, high / 2, evaluate=False)
    yield "direction reversed", sympy.Lt(high, low, evaluate=False)
    if not strict:
        yield "strict for non-strict", sympy.Lt(low, high, evaluate=False)
    for name, pattern, change in (
        ("square root dropped", _is_root, lambda root: root.args[0]),
        ("logarithm dropped", lambda e: isinstance(e, sympy.log), lambda e: sympy.Integer(1)),
    ):
        changed = high.replace(pattern, change)
        if changed != high:
            yield name, sympy.Le(low, changed, evaluate=False)


def _is_root(expr: sympy.Basic) -> bool:
    return isinstance(expr, sympy.Pow) and expr.exp == sympy.Rational(1, 2)
