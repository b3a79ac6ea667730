"""Statistics that a verdict can rest on: valid at every time, with stated error.

martingale    tests of P(violation) against delta; adaptive worlds, optional stopping
sequences     betting confidence sequences for means of bounded draws and their differences
bernstein     empirical Bernstein confidence sequence, the fallback
binomial      exact intervals for one look
multiplicity  one error budget over a whole report
trend         exponent of a ratio along a family of growing size
calibration   the benchmark behind the claims above: python -m boundcheck.calibration

May import what lies below; knows no world and no claim.
"""

from importlib import import_module
from typing import Any

_HOMES = {
    "ViolationTest": "martingale", "SupportTest": "martingale", "mixture_log_e": "martingale",
    "mixture_bet": "martingale", "kt_bet": "martingale", "kl": "martingale",
    "floor": "martingale",
    "MeanSequence": "sequences", "DifferenceSequence": "sequences",
    "EmpiricalBernsteinSequence": "bernstein", "mean_lower": "sequences",
    "mean_upper": "sequences",
    "clopper_pearson": "binomial", "clopper_pearson_lower": "binomial",
    "clopper_pearson_upper": "binomial",
    "Account": "multiplicity", "Spending": "multiplicity", "e_bonferroni": "multiplicity",
    "Trend": "trend", "fit_trend": "trend", "limit_exponent": "trend",
}  # fmt: skip
__all__ = [*_HOMES]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"boundcheck.statistics.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'boundcheck.statistics' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
