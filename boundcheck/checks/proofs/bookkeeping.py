"""Proved comparisons that are true by definition: they would be whatever their quantities were.

Such a comparison says how symbols are written and is no evidence on the quantities.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy

from boundcheck.certificates.problem import Inexpressible, problem
from boundcheck.certificates.search import prove
from boundcheck.checks.proofs.definitions import Knowledge
from boundcheck.claim import Claim
from boundcheck.setting import parts

WORK = 4_000


def by_definition(claim: Claim, cases: Sequence[Knowledge]) -> list[sympy.Basic]:
    """The comparisons of a proved claim that are bookkeeping.

    Either both sides are one expression once definitions are written out, or the comparison
    follows from hypotheses for any values of the quantities defined. One without any defined
    quantity is about its numbers and none of these.
    """
    form = getattr(claim.statement, "inner", claim.statement)
    found = parts(form.relation)
    if form.relation.has(sympy.Or, sympy.Not, sympy.Implies):
        return []
    return [part for part in found if _defined(claim, part) and all(
        _same(case, part) or _of_any_values(claim, case, part) for case in cases)]  # fmt: skip


def _defined(claim: Claim, part: sympy.Basic) -> bool:
    return any(s.name in claim.measured for s in part.free_symbols)


def _same(case: Knowledge, part: sympy.Basic) -> bool:
    return isinstance(part, (sympy.Eq, sympy.Le, sympy.Ge)) and bool(
        case.replaced(part.lhs) == case.replaced(part.rhs)
    )


def _of_any_values(claim: Claim, case: Knowledge, part: sympy.Basic) -> bool:
    """Whether a comparison follows from hypotheses and ranges of numbers alone."""
    plain = {s for s in case.symbols.values() if s.name not in claim.measured}
    ranges = [c for c in case.conditions if c.free_symbols <= plain]
    try:
        stated = problem([*claim.given, *ranges], [], part, case.whole - set(claim.measured))
    except Inexpressible:
        return False
    return prove(stated, work=WORK) is not None
