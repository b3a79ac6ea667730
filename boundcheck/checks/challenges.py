"""Mutants for the checks that do not search: definedness, invariance and the prover.

`controls` shows what the searches would have refuted. Here every comparison is changed so that
definedness must find it without a value and invariance must find that a unit was lost; and the
prover, of what it proved, may prove neither the opposite nor a bound below what a world attains.
A change that a check cannot see is listed with the reason.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import sympy
from flint import fmpq

from boundcheck.checks import definedness, invariance, proof
from boundcheck.checks.base import Task
from boundcheck.checks.resolution import shrunk
from boundcheck.claim import Claim, Rescaling, UpToConstant
from boundcheck.errors import Broken
from boundcheck.search.admissible import Candidate
from boundcheck.setting import INEQUALITIES, Setting, guarded, sides, under
from boundcheck.verdict import Evidence
from boundcheck.worlds.fields import Real

SPARE = sympy.Symbol("_spare", real=True)  # a number of [0, 1], where its end is tried
LOST = sympy.Symbol("_unit", real=True)  # a number that a change of units moves
DIVISOR, LOGARITHM = "definedness: divisor that may be zero", "definedness: logarithm of zero"
UNIT = "invariance: unit lost"
OPPOSITE, BELOW = "proof: opposite", "proof: half of what a world attains"
CHALLENGED = (definedness.NAME, invariance.NAME, proof.NAME)
LESS = "mutant"  # of the effort of the provers
FAR = 2.0 ** (invariance.NEAR[-1] - 1)  # a slack beyond it hides a lost unit at the scales tried

Row = dict[str, Any]
Premises = tuple[sympy.Basic, ...]


def challenged(claim: Claim) -> list[str]:
    """Names of the checks that have something to be shown of a claim, if it stands."""
    if claim.undefined or not guarded(claim.statement.relation):
        return []
    return [name for name in CHALLENGED if name != invariance.NAME or claim.rescalings]


def rows(task: Task, check: str, given: Mapping[str, Any]) -> list[Row]:
    """What a check says of its mutants, one row for each.

    Args: given: of the claim: "slacks" of its comparisons, None where there is none; "constant" of
    its proof, None where there is no proof.
    """
    if check == definedness.NAME:
        return list(_without_value(task))
    if check == invariance.NAME:
        return list(_without_unit(task, given["slacks"]))
    return [] if given["constant"] is None else list(_unproved(task, given))


def _row(place: int, part: sympy.Basic, name: str, caught: bool, why: str, owed: bool) -> Row:
    return {"mutant": name, "caught": caught, "reason": "" if caught else why, "owed": owed,
            "part": place, "relation": str(part)}  # fmt: skip


def _comparisons(claim: Claim) -> Iterator[tuple[int, Premises, sympy.Rel]]:
    for place, (premises, part) in enumerate(guarded(claim.statement.relation)):
        yield place, premises, part


# Definedness.


def _without_value(task: Task) -> Iterator[Row]:
    claim, less = task.claim, replace(task.budget, shrinks=0)
    for place, premises, part in _comparisons(claim):
        for name, changed in valueless(part):
            made = replace(
                claim, statement=claim.statement.with_relation(under(premises, changed)),
                parameters={**claim.parameters, SPARE: Real(0, 1)},
            )  # fmt: skip
            try:
                found = definedness.run(replace(task, claim=made, budget=less))
                caught, why = found.outcome == "malformed", found.detail
            except Broken as error:  # the definition of a quantity, at a number that it never met
                caught, why = False, str(error)
            yield _row(place, part, name, caught, why, owed=True)


def valueless(part: sympy.Rel) -> Iterator[tuple[str, sympy.Rel]]:
    """(name, comparison) without a value where SPARE is zero: own divisors and logarithms first.

    >>> x, y = sympy.symbols("x y", real=True)
    >>> [str(changed) for _, changed in valueless(x <= sympy.log(y))]
    ['x <= log(y)/_spare', 'x <= log(_spare*y)']
    >>> [str(changed) for _, changed in valueless(1 / x <= 0)]
    ['1/(_spare*x) <= 0', 'log(_spare)/x <= 0']
    """
    for name, own, inside, outside in (
        (DIVISOR, _is_divisor, lambda e: sympy.Pow(SPARE * e.base, e.exp), 1 / SPARE),
        (LOGARITHM, lambda e: isinstance(e, sympy.log), lambda e: sympy.log(SPARE * e.args[0]),
         sympy.log(SPARE)),
    ):  # fmt: skip
        changed = part.func(part.lhs.replace(own, inside), part.rhs.replace(own, inside),
                            evaluate=False)  # fmt: skip
        if changed == part:
            large = part.lhs if part.rhs == 0 else part.rhs
            changed = part.func(*(side * outside if side is large else side
                                  for side in part.args), evaluate=False)  # fmt: skip
        if changed.has(SPARE):
            yield name, changed


def _is_divisor(expr: sympy.Basic) -> bool:
    return isinstance(expr, sympy.Pow) and bool(expr.exp.is_number and expr.exp.is_negative)


# Invariance.


def _without_unit(task: Task, slacks: Sequence[float | None]) -> Iterator[Row]:
    less = replace(task, budget=replace(task.budget, name=LESS))
    for rescaling in invariance.movable(task.claim):
        moved = replace(rescaling, powers={**rescaling.powers, LOST.name: 1})
        worlds = invariance.worlds(less, rescaling)
        for place, premises, part in _comparisons(task.claim):
            changed = unitless(part)
            if changed is not None:
                caught, owed, why = _noticed(task, moved, worlds, [
                    under(premises, relation) for relation in (changed, part)])  # fmt: skip
                slack = slacks[place] if place < len(slacks) else None
                owed = owed and (slack is None or slack < FAR)
                yield _row(place, part, UNIT, caught, f"{rescaling.name}: {why}", owed)


def _noticed(
    task: Task, rescaling: Rescaling, worlds: Sequence[Candidate], pair: Sequence[sympy.Basic]
) -> tuple[bool, bool, str]:
    """(whether the first comparison is refuted, or seen to change otherwise than the second;
    whether it had to be; why it was not)."""
    changed, own = pair
    found = _moved(task, rescaling, worlds, changed)
    if isinstance(found, Evidence):
        return True, True, ""
    if not found.telling:
        return False, False, "no world moves with a ratio of its sides that could tell"
    before = _moved(task, rescaling, worlds, own)
    same = isinstance(before, invariance.Orbit) and before.exponents == found.exponents
    return not same, True, "both sides change as they did"


def unitless(part: sympy.Rel) -> sympy.Rel | None:
    """The comparison with a number of some unit on one side; None against zero, which has all."""
    if isinstance(part, sympy.Ne) or 0 in part.args:
        return None
    _, large = sides(part)
    return part.func(*((LOST * side if side is large else side) for side in part.args),
                     evaluate=False)  # fmt: skip


def _moved(
    task: Task, rescaling: Rescaling, worlds: Sequence[Candidate], relation: sympy.Basic
) -> Evidence | invariance.Orbit:
    claim = replace(
        task.claim, statement=task.claim.statement.with_relation(relation),
        parameters={**task.claim.parameters, LOST: Real(0, None, open_low=True)},
        rescalings=(rescaling,),
    )  # fmt: skip
    one = {LOST.name: fmpq(1)}
    return invariance.along(
        replace(task, claim=claim, budget=replace(task.budget, shrinks=0)), rescaling,
        [replace(world, setting=Setting(claim, {**world.setting.values, **one}))
         for world in worlds],
    )  # fmt: skip


# The prover.


def _unproved(task: Task, given: Mapping[str, Any]) -> Iterator[Row]:
    claim, form = task.claim, task.claim.statement
    inner = form.inner if isinstance(form, UpToConstant) else form
    less = replace(task.budget, name=LESS)
    for place, premises, part in _comparisons(claim):
        slack = given["slacks"][place] if place < len(given["slacks"]) else None
        for name, changed in untrue(part, given["constant"], slack):
            made = replace(claim, statement=inner.with_relation(under(premises, changed)))
            proved = proof.proves(replace(task, claim=made, budget=less))
            yield _row(place, part, name, not proved, "proved all the same", owed=True)


def untrue(
    part: sympy.Rel, constant: int, slack: float | None
) -> Iterator[tuple[str, sympy.Basic]]:
    """(name, comparison) that a proof of a comparison with a constant and a slack denies.

    >>> x, y = sympy.symbols("x y", real=True)
    >>> [str(changed) for _, changed in untrue(x <= y, 1, 2.0)]
    ['y < x', '(x/4 <= y) & (x <= y/4)']
    """
    if isinstance(part, INEQUALITIES):
        small, large = sides(part)
        yield OPPOSITE, sympy.Lt(constant * large, small, evaluate=False)
    elif isinstance(part, (sympy.Eq, sympy.Ne)):
        other = sympy.Ne if isinstance(part, sympy.Eq) else sympy.Eq
        yield OPPOSITE, other(part.lhs, part.rhs, evaluate=False)
    if slack is not None and isinstance(part, INEQUALITIES):
        yield BELOW, shrunk(part, sympy.Rational(1, math.ceil(2 * slack)))
