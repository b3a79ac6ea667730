"""Whether a changed bound stays as positive as the printed one, at numbers of the whole domain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy

from boundcheck.claim import Holds
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.edits import Edit
from boundcheck.diagnosis.moved import MOSTLY, changed_bounds
from boundcheck.expressions.nodes import Node


def stays_positive(case: Case, edit: Edit) -> bool:
    """Whether a changed bound is nowhere negative where the printed one is positive.

    A bound from below, or one between means, may be negative somewhere; mostly negative it says
    nothing.
    """
    import numpy

    for old, new, larger in changed_bounds(case.claim, edit):
        before, after = case.free.evaluate(old), case.free.evaluate(new)
        if before is None or after is None or new.atoms(Node) - old.atoms(Node):
            continue  # of what an edit measures anew nothing is known
        with numpy.errstate(invalid="ignore"):
            positive = (before > 0) & _possible(case, old) & _possible(case, new)
            positive &= _admitted(case, edit.given) & numpy.logical_not(case.free.lost(new))
            lost = positive & ~(after >= 0)  # what is too small for floats is zero
            mean = case.claim.draw is not None and not isinstance(edit.statement, Holds)
            if lost.any() if larger and not mean else lost.sum() > MOSTLY * positive.sum():
                return False
    return True


def _admitted(case: Case, given: Sequence[sympy.Basic]) -> Any:
    """Rows at which hypotheses hold; all, where none does at which they are known to."""
    import numpy

    admitted = numpy.ones(case.free.rows, bool)
    for condition in given:
        truth = case.free.evaluate(condition)
        admitted &= True if truth is None else truth.astype(bool)
    return admitted if admitted.any() else True


def _possible(case: Case, bound: sympy.Expr) -> Any:
    """Rows in which no difference of measured numbers, such as a variance, is negative."""
    import numpy

    possible, measured = numpy.ones(case.free.rows, bool), set(case.claim.measure)
    for part in bound.atoms(sympy.Add):
        values = case.free.evaluate(part) if part.free_symbols <= measured else None
        if values is not None:
            possible &= values >= 0
    return possible
