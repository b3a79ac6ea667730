"""Is the statement evaluable as printed: every symbol defined, every expression with a value?

Undefined symbols are declared by the claim. Shapes, logarithms and roots are found at worlds by
`enumeration`; here the ends of parameter ranges are tried and points at which a divisor is zero,
where random worlds rarely go, and points at which pieces of the statement meet.
"""

from __future__ import annotations

from flint import fmpq

from boundcheck.certify import why_undefined
from boundcheck.checks.base import Task
from boundcheck.checks.enumeration import describe
from boundcheck.checks.meetings import points
from boundcheck.claim import Holds
from boundcheck.search.admissible import Candidates, domain
from boundcheck.search.poles import Poles
from boundcheck.setting import Setting
from boundcheck.verdict import Evidence
from boundcheck.worlds.fields import Integer, Real

NAME = "definedness"
WORLDS = 12
POLES = 4  # of them, from which points are looked for at which a divisor is zero
PATIENCE = 8  # times as many are drawn while none is admissible


def run(task: Task) -> Evidence:
    """Undefined symbols, then closed ends and zeros of divisors on a few admissible worlds."""
    claim = task.claim
    if claim.undefined:
        setting = Setting(claim, {})
        reason = why_undefined(setting)
        witness = task.witness("malformed", setting, {"reason": reason})
        return Evidence(NAME, "malformed", reason, witness=witness)
    candidates, rng, tried, poles = Candidates(claim), task.rng(NAME), 0, Poles(claim)
    wanted = task.budget.worlds(WORLDS)
    for number in range(PATIENCE * wanted):
        if number >= wanted and tried:
            break
        candidate = candidates.random(rng)
        if candidate is None:
            continue
        own = _ends(candidate.setting)
        at_poles = poles.near(candidate.setting) if number < POLES else ()
        for place, setting in enumerate((*own, *at_poles)):
            if not setting.admissible():
                continue
            tried += place < len(own)
            reason = why_undefined(setting, task.budget.outcomes)
            if reason:
                witness = task.witness("malformed", setting, {"reason": reason})
                return Evidence(
                    NAME, "malformed", f"has no value at {describe(witness)}: {reason}",
                    witness=witness,
                )  # fmt: skip
        met = _where_pieces_meet(task, poles, candidate.setting) if not number else None
        if met is not None:
            return met
    return Evidence(NAME, None, f"has a value at {tried} settings on ends of parameter ranges")


def _ends(setting: Setting) -> list[Setting]:
    found = [setting]
    for symbol, field in setting.claim.parameters.items():
        if not isinstance(field, (Integer, Real)):
            continue
        for end in domain(field, setting.values):
            if end is not None:
                value = int(end) if isinstance(field, Integer) else fmpq(end)
                found.append(setting.replaced(**{symbol.name: value}))
    return found


def _where_pieces_meet(task: Task, poles: Poles, setting: Setting) -> Evidence | None:
    """A point at which pieces of the statement meet and it has no value."""
    if type(task.claim.statement) is not Holds or task.claim.draw is not None:
        return None
    for point in points(task, poles, setting):
        reason = why_undefined(point, task.budget.outcomes)
        if reason:
            witness = task.witness("malformed", point, {"reason": reason})
            told = f"has no value at {describe(witness)}: {reason}"
            return Evidence(NAME, "malformed", told, witness=witness)
    return None
