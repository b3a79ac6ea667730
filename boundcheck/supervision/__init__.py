"""Units of work in supervised processes: each alone in a worker, under limits, at its own cost."""

from boundcheck.supervision.limits import LIMITS, Limits, limits_for
from boundcheck.supervision.pool import Execute, Finished, Pool, Unit

__all__ = ["LIMITS", "Execute", "Finished", "Limits", "Pool", "Unit", "limits_for"]
