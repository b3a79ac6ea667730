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
            found = _lack(task, setting)
            if found is not None:
                return found
        for setting in points(task, poles, candidate.setting) if not number else ():
            found = _lack(task, setting)
            if found is not None:
                return found
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


def _lack(task: Task, setting: Setting) -> Evidence | None:
    """The evidence of a setting in which the statement has no value."""
    reason = why_undefined(setting, task.budget.outcomes)
    if not reason:
        return None
    witness = task.witness("malformed", setting, {"reason": reason})
    told = f"has no value at {describe(witness)}: {reason}"
    return Evidence(NAME, "malformed", told, witness=witness)
