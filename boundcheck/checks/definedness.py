"""Is the statement evaluable as printed: every symbol defined, every expression with a value?

Undefined symbols are declared by the claim. Shapes, logarithms and roots are found at worlds by
`enumeration`; here the ends of parameter ranges are tried, where random worlds rarely go.
"""

from __future__ import annotations

from flint import fmpq

from boundcheck.certify import why_undefined
from boundcheck.checks.base import Task
from boundcheck.checks.enumeration import describe
from boundcheck.search.admissible import Candidates, domain
from boundcheck.setting import Setting
from boundcheck.verdict import Evidence
from boundcheck.worlds.fields import Integer, Real

NAME = "definedness"
WORLDS = 12
PATIENCE = 8  # times as many are drawn while none is admissible


def run(task: Task) -> Evidence:
    """Undefined symbols, then every closed end of every parameter on a few admissible worlds."""
    claim = task.claim
    if claim.undefined:
        setting = Setting(claim, {})
        reason = why_undefined(setting)
        witness = task.witness("malformed", setting, {"reason": reason})
        return Evidence(NAME, "malformed", reason, witness=witness)
    candidates, rng, tried = Candidates(claim), task.rng(NAME), 0
    wanted = task.budget.worlds(WORLDS)
    for number in range(PATIENCE * wanted):
        if number >= wanted and tried:
            break
        candidate = candidates.random(rng)
        if candidate is None:
            continue
        for setting in _ends(candidate.setting):
            if not setting.admissible():
                continue
            tried += 1
            reason = why_undefined(setting, task.budget.outcomes)
            if reason:
                witness = task.witness("malformed", setting, {"reason": reason})
                return Evidence(
                    NAME, "malformed", f"has no value at {describe(witness)}: {reason}",
                    witness=witness,
                )  # fmt: skip
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
