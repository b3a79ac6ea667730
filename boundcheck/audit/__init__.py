"""`boundcheck audit`: a bound's hypotheses and both of its sides on the user's own data.

`ridge` compares predictors at full size, for bounds on their squared difference; `worlds` makes a
world of every other claim from subsamples of the data; `supply` says which symbol stands for what
of the data; `standing` what is known of the claim itself.

May import what lies below, `describe`, `ledger`, `library` and `environment`; no verdict rests on
it.
"""

from boundcheck.audit.request import AuditRequest
from boundcheck.audit.run import run_audit

__all__ = ["AuditRequest", "run_audit"]
