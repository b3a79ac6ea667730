"""Whether a hypothesis leaves out what fails, and whether it leaves out that alone."""

from __future__ import annotations

import sympy

from boundcheck.claim import Claim
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.turned import told_everywhere
from boundcheck.setting import INEQUALITIES, parts, sides

EACH_SIDE, NEARLY_ALL = 8, 0.93  # worlds in which it does not hold, and share that clearly fail


def divides_failures(case: Case, claim: Claim) -> bool:
    """Whether the print fails wherever a hypothesis does not hold, and nowhere else."""
    if not case.explicit:
        return False
    truth = case.table.evaluate(claim.given[-1])
    failing = case.table.violated(case.claim.statement, case.claim.given)
    if truth is None or failing is None:
        return False
    inside = case.table.everywhere(truth.astype(bool))
    if min(inside.sum(), (~inside).sum()) < EACH_SIDE or failing[inside].any():
        return False
    outside = ~inside & (failing | told_everywhere(case))
    return bool(outside.any() and failing[outside].mean() > NEARLY_ALL)


def says_it(case: Case, claim: Claim) -> bool:
    """Whether the last hypothesis bounds what the statement bounds, and nowhere by more."""
    asked = claim.given[-1] if claim.given else sympy.true
    if not isinstance(asked, INEQUALITIES):
        return False
    for small, large in map(sides, parts(claim.statement.relation)):
        bound, least = (case.table.evaluate(side) for side in (large, asked.gts))
        if small == asked.lts and bound is not None and least is not None:
            return bool((least <= bound).all())
    return False


def excludes_failures(case: Case, claim: Claim) -> bool:
    """Whether a hypothesis excludes every failing world of the pool and not most others."""
    if not case.explicit:  # floats tell of one constant only; the witness excludes them all
        return case.witness is not None and not case.witness.under(claim).admissible()
    failing = case.table.violated(claim.statement, claim.given)
    if failing is None:
        return True
    condition = claim.given[-1]
    if isinstance(condition, (sympy.Le, sympy.Ge)):  # met at its end alone, it says next to nothing
        condition = sympy.Lt(condition.lts, condition.gts, evaluate=False)
    truth = case.table.evaluate(condition)
    if truth is None or failing.any():
        return False
    kept = case.table.everywhere(truth.astype(bool))
    return int(kept.sum()) >= max(8, len(kept) // 20)
