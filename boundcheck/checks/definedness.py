"""Is the statement evaluable as printed: every symbol defined, every expression with a value?

Undefined symbols are declared by the claim. Shapes, logarithms and roots are found at worlds by
`enumeration`; here the ends of parameter ranges are tried, where random worlds rarely go.
"""

from __future__ import annotations

from flint import fmpq

from boundcheck.checks.base import Task
from boundcheck.checks.enumeration import describe
from boundcheck.errors import ShapeMismatch, Undecided, Undefined
from boundcheck.exact import PRECISIONS, precision
from boundcheck.search.admissible import Candidates
from boundcheck.setting import Setting, parts
from boundcheck.verdict import Evidence
from boundcheck.worlds.fields import Integer, Real

NAME = "definedness"
WORLDS = 12


def run(task: Task) -> Evidence:
    """Undefined symbols, then every closed end of every parameter on a few admissible worlds."""
    claim = task.claim
    if claim.undefined:
        names = ", ".join(sorted(symbol.name for symbol in claim.undefined))
        setting = Setting(claim, {})
        witness = task.witness("malformed", setting, {"reason": f"undefined: {names}"})
        return Evidence(
            NAME, "malformed", f"the source never defines {names}", witness=witness
        )
    candidates, rng, tried = Candidates(claim), task.rng(NAME), 0
    for _ in range(WORLDS):
        candidate = candidates.random(rng)
        if candidate is None:
            continue
        for setting in _ends(candidate.setting):
            if not setting.admissible():
                continue
            tried += 1
            reason = _reason(setting)
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
        from boundcheck.search.admissible import domain

        for end in domain(field, setting.values):
            if end is not None:
                value = int(end) if isinstance(field, Integer) else fmpq(end)
                found.append(setting.replaced(**{symbol.name: value}))
    return found


def _reason(setting: Setting) -> str:
    """Why the statement has no value here, or ""."""
    claim = setting.claim
    relation = claim.statement.relation
    for part in parts(relation):
        for side in (part.lhs, part.rhs):
            if {s.name for s in side.free_symbols} & claim.random_names:
                continue
            try:
                with precision(PRECISIONS[0]):
                    setting.evaluate(side)
            except ShapeMismatch as error:
                return f"shapes: {error}"
            except Undefined as error:
                return str(error)
            except Undecided:
                continue
    return ""
