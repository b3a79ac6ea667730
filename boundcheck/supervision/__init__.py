"""Units of work in supervised processes: each alone in a worker, under limits, at its own cost.

May import what lies below, `environment`, `faults`, `ledger` and `library`; knows no claim.
"""

from boundcheck.supervision.limits import LIMITS, Limits, limits_for
from boundcheck.supervision.pool import Pool
from boundcheck.supervision.work import Batch, Execute, Finished, Unit, Work

__all__ = [
    "LIMITS", "Batch", "Execute", "Finished", "Limits", "Pool", "Unit", "Work", "limits_for",
]  # fmt: skip
