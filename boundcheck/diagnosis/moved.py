"""What an edit does to a printed bound: whether it still falls with sizes and goes to zero."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import sympy

from boundcheck.diagnosis.edits import Edit, level_of
from boundcheck.setting import guarded, sides

if TYPE_CHECKING:
    from boundcheck.claim import Claim
    from boundcheck.diagnosis.case import Case

MOSTLY = 0.9  # of the domain
HALF = 0.49  # of a printed rate, that of the root, is as slow as a changed one may be
NOTHING = 0.02  # of a term, beside which a bound is nothing


def changed_bounds(claim: Claim, edit: Edit) -> Iterator[tuple[sympy.Expr, sympy.Expr, bool]]:
    """Sides of inequalities that an edit changes, before and after; whether it is the larger."""
    pairs = zip(guarded(claim.statement.relation), guarded(edit.statement.relation), strict=True)
    for (_, old), (_, new) in pairs:
        if isinstance(old, (sympy.Eq, sympy.Ne)) or type(old) is not type(new):
            continue
        for place, larger in ((1, True), (0, False)):
            before, after = sides(old)[place], sides(new)[place]
            if before != after:
                yield before, after, larger


def keeps_falling(case: Case, edit: Edit) -> bool:
    """Whether a changed bound falls in every size in which the printed one falls, half as fast."""
    import numpy

    for before, after, _ in changed_bounds(case.claim, edit):
        for size in sorted({s.name for s in before.free_symbols} & case.sizes):
            larger = case.free.grown(size)
            falls = []
            for bound in (before, after):
                one, two = case.free.evaluate(bound), larger.evaluate(bound)
                if one is None or two is None:
                    break
                with numpy.errstate(all="ignore"):
                    falls.append(numpy.log(one / two))
            if len(falls) == 2 and (falls[0] > 0).mean() > MOSTLY:
                told = numpy.isfinite(falls[1])  # the root of a negative variance is no number
                lost = (falls[0] > 0) & told & ~(falls[1] >= HALF * falls[0])
                if lost.sum() > (1 - MOSTLY) * told.sum():
                    return False
    return True


def names_a_lost_size(case: Case, edit: Edit) -> bool:
    """Whether an edit names the number of things of which the print bounds the largest."""
    level = level_of(edit.statement)
    texts = [edit.statement.relation, *([] if level is None else [level])]
    named = {symbol for text in texts for symbol in text.free_symbols
             if symbol.name in case.lost_sizes and not text.has(sympy.sqrt(symbol))}
    return edit.kind == "factor" and bool(named)


def lifts(case: Case, edit: Edit) -> bool:
    """Whether a number more keeps a bound from zero, to which the printed one goes."""
    import numpy

    for old, new, larger in changed_bounds(case.claim, edit):
        before, after = case.free.evaluate(old), case.free.evaluate(new)
        if not (larger and (new - old).is_number) or before is None or after is None:
            continue
        with numpy.errstate(all="ignore"):
            if (abs(before) < NOTHING * abs(after - before)).any():
                return True
    return False


def beside(relation: sympy.Basic, side: sympy.Expr, larger: bool) -> sympy.Expr | None:
    """The side that is compared with another one."""
    for _, part in guarded(relation):
        if sides(part)[1 if larger else 0] == side:
            return sides(part)[0 if larger else 1]
    return None


def without_inner_term(old: sympy.Expr, new: sympy.Expr) -> Iterator[sympy.Expr]:
    """A side without the term of a sum inside a function of which an edit turns the sign."""
    if isinstance(old, sympy.Add) or old.func is not new.func or len(old.args) != len(new.args):
        return
    places = [at for at, pair in enumerate(zip(old.args, new.args, strict=True))
              if pair[0] != pair[1]]  # fmt: skip
    if len(places) != 1:
        return
    (place,) = places
    before, after = old.args[place], new.args[place]
    if isinstance(before, sympy.Add) and (rest := (before + after) / 2).free_symbols:
        parts: Iterator[sympy.Expr] = iter([rest])
    else:
        parts = without_inner_term(before, after)
    for part in parts:
        yield old.func(*old.args[:place], part, *old.args[place + 1 :])


def explodes(case: Case, edit: Edit) -> bool:
    """Whether an edit makes a tail exp(-x) of a bound into exp(x), which bounds nothing that is
    not mostly above one."""
    for old, new, larger in changed_bounds(case.claim, edit):
        before, after = old.atoms(sympy.exp), new.atoms(sympy.exp)
        lost = [_sign(case, node.args[0]) for node in before - after]
        made = [_sign(case, node.args[0]) for node in after - before]
        if lost and max(lost) < 0 and made and max(made) > 0:
            bounded = beside(edit.statement.relation, new, larger)
            values = None if bounded is None else case.table.evaluate(bounded)
            if values is None or not larger or not (values > 1 - NOTHING).mean() > MOSTLY:
                return True
    return False


def _sign(case: Case, expr: sympy.Expr) -> float:
    """The sign that an expression has mostly, 0 for none."""
    import numpy

    values = case.free.evaluate(expr)
    mean = 0.0 if values is None else float(numpy.nanmean(numpy.sign(values)))
    return float(numpy.sign(mean)) if abs(mean) > 2 * MOSTLY - 1 else 0.0


def is_exchanged(claim: Claim, edit: Edit) -> bool:
    """Whether two symbols have changed places, and none is lost."""
    pairs = zip(claim.statement.relation.args, edit.statement.relation.args, strict=True)
    return edit.action == "swap" and all(o.free_symbols == n.free_symbols for o, n in pairs)
