"""One file per way of testing a claim; each has `NAME` and `run(task) -> Evidence`.

`definedness`, `proof`, `enumeration`, `invariance`, `sampling` and `trend` are the checks, `base`
what they share, `controls` and `challenges` what each must refute. May import what lies below,
`search`, `certificates` and `explore`, and `library` for the order of editions.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

HOMES = {
    "definedness": "boundcheck.checks.definedness", "proof": "boundcheck.checks.proof",
    "enumeration": "boundcheck.checks.enumeration", "invariance": "boundcheck.checks.invariance",
    "sampling": "boundcheck.checks.sampling", "trend": "boundcheck.checks.trend",
}  # fmt: skip


def check_named(name: str) -> ModuleType:
    """The module of a check, imported when it is first needed."""
    return import_module(HOMES[name])
