"""Which kind of audit a claim has."""

from __future__ import annotations

from boundcheck.audit import ridge
from boundcheck.audit.request import AuditRequest, require_ranges
from boundcheck.audit.standing import standing
from boundcheck.audit.worlds import WorldAudit, audit_worlds
from boundcheck.boundary.messages import shown
from boundcheck.errors import InvalidArgument
from boundcheck.library import Library


def run_audit(request: AuditRequest, library: Library) -> ridge.Audit | WorldAudit:
    """Check the options, read the data, measure, and evaluate the claim's formulas.

    Raises: InvalidArgument, DataError: one line, before any long work.
    """
    claim = library[request.key]
    require_ranges(request)
    of_predictors = ridge.compares_predictors(claim)
    _require_taken(request, [] if of_predictors else sorted(claim.fields))
    known = standing(library, request.key)
    if of_predictors:
        return ridge.audit_ridge(request, claim, known)
    return audit_worlds(request, claim, known)


def _require_taken(request: AuditRequest, names: list[str]) -> None:
    """Raises: InvalidArgument for a number that the audit would not read."""
    for name in request.values:
        if name not in names:
            remedy = f"it takes {', '.join(names)}" if names else (
                "data and the other options supply all; leave it out")  # fmt: skip
            raise InvalidArgument(f"--set {shown(name)} is no number of {request.key}; {remedy}")
