"""What a change leaves nothing to do: printed terms without which it stands too, a bare number."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import sympy

from boundcheck.diagnosis.edits import Edit, with_relation
from boundcheck.diagnosis.moved import changed_bounds
from boundcheck.diagnosis.pointless import leaves_a_number
from boundcheck.diagnosis.turned import touches_where_fails
from boundcheck.setting import INEQUALITIES, guarded, sides

if TYPE_CHECKING:
    from boundcheck.claim import Claim
    from boundcheck.diagnosis.case import Case

LEFT_OVER = 0.6  # what a change costs more that leaves a printed term nothing to do


def is_loose_number(case: Case, edit: Edit) -> bool:
    """Whether a number is left of a side that is not attained where the print fails."""
    pairs = zip(guarded(case.claim.statement.relation), guarded(edit.statement.relation),
                strict=True)  # fmt: skip
    left = any(old != new and leaves_a_number(old, new) for (_, old), (_, new) in pairs)
    return left and not touches_where_fails(case, edit.statement)


def leaves_over(case: Case, edit: Edit) -> bool:
    """Whether a changed bound stands without a printed term too, which only makes it larger, or of
    one from below smaller."""
    for old, new, larger in changed_bounds(case.claim, edit):
        terms = {*sympy.Add.make_args(old)} & {*sympy.Add.make_args(new)}
        for term in sorted(terms, key=str) if new.is_Add else ():
            values = case.table.evaluate(term) if term.free_symbols else None
            if values is None or not ((values >= 0) if larger else (values <= 0)).all():
                continue
            rest = edit.statement.relation.xreplace({new: new - term})
            form = with_relation(edit.statement, rest)
            failing = None if form is None else case.table.violated(form, edit.given)
            if failing is not None and not failing.any():
                return True
    return False


def idles(case: Case, candidate: Claim) -> bool:
    """Whether a changed bound stands in known worlds without a printed term too, which has a sign
    of its own and only makes it say less."""
    relation = candidate.statement.relation
    if not isinstance(relation, INEQUALITIES):
        return False
    for side, sign in zip(sides(relation), (-1, 1), strict=True):
        for term in side.args if side.is_Add else ():
            kept = term in case.claim.statement.relation.rhs.args and term.free_symbols
            if kept and (sign * term.as_coeff_Mul()[0] > 0) and _is_square(term):
                rest = relation.xreplace({side: side - term})
                try:
                    claim = replace(candidate, statement=candidate.statement.with_relation(rest))
                except Exception:  # nothing is left of the statement
                    continue
                if not case.killed(claim):
                    return True
    return False


def _is_square(term: sympy.Expr) -> bool:
    """Whether a term is a number times an even power."""
    exponent = term.as_coeff_Mul()[1].as_base_exp()[1]
    return bool(exponent.is_Integer and exponent % 2 == 0)
