"""Negative controls: mutants of a claim, false on purpose, that the same search must refute.

Mutants are derived from the SymPy expression, for every comparison of a conjunction. One that
survives is listed with the reason: a mutant of a loose bound can be true, which is what its slack
says. A comparison whose reverse survives, or an equation that can be changed unnoticed, has not
been tested: such a claim is not supported.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import sympy

from boundcheck.checks import enumeration, sampling
from boundcheck.checks.base import Budget, Task
from boundcheck.claim import Claim, Expected, UpToConstant, WithProbability
from boundcheck.errors import Broken, MalformedStatement
from boundcheck.setting import guarded, parts
from boundcheck.verdict import Evidence

NAME = "controls"
SHARE = 8  # mutants get this fraction of the claim's evaluations
MOST_HYPOTHESES = 3
REVERSED = ("direction reversed",)
CHANGED = ("factor 2 on the right", "sign of the right side flipped", "right side one")
HALVED = "right side halved"


@dataclass(frozen=True)
class Mutant:
    """A claim changed in one way.

    Args: part: the place of the comparison that was changed, or None. control: it says the
    opposite of that comparison, so that a search that can fail refutes it.
    """

    name: str
    claim: Claim
    part: int | None = None

    @property
    def control(self) -> bool:
        """Whether a comparison has been tested only if this is refuted."""
        return self.name in REVERSED or self.name in CHANGED


def run(task: Task, slack: float | None) -> Evidence:
    """Search every mutant of a claim that was not refuted; count those caught."""
    rows = []
    told = parts(task.claim.statement.relation)
    for mutant in mutants(task.claim):
        found = _searched(task, mutant.claim)
        if found.outcome not in CAUGHT and mutant.control:
            found = _sampled(task, mutant.claim) or found
        caught = found.outcome in CAUGHT
        row = {"mutant": mutant.name, "caught": caught,
               "reason": "" if caught else _why(mutant, slack, found)}  # fmt: skip
        if mutant.part is not None:
            row |= {"part": mutant.part, "relation": str(told[mutant.part])}
        rows.append(row)
    count = sum(bool(row["caught"]) for row in rows)
    return Evidence(
        NAME, None, f"{count} of {len(rows)} mutants refuted",
        numbers={"mutants": rows, "parts": _parts(task, slack, rows)},
    )  # fmt: skip


CAUGHT = ("refuted", "malformed")


def _less(task: Task) -> Budget:
    return replace(
        task.budget, evaluations=max(task.budget.evaluations // SHARE, 40), shrinks=0,
        seconds=task.budget.seconds / SHARE,
    )  # fmt: skip


def _searched(task: Task, claim: Claim) -> Evidence:
    try:
        return enumeration.run(replace(task, claim=claim, budget=_less(task)))
    except Broken as error:  # a definition may serve under the hypotheses alone
        return Evidence(NAME, None, f"a definition fails there: {error}")


def _sampled(task: Task, claim: Claim) -> Evidence | None:
    """The same by draws, for what cannot be enumerated; None if draws say nothing of it."""
    if claim.draw is None or not isinstance(claim.statement, (WithProbability, Expected)):
        return None
    try:
        found = sampling.run(replace(task, claim=claim, budget=_less(task)))
    except Broken:
        return None
    return found if found.outcome in CAUGHT else None


def _parts(
    task: Task, slack: float | None, rows: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Every comparison with its slack, and whether a control was refuted; None if none is made."""
    form = task.claim.statement
    if isinstance(form, UpToConstant) or task.claim.undefined:
        return []
    found = guarded(form.relation)
    told = []
    for place, (premises, part) in enumerate(found):
        own = slack
        if len(found) > 1:
            alone = sympy.Implies(sympy.And(*premises), part) if premises else part
            changed = _with(task.claim, "alone", statement=form.with_relation(alone))
            own = None if changed is None else _searched(task, changed.claim).slack
        made = [row["caught"] for row in rows if row.get("part") == place
                and row["mutant"] in (*REVERSED, *CHANGED)]  # fmt: skip
        told.append({"relation": str(part), "slack": own, "control": any(made) if made else None})
    return told


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
    for name, part, relation in mutated_relations(form.relation):
        changed = _with(claim, name, statement=form.with_relation(relation))
        if changed is not None:
            yield replace(changed, part=part)
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


def mutated_relations(
    relation: sympy.Basic, first: int = 0
) -> Iterator[tuple[str, int, sympy.Basic]]:
    """(name, place of the comparison changed, relation) for every mutation of every comparison.

    After the first comparison of a conjunction only controls and halves are made.
    """
    if isinstance(relation, sympy.Implies):
        for name, place, changed in mutated_relations(relation.args[1], first):
            yield name, place, sympy.Implies(relation.args[0], changed)
    elif isinstance(relation, sympy.And):
        for i, member in enumerate(relation.args):
            for name, place, changed in mutated_relations(member, first):
                args = (*relation.args[:i], changed, *relation.args[i + 1 :])
                yield name, place, sympy.And(*args, evaluate=False)
            first += len(parts(member))
    else:
        made = _mutated_equation(relation) if isinstance(relation, sympy.Eq) else (
            _mutated_inequality(relation))  # fmt: skip
        for name, changed in made:
            if not first or name in (*REVERSED, *CHANGED, HALVED):
                yield name, first, changed


def _mutated_equation(relation: sympy.Eq) -> Iterator[tuple[str, sympy.Basic]]:
    left, right = relation.lhs, relation.rhs
    if right != 0:
        yield "factor 2 on the right", sympy.Eq(left, 2 * right, evaluate=False)
        yield "sign of the right side flipped", sympy.Eq(left, -right, evaluate=False)
    elif left.is_commutative:
        yield "right side one", sympy.Eq(left, sympy.Integer(1), evaluate=False)


def _mutated_inequality(relation: sympy.Basic) -> Iterator[tuple[str, sympy.Basic]]:
    if isinstance(relation, sympy.Ne):
        yield "direction reversed", sympy.Eq(relation.lhs, relation.rhs, evaluate=False)
    if not isinstance(relation, (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)):
        return
    low, high = relation.lts, relation.gts
    strict = isinstance(relation, (sympy.Lt, sympy.Gt))
    if high != 0:
        yield HALVED, sympy.Le(low, high / 2, evaluate=False)
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
