"""Which kind of audit a claim has."""

from __future__ import annotations

from boundcheck.audit import ridge
from boundcheck.audit.request import AuditRequest, require_ranges
from boundcheck.audit.standing import standing
from boundcheck.audit.worlds import WorldAudit, audit_worlds
from boundcheck.library import Library


def run_audit(request: AuditRequest, library: Library) -> ridge.Audit | WorldAudit:
    """Check the options, read the data, measure, and evaluate the claim's formulas.

    Raises: InvalidArgument, DataError: one line, before any long work.
    """
    claim = library[request.key]
    require_ranges(request)
    known = standing(library, request.key)
    if ridge.compares_predictors(claim):
        return ridge.audit_ridge(request, claim, known)
    return audit_worlds(request, claim, known)
