"""Lost rates: factors of a bound up to a constant, from the slowest on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import sympy

from boundcheck.claim import UpToConstant
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.domain import sizes
from boundcheck.diagnosis.edits import with_relation
from boundcheck.diagnosis.screen import Candidate
from boundcheck.setting import INEQUALITIES, sides

SIZES = 1  # of a claim, whose powers are tried
COST = 3.3  # more than that of a hypothesis, which keeps the printed rate


def lost_rates(case: Case) -> Iterator[Candidate]:
    """The claim with a logarithm, root or power of a size at its bound, the slowest first."""
    claim, form = case.claim, case.claim.statement
    if not isinstance(form, UpToConstant) or not isinstance(form.relation, INEQUALITIES):
        return
    relation = form.relation
    _, bound = sides(relation)
    place = relation.args.index(bound)
    of_bound = [size for size in sizes(claim) if size.name in case.sizes][:SIZES]
    for size in of_bound:
        for step, rate in enumerate((1 + sympy.log(size), sympy.sqrt(size), size)):
            args = [*relation.args]
            args[place] = bound * rate
            changed = relation.func(*args, evaluate=False)
            statement = with_relation(form, changed)
            if statement is not None:
                yield Candidate(f"a factor {rate} at {bound}", "factor", COST + 0.1 * step,
                                replace(claim, statement=statement), elsewhere=True,
                                rate=step + 1)  # fmt: skip
