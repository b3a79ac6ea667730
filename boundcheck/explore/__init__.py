"""Exploring constants: what a theorem requires, which term drives it, how two readings differ.

`requirement` inverts conditions, `planning` composes theorems, `sharpening` brackets constants;
each has its answer as a value. May import what lies below, `search`, `checks`, `diagnosis`,
`engine`, `environment`, `figures` and `library`; no report.

>>> from boundcheck.explore import parse
>>> print(parse("2^3 * sqrt(x) <= 0.1", ["x"]))
8*sqrt(x) <= 1/10
"""

from importlib import import_module
from typing import Any

_HOMES = {
    "parse": "grammar", "parse_value": "grammar", "require": "requirement",
    "Requirement": "answers", "conditions_at": "direct", "compare": "comparison",
    "Comparison": "comparison", "vacuity": "vacuous", "Vacuity": "vacuous",
    "elasticity": "rates", "leading_exponent": "rates", "same_rate": "rates",
    "sweep": "sweeps", "sweep_plans": "sweeps", "Sweep": "sweeps",
    "plan": "planning", "Plan": "plans",
    "sharpen": "sharpening", "Sharpening": "sharpening", "turned": "knobs",
    "active_branch": "rates", "limit_at": "rates", "closed_form": "inversion",
}  # fmt: skip
__all__ = [*_HOMES]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"boundcheck.explore.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'boundcheck.explore' has no attribute {name!r}")
