"""The other direction of an inequality: where it was meant, and what it costs by that."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy

from boundcheck.claim import Expected, Form
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.columns import none_of
from boundcheck.diagnosis.edits import Edit
from boundcheck.diagnosis.growing import grows
from boundcheck.diagnosis.moved import MOSTLY
from boundcheck.expressions.nodes import Binder, Greatest, Total, nodes
from boundcheck.search.screening import averaged
from boundcheck.setting import INEQUALITIES, guarded, sides

TURNED = 2.75  # cost of the other direction, where the print fails nearly everywhere
ATTAINED = 2.55  # the same, where the sides meet besides: a bound from the other side, and the best
CLOSEST = 2.2  # the same, where besides nothing is far from meeting: the sides have one rate
MEETS, WITHIN = 1.001, 1.3  # right over left where they meet, and everywhere else at most
LARGER = 3  # size from which on what is attained is not fitted to the smallest
TOUCHES = 1.01  # right over left in some world of a bound that is the best of its kind
CLEARLY = 0.25  # of the smaller side: a print that fails by less is nearly met


def cost_turned(case: Case, edit: Edit, cost: float) -> float:
    """The cost of an inequality turned round, of which bounds and distances say little."""
    mostly, form = _fails_mostly(case), edit.statement
    if mostly and _keeps_close(case, form):
        return CLOSEST
    cost = ATTAINED if touches(case, form) else TURNED if mostly else cost
    lost = _lacks_a_size(case) or _meets_at_one_alone(case, form) or _forgets_how_many(case)
    return max(cost, float(edit.cost)) if lost else cost


def touches(case: Case, form: Form) -> bool:
    """Whether an inequality between numbers or means is attained in some world of the table."""
    drawn = case.claim.draw is not None and not isinstance(form, Expected)
    if drawn or averaged(case.claim) or not case.has_inequality:
        return False
    return case.table.slack(form) <= TOUCHES


def touches_where_fails(case: Case, form: Form, *, clearly: bool = False) -> bool:
    """Whether an inequality between numbers or means is attained in some world in which the print
    fails. Args: clearly: not by a little alone."""
    failing = case.failing
    if failing is None or not failing.any() or not touches(case, form):
        return False
    rows = failing if isinstance(form, Expected) else failing[case.table.index]
    rows = rows & _fails_clearly(case, form) if clearly else rows
    return case.table.slack(form, rows) <= TOUCHES


def _fails_clearly(case: Case, form: Form) -> Any:
    """Rows in which the print fails by more than a little."""
    import numpy

    clearly = False
    for _, part in guarded(case.claim.statement.relation):
        mean = isinstance(form, Expected)
        low, high = (case.table.means(side, form) if mean else case.table.evaluate(side)
                     for side in sides(part))  # fmt: skip
        if low is not None and high is not None:
            with numpy.errstate(invalid="ignore"):
                clearly |= high < low - CLEARLY * abs(low)
    return clearly


def lasts(case: Case, form: Form, larger: int = LARGER) -> bool:
    """Whether an inequality between numbers or means is attained at larger sizes too, of every kind
    that its claim has."""
    if not touches(case, form):
        return False
    for size in sorted(case.sizes):
        number = sympy.Symbol(size, real=True)
        mean = isinstance(form, Expected)
        values = case.table.worldwise(number) if mean else case.table.evaluate(number)
        many = None if values is None else values >= larger
        if many is not None and many.any() and case.table.slack(form, many) > TOUCHES:
            return False
    return True


def _keeps_close(case: Case, form: Form) -> bool:
    """Whether an inequality about nothing drawn is attained in some world, and nearly in all."""
    import numpy

    if not touches(case, form) or not isinstance(form.relation, INEQUALITIES):
        return False
    low, high = (case.table.evaluate(side) for side in sides(form.relation))
    if low is None or high is None:
        return False
    told = numpy.isfinite(low) & numpy.isfinite(high)
    close = (low > 0) & (high <= WITHIN * low)
    return bool(close[told].all()) and case.table.slack(form) <= MEETS


def _fails_mostly(case: Case) -> bool:
    """Whether the print fails in nearly every world of the table that floats can tell."""
    failing = case.failing
    asked = told_everywhere(case)
    return failing is not None and bool(asked.any() and failing[asked].mean() > MOSTLY)


def told_everywhere(case: Case) -> Any:
    """Worlds of the table in which floats tell both sides of the print on all rows, as a mask."""
    import numpy

    told = numpy.ones(case.table.rows, bool)
    for _, part in guarded(case.claim.statement.relation):
        for side in part.args:
            values = case.table.evaluate(side)
            if values is not None:
                told &= numpy.isfinite(values) & ~(none_of(len(told)) | case.table.lost(side))
    return case.table.everywhere(told)


def _lacks_a_size(case: Case) -> bool:
    """Whether a size is named by what an inequality bounds and not by the bound, or summed over
    there alone: that was lost."""
    return any(
        {symbol.name for symbol in small.free_symbols - large.free_symbols} & case.sizes
        or _counted(case, small, Total) - _counted(case, large, Binder)
        for small, large in _compared(case)
    )


def _forgets_how_many(case: Case) -> bool:
    """Whether a bound is the largest of several, and falls behind as there are more of them."""
    largest = any(_counted(case, large, Greatest) for _, large in _compared(case))
    return largest and grows(case, least=2)


def _compared(case: Case) -> Iterator[tuple[sympy.Basic, sympy.Basic]]:
    """What inequalities bound, with the bounds."""
    return (sides(part) for _, part in guarded(case.claim.statement.relation)
            if isinstance(part, INEQUALITIES))  # fmt: skip


def _counted(case: Case, side: sympy.Basic, kind: type[Binder]) -> set[str]:
    """Names of the sizes over which nodes of a kind go in what a side measures."""
    bodies = (getattr(case.claim.measured.get(symbol.name), "whole", symbol)
              for symbol in side.free_symbols)  # fmt: skip
    return {str(index.meaning.size) for body in bodies for node in nodes(body)
            if isinstance(node, kind) for index in node.indices}  # fmt: skip


def _meets_at_one_alone(case: Case, form: Form) -> bool:
    """Whether the sides of an inequality about nothing drawn meet only where a size is one: what
    is wrong is how it depends on that size."""
    return touches(case, form) and not lasts(case, form, 2)


def apart(form: Form) -> Form:
    """A form that compares a sum with nothing as one that compares its terms: a - b >= 0."""
    relation = form.relation
    total, zero = relation.args if isinstance(relation, INEQUALITIES) else (None, None)
    turned = total == 0
    total, zero = (zero, total) if turned else (total, zero)
    if zero != 0 or not isinstance(total, sympy.Add):
        return form
    below = [term for term in total.args if term.could_extract_minus_sign()]
    kept = sympy.Add(*(term for term in total.args if term not in below))
    pair = (kept, -sympy.Add(*below))
    made = relation.func(*(pair[::-1] if turned else pair), evaluate=False)
    return form.with_relation(made) if below and kept != 0 else form
