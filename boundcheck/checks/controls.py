"""Negative controls: mutants of a claim, false on purpose, that the same search must refute.

Mutants are derived from the SymPy expression, for every comparison of a conjunction. One that
survives is listed with the reason: a mutant of a loose bound can be true, which is what its slack
says. A comparison whose reverse survives, or an equation that can be changed unnoticed, has not
been tested: such a claim is not supported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy

from boundcheck.checks import enumeration, sampling
from boundcheck.checks.base import Budget, Task
from boundcheck.claim import Claim, Expected, UpToConstant, WithProbability
from boundcheck.errors import Broken, MalformedStatement
from boundcheck.setting import INEQUALITIES, guarded, parts
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
    rows = [row(task, place, slack) for place in range(count(task.claim))]
    own = [alone(task, place) for place in separate(task.claim)]
    return concluded(compared(task.claim), slack, rows, own)


def row(task: Task, place: int, slack: float | None) -> dict[str, Any] | None:
    """What the search says of one mutant, by its place; None where that is no claim.

    Args: slack: of the claim, for the reason why a mutant survives.
    """
    name, part, changes = _mutations(task.claim)[place]
    mutant = _with(task.claim, name, part, **changes)
    if mutant is None:
        return None
    found = _searched(task, mutant.claim)
    if found.outcome not in CAUGHT and mutant.control:
        found = _sampled(task, mutant.claim) or found
    caught = found.outcome in CAUGHT
    why = "" if caught else _why(mutant, slack, found)
    told = {"mutant": name, "caught": caught, "reason": why}
    if part is None:
        return told
    return told | {"part": part, "relation": str(parts(task.claim.statement.relation)[part])}


def concluded(
    relations: Sequence[str], slack: float | None, found: Sequence[dict[str, Any] | None],
    own: Sequence[float | None],
) -> Evidence:  # fmt: skip
    """The evidence of rows and of slacks of comparisons alone.

    Args: relations: as of `compared`; slack: of the claim; found: of every mutant; own: of every
    place in `separate`.
    """
    rows = [row for row in found if row is not None]
    count = sum(bool(row["caught"]) for row in rows)
    told = []
    for place, relation in enumerate(relations):
        made = [row["caught"] for row in rows if row.get("part") == place
                and row["mutant"] in (*REVERSED, *CHANGED)]  # fmt: skip
        told.append({
            "relation": relation, "slack": own[place] if own else slack,
            "control": any(made) if made else None,
        })  # fmt: skip
    return Evidence(
        NAME, None, f"{count} of {len(rows)} mutants refuted",
        numbers={"mutants": rows, "parts": told},
    )  # fmt: skip


CAUGHT = ("refuted", "malformed")


def _less(task: Task) -> Budget:
    return replace(
        task.budget, evaluations=max(task.budget.evaluations // SHARE, 40), shrinks=0,
        seconds=task.budget.seconds / SHARE, least=0,
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


def compared(claim: Claim) -> list[str]:
    """Every comparison that has a slack and a control of its own, as text."""
    form = claim.statement
    if isinstance(form, UpToConstant) or claim.undefined:
        return []
    return [str(part) for _, part in guarded(form.relation)]


def separate(claim: Claim) -> range:
    """Places of the comparisons whose slack is searched alone, as one of several."""
    several = len(compared(claim))
    return range(several if several > 1 else 0)


def alone(task: Task, place: int) -> float | None:
    """Slack of one comparison of several, under its premises."""
    form = task.claim.statement
    premises, part = guarded(form.relation)[place]
    relation = sympy.Implies(sympy.And(*premises), part) if premises else part
    changed = _with(task.claim, "alone", None, statement=form.with_relation(relation))
    return None if changed is None else _searched(task, changed.claim).slack


def _why(mutant: Mutant, slack: float | None, found: Evidence) -> str:
    if "hypothesis" in mutant.name:
        return "no violating world without this hypothesis was found: it may not be needed"
    if slack is not None and slack > 2:
        return f"the bound has slack {slack:.3g}, so the mutant may be true"
    return found.detail


def count(claim: Claim) -> int:
    """Number of mutants of a claim, counting those that turn out to be no claim."""
    return len(_mutations(claim))


def mutants(claim: Claim) -> Iterator[Mutant]:
    """All mutants of a claim, none for statements up to a constant (they have no constant)."""
    made = (_with(claim, name, part, **changes) for name, part, changes in _mutations(claim))
    return (mutant for mutant in made if mutant is not None)


def _mutations(claim: Claim) -> list[tuple[str, int | None, dict[str, Any]]]:
    """(name, place of the comparison or None, what is changed) for every mutant."""
    form = claim.statement
    if isinstance(form, UpToConstant) or claim.undefined:
        return []
    found: list[tuple[str, int | None, dict[str, Any]]] = [
        (name, part, {"statement": form.with_relation(relation)})
        for name, part, relation in mutated_relations(form.relation)
    ]
    if isinstance(form, WithProbability):
        halved = WithProbability((1 + form.level) / 2, form.relation)
        found.append(("failure probability halved", None, {"statement": halved}))
    for position, condition in enumerate(claim.given[:MOST_HYPOTHESES]):
        kept = (*claim.given[:position], *claim.given[position + 1 :])
        found.append((f"hypothesis {condition} removed", None, {"given": kept}))
    return found


def _with(claim: Claim, name: str, part: int | None, **changes: Any) -> Mutant | None:
    try:
        return Mutant(name, replace(claim, **changes), part)
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
    if not isinstance(relation, INEQUALITIES):
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
