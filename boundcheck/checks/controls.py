"""Negative controls: mutants of a claim, false on purpose, that the same search must refute.

Mutants are derived from the SymPy expression: each is one comparison of a conjunction, changed and
searched alone. One that survives is listed with the reason: a mutant of a loose bound can be true,
which is what its slack says. A comparison whose reverse survives, or an equation that can be
changed unnoticed, has not been tested: such a claim is not supported. Mutants of statements up to a
constant are made along their families, by `boundcheck.checks.order`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy

from boundcheck.checks import enumeration, sampling
from boundcheck.checks.base import Budget, Task
from boundcheck.checks.order import FASTER, SMALLER
from boundcheck.checks.resolution import shrunk
from boundcheck.claim import Claim, Expected, UpToConstant, WithProbability
from boundcheck.encoding import decode
from boundcheck.errors import Broken, MalformedStatement
from boundcheck.expressions.nodes import Indicator
from boundcheck.setting import INEQUALITIES, Setting, asserted, flatten, under
from boundcheck.verdict import Evidence
from boundcheck.worlds.composed import Index
from boundcheck.worlds.fields import Choice, Integer

NAME = "controls"
SHARE = 8  # mutants get this fraction of the claim's evaluations
MOST_HYPOTHESES = 3
REVERSED = ("direction reversed",)
CHANGED = ("factor 2 on the right", "sign of the right side flipped", "right side one")
HALVED = "right side halved"
NOWHERE = "nowhere"  # and the places of strict alternatives, one or two that hold in one world
MOST_ALTERNATIVES = 4
STRICT = (sympy.Lt, sympy.Gt)
STEPS = (sympy.floor, sympy.ceiling, sympy.sign, sympy.Piecewise, Indicator)


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

    def owed(self, slack: float | None) -> bool:
        """Whether it has to fall, by the slack of the claim."""
        return owed(self.name, slack)


def owed(name: str, slack: float | None) -> bool:
    """Whether a mutant has to fall: a control, or more than the slack leaves.

    >>> owed("right side halved", 1.9), owed("right side halved", 2.1)
    (True, False)
    """
    if name == HALVED:
        return slack is not None and slack < 2
    return name in (*REVERSED, *CHANGED, FASTER, SMALLER)


def row(task: Task, place: int, slack: float | None) -> dict[str, Any] | None:
    """What the search says of one mutant, by its place; None where that is no claim, or decides
    nothing in a brief look.

    Args: slack: of the claim, for the reason why a mutant survives.
    """
    name, part, changes = _mutations(task.claim)[place]
    mutant = _with(task.claim, name, part, **changes)
    decides = mutant is not None and (mutant.control or name.startswith(NOWHERE))
    if mutant is None or not (decides or task.budget.informed):
        return None
    found = _searched(task, mutant.claim)
    if found.outcome not in CAUGHT and mutant.owed(slack):
        found = _sampled(task, mutant.claim) or found
    caught = found.outcome in CAUGHT
    why = "" if caught else _why(mutant, slack, found)
    told = {"mutant": name, "caught": caught, "reason": why}
    if part is None:
        return told
    told |= {"part": part, "relation": compared(task.claim)[part]}
    if caught and name == HALVED and (separate(task.claim) or not mutant.owed(slack)):
        told["slack"] = _slack_there(task, part, found)
    return told


def concluded(
    relations: Sequence[str], slack: float | None, found: Sequence[dict[str, Any] | None],
    own: Sequence[Mapping[str, Any]], exercised: bool,
) -> Evidence:  # fmt: skip
    """The evidence of rows and of comparisons searched alone.

    Args: relations: as of `compared`; slack: of the claim; found: of every mutant; own: of every
    place in `separate`; exercised: whether the claim as a whole was decided in some world.
    """
    rows = [row for row in found if row is not None]
    count = sum(bool(row["caught"]) for row in rows)
    told, tight = [], []
    for place, relation in enumerate(relations):
        mine = [row for row in rows if row.get("part") == place]
        made = [row["caught"] for row in mine if row["mutant"] in (*REVERSED, *CHANGED)]
        apart = own[place] if own else {"slack": slack, "untested": not exercised}
        slacks = [s for s in (apart["slack"], *(row.get("slack") for row in mine)) if s is not None]
        tight += slacks if any(row["mutant"] in REVERSED for row in mine) else []
        told.append({
            "relation": relation, "slack": min(slacks, default=None),
            "control": any(made) if made else None,
            "untested": apart["untested"] and not any(row["caught"] for row in mine),
        })  # fmt: skip
        if _separated([row["mutant"] for row in mine if row["caught"]]):
            told[-1] |= {"control": False, "crossed": True}
    return Evidence(
        NAME, None, f"{count} of {len(rows)} mutants refuted",
        slack=min(tight, default=None), numbers={"mutants": rows, "parts": told},
    )  # fmt: skip


def _separated(caught: Sequence[str]) -> bool:
    """Whether alternatives hold in two kinds of worlds that have none in common.

    Where all are strict and depend on their numbers without a jump, none holds in between.

    >>> _separated(["nowhere 0", "nowhere 1"]), _separated(["nowhere 0", "nowhere 0 1"])
    (True, False)
    """
    kinds: list[set[str]] = []
    for _, *places in (name.split() for name in caught if name.startswith(NOWHERE)):
        met = [kind for kind in kinds if kind & set(places)]
        kinds = [kind for kind in kinds if kind not in met] + [set(places).union(*met)]
    return len(kinds) > 1


CAUGHT = ("refuted", "malformed")


def _slack_there(task: Task, place: int, found: Evidence) -> float | None:
    """Slack of a comparison in the world where its half is refuted, which no other search met."""
    changed = _apart(task.claim, "alone", place)
    if changed is None or found.witness is None or found.kind != "exact" or not found.slack:
        return None
    values = {name: decode(value) for name, value in found.witness.values.items()}
    setting = Setting(changed.claim, values)
    return enumeration.slack_at(replace(task, claim=changed.claim), setting, 0.5 / found.slack)


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
    """Every comparison, and every set of alternatives, that has a control of its own, as text."""
    form = claim.statement
    if isinstance(form, UpToConstant) or claim.undefined:
        return []
    return [str(part) for _, part in asserted(form.relation)]


def separate(claim: Claim) -> range:
    """Places of the comparisons whose slack is searched alone, as one of several."""
    several = len(compared(claim))
    return range(several if several > 1 else 0)


def alone(task: Task, place: int) -> dict[str, Any]:
    """Slack of one comparison of several, under its premises, and whether no world decided it."""
    changed = _apart(task.claim, "alone", place)
    if changed is None:
        return {"slack": None, "untested": True}
    found = _searched(task, changed.claim)
    return {"slack": found.slack, "untested": found.outcome == "undecided"}


def _apart(claim: Claim, name: str, place: int) -> Mutant | None:
    """The claim with one comparison in the place of all, under its premises."""
    return _with(claim, name, place, statement=claim.statement.with_relation(
        under(*asserted(claim.statement.relation)[place])))  # fmt: skip


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
    if not _is_listed(claim):
        found += [(name, place, {"statement": form.with_relation(relation), "given": kept})
                  for place, (premises, part) in enumerate(asserted(form.relation))
                  for name, relation, kept in _nowhere(claim, premises, part)]
    if isinstance(form, WithProbability):
        halved = WithProbability((1 + form.level) / 2, form.relation)
        found.append(("failure probability halved", None, {"statement": halved}))
    for position, condition in enumerate(claim.given[:MOST_HYPOTHESES]):
        kept = (*claim.given[:position], *claim.given[position + 1 :])
        found.append((f"hypothesis {condition} removed", None, {"given": kept}))
    return found


def _is_listed(claim: Claim) -> bool:
    """Whether all that a claim quantifies over is integers and choices, none between two others."""
    return all(isinstance(field, (Integer, Choice, Index)) for field in claim.fields.values())


def _with(claim: Claim, name: str, part: int | None, **changes: Any) -> Mutant | None:
    try:
        return Mutant(name, replace(claim, **changes), part)
    except MalformedStatement:
        return None


def mutated_relations(relation: sympy.Basic) -> Iterator[tuple[str, int, sympy.Basic]]:
    """(name, place of a comparison, that comparison changed and alone) for every mutation.

    Of the comparisons after the first only controls and halves are made.
    """
    for place, (premises, part) in enumerate(asserted(relation)):
        made = _mutated_equation(part) if isinstance(part, sympy.Eq) else _mutated_inequality(part)
        for name, changed in made:
            if not place or name in (*REVERSED, *CHANGED, HALVED):
                yield name, place, under(premises, changed)


def _nowhere(
    claim: Claim, premises: Sequence[sympy.Basic], part: sympy.Basic
) -> Iterator[tuple[str, sympy.Basic, tuple[sympy.Basic, ...]]]:
    """That one or two alternatives, all of them strict, hold in no world, and the hypotheses that
    are left. A premise that does not hold is an alternative, as is a hypothesis that is no strict
    comparison; an inequation is two. None where sides may jump."""
    kept: tuple[sympy.Basic, ...] = tuple(claim.given)
    if isinstance(part, sympy.Ne) and not premises:
        found = [order(*part.args, evaluate=False) for order in STRICT
                 if all(side.is_commutative for side in part.args)]  # fmt: skip
    else:
        given = [each for condition in claim.given for each in flatten(condition)]
        ended = [each for each in given if isinstance(each, (sympy.Le, sympy.Ge))]
        kept = tuple(each for each in given if each not in ended)
        outer = [each for premise in premises for each in flatten(premise)]
        found = [sympy.Not(each) for each in (*outer, *ended)]
        found += part.args if isinstance(part, sympy.Or) else [part]
        if _jumps(claim, found):
            return
    if not 1 < len(found) <= MOST_ALTERNATIVES or not all(isinstance(f, STRICT) for f in found):
        return
    for place, one in enumerate(found):
        yield f"{NOWHERE} {place}", sympy.Not(one), kept
        for other, two in enumerate(found[:place]):
            yield f"{NOWHERE} {other} {place}", sympy.Or(sympy.Not(one), sympy.Not(two)), kept


def _jumps(claim: Claim, relations: Sequence[sympy.Basic]) -> bool:
    """Whether the sides of some relations may jump, as those that depend on an outcome do."""
    waiting, met = list(relations), set[str]()
    while waiting:
        text = waiting.pop()
        names = {symbol.name for symbol in text.free_symbols} - met
        met |= names
        told = [claim.stands.get(name) for name in names & set(claim.measured)]
        drawn = names & (claim.random_names - set(claim.measured))
        if drawn or text.has(*STEPS) or not all(isinstance(t, sympy.Basic) for t in told):
            return True
        waiting += [t for t in told if isinstance(t, sympy.Basic)]
    return False


def _mutated_equation(relation: sympy.Eq) -> Iterator[tuple[str, sympy.Basic]]:
    left, right = relation.lhs, relation.rhs
    if right != 0:
        yield "factor 2 on the right", sympy.Eq(left, 2 * right, evaluate=False)
        yield "sign of the right side flipped", sympy.Eq(left, -right, evaluate=False)
    elif left.is_commutative:
        yield "right side one", sympy.Eq(left, sympy.Integer(1), evaluate=False)
    elif isinstance(left, sympy.Add):  # of matrices: one term against the others
        first, *rest = left.args
        yield "sign of the right side flipped", sympy.Eq(first, sympy.Add(*rest), evaluate=False)


def _mutated_inequality(relation: sympy.Basic) -> Iterator[tuple[str, sympy.Basic]]:
    if isinstance(relation, sympy.Ne):
        yield "direction reversed", sympy.Eq(relation.lhs, relation.rhs, evaluate=False)
    elif not isinstance(relation, INEQUALITIES):  # alternatives
        yield "direction reversed", sympy.Not(relation)
    if not isinstance(relation, INEQUALITIES):
        return
    low, high = relation.lts, relation.gts
    strict = isinstance(relation, (sympy.Lt, sympy.Gt))
    if high != 0:
        yield HALVED, shrunk(relation, sympy.Rational(1, 2))
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
