"""Which edits are worth a search: what floats over a table of worlds and the whole domain say.

An edit that a world refutes, that takes away what is bounded, or that makes of the bound another
one is no repair; the others cost the more the further they move the bound.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import sympy

from boundcheck.claim import Claim, Form
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.edits import Edit, level_of
from boundcheck.diagnosis.excluded import restates
from boundcheck.diagnosis.idle import LEFT_OVER, is_loose_number, leaves_over
from boundcheck.diagnosis.moved import (
    beside,
    changed_bounds,
    explodes,
    is_exchanged,
    keeps_falling,
    lifts,
    names_a_lost_size,
    without_inner_term,
)
from boundcheck.diagnosis.pointless import cancels, lowers, of_the_same, pointless
from boundcheck.diagnosis.positive import stays_positive
from boundcheck.diagnosis.record import Kind
from boundcheck.diagnosis.tails import bases, levels_off, rates, thinned_out
from boundcheck.diagnosis.turned import (
    apart,
    cost_turned,
    lasts,
    touches,
    touches_where_fails,
)
from boundcheck.search.screening import bounded_chance
from boundcheck.setting import INEQUALITIES, guarded, sides
from boundcheck.worlds.fields import Real

FARTHEST = math.log2(100)  # doublings of a bound beyond which it is another statement
LEFT, LEFT_OF_EQUATION = 0.4, 0.55  # what the left side costs more
ROUGH = 0.001  # of all its doublings, where so many do not count: the closest one is the likeliest
MOVED = 0.6  # doublings that a lost sign, inverse or symbol counts for at most
ROOM = 0.4  # for each doubling of the room that a changed bound leaves in every world
LOOSE = 30.0  # right over left beyond which a repaired bound says little
SLOWER = 0.4  # what a bound costs more that falls more slowly, where nothing is drawn
CANCELS = 0.6  # what a factor costs more that both sides share
LIFTED = 3.12  # cost of a number beside which a bound may be nothing: a hypothesis is nearer
BESIDE = 3.2  # cost of a number that no world attains beside a bound of which no multiple serves
UNSERVED = 8.0  # left over right, from which on no multiple is thought to serve
EXPECTED = 0.6  # what the number of things costs less, of which a bound of the largest names none
TOLERANCE = 1e-9
LEFT_WORLDS = 8  # worlds of a table that changed hypotheses leave at least


@dataclass(frozen=True)
class Candidate:
    """A changed claim that has not failed yet, with how far it is from the print."""

    words: str
    kind: Kind
    cost: float
    claim: Claim
    written: str = ""
    narrowed: bool = False  # a printed hypothesis, tightened: families may leave its domain
    elsewhere: bool = False  # about worlds of other fields, which say nothing of known ones
    turned: bool = False  # the inequality turned round
    rate: int = 0  # of lost rates, which one from the slowest on
    near: bool = False  # a number that no world attains, only near the least that serves
    slower: bool = False  # a bound that falls more slowly than the printed one
    forgotten: bool = False  # it names the number of things of which the print bounds the largest


def screened(case: Case, offered: Iterable[Edit]) -> Iterator[Candidate]:
    """Edits that no world of the table refutes, with their cost and how far they move the bound."""
    table = case.table
    if not table.kept:
        return
    for edit in offered:
        if pointless(case.claim, edit):
            continue
        failing = table.violated(edit.statement, edit.given)
        if failing is not None and failing.any():
            continue
        if not _leaves_enough(case, edit):
            continue
        alone = edit.action == "attained" and not touches(case, edit.statement)
        if lowers(case.claim, edit) and not touches_where_fails(case, edit.statement):
            continue
        if edit.action == "lasting" and not lasts(case, edit.statement):
            continue
        if alone and not _is_number_beside(case, edit):
            continue
        try:
            changed = replace(case.claim, statement=edit.statement, given=edit.given)
        except Exception:  # SymPy settled the changed statement
            continue
        if edit.given != tuple(case.claim.given) and restates(case, changed):
            continue
        if not (stays_positive(case, edit) or touches(case, edit.statement)):
            continue  # an attained bound is negative only where its symbols are at will
        slower = edit.action not in ("swap", "balanced") and not keeps_falling(case, edit)
        if slower and not touches(case, edit.statement):
            continue
        lifted = edit.action == "attained" and lifts(case, edit)
        if explodes(case, edit) or _parted(case, edit) or _goes_past_nothing(case, edit):
            continue
        if _says_nothing(case, edit) or is_loose_number(case, edit):
            continue
        if _is_sure_where_it_fails(case, edit):
            continue
        slip, turned = edit.action in ("sign", "inverse"), edit.action == "direction"
        slip = slip or is_exchanged(case.claim, edit)
        thinner = _thins_a_tail(case, edit)
        same = turned or edit.kind == "tie"
        loose = 0.0 if same else looseness(case, edit.statement, near=not slip)
        rough = ROUGH * loose if math.isfinite(loose) else 0.0
        slip = slip or edit.action == "balanced"
        if (slip or edit.kind == "factor") and math.isfinite(loose):
            loose = min(loose, MOVED)  # of any size, and a slip all the same
        elif (edit.action == "power" or _squares(case.claim, edit)) and math.isfinite(loose):
            loose = min(loose, 2 * MOVED)
        if loose < math.inf:
            # A wrong symbol moves a bound by any amount, but the closest one is the likeliest.
            share = 0.1 if edit.kind == "constant" or not case.has_inequality else 0.3
            cost = float(edit.cost) + share * loose + _on_the_left(case.claim, edit)
            of_power = any(bases(old, new) != (old, new)
                           for old, new, _ in changed_bounds(case.claim, edit))  # fmt: skip
            cost += rough + SLOWER * (slower or thinner)
            cost += 0.0 if of_power else _room(case, edit.statement)
            cost = max(cost, LIFTED) if lifted else cost
            cost = max(cost, BESIDE) if alone else cost
            cost += share * _asked(case, edit) + CANCELS * cancels(case.claim, edit)
            cost += LEFT_OVER * leaves_over(case, edit)
            forgotten = names_a_lost_size(case, edit)
            cost += of_the_same(case, edit) - EXPECTED * forgotten
            cost = cost_turned(case, edit, cost) if turned else cost
            yield Candidate(edit.words, edit.kind, cost, changed, turned=turned,
                            slower=slower or thinner, forgotten=forgotten)  # fmt: skip


def _squares(claim: Claim, edit: Edit) -> bool:
    """Whether an edit squares a whole bound that some world attains."""
    return edit.action == "attained" and any(
        new == old**2 for old, new, _ in changed_bounds(claim, edit))


def _is_number_beside(case: Case, edit: Edit) -> bool:
    """Whether an edit adds one to a bound of which no multiple serves, as a logarithm of 2 or a
    constant is forgotten beside a bound of an entropy."""
    added = [new - old for old, new, larger in changed_bounds(case.claim, edit) if larger]
    return added == [1] and case.table.slack(case.claim.statement) < 1 / UNSERVED


def _leaves_enough(case: Case, edit: Edit) -> bool:
    """Whether changed hypotheses leave worlds, of those known and of the domain."""
    for condition in edit.given:
        if condition in case.claim.given:
            continue
        for truth in (case.table.evaluate(condition), case.free.evaluate(condition)):
            if truth is None or truth.astype(bool).sum() < max(LEFT_WORLDS, len(truth) // 20):
                return False
    return True


def _asked(case: Case, edit: Edit) -> float:
    """Doublings by which bounds of hypotheses move, at most as for other slips; 0 for none."""
    import numpy

    moved = 0.0
    for old, new in zip(case.claim.given, edit.given, strict=False):
        if old == new or not isinstance(old, INEQUALITIES) or type(old) is not type(new):
            continue
        for one, two in zip(old.args, new.args, strict=True):
            before, after = case.free.evaluate(one), case.free.evaluate(two)
            if one == two or before is None or after is None:
                continue
            with numpy.errstate(all="ignore"):
                doublings = abs(numpy.log2(abs(after) / abs(before)))
            doublings = doublings[numpy.isfinite(doublings)]
            moved += float(numpy.median(doublings)) if len(doublings) else 0.0
    return min(moved, MOVED)


def _room(case: Case, form: Form) -> float:
    """What a bound costs more that some world could come near and none does: it is not the one
    that was meant."""
    if case.claim.draw is not None or not case.has_inequality:
        return 0.0
    slack = case.table.slack(apart(form))
    return ROOM * math.log2(slack) if 1 < slack < math.inf else 0.0


def _on_the_left(claim: Claim, edit: Edit) -> float:
    """What an edit costs more that changes the left side, of an inequality what it bounds; of an
    equation mostly what a formula is given for."""
    pairs = zip(guarded(claim.statement.relation), guarded(edit.statement.relation), strict=True)
    changed = [(old, new) for (_, old), (_, new) in pairs if old.lhs != new.lhs]
    if any(not isinstance(old, (sympy.Eq, sympy.Ne)) and old.rhs != 0 for old, _ in changed):
        return LEFT
    return LEFT_OF_EQUATION * any(old.rhs == new.rhs for old, new in changed)


def _thins_a_tail(case: Case, edit: Edit) -> bool:
    """Whether a lost power makes the exponent of a tail smaller than any number makes it."""
    if edit.action != "power":
        return False
    endless = [symbol for symbol, field in case.claim.parameters.items()
               if isinstance(field, Real) and field.high is None]  # fmt: skip
    return any(
        thinned_out(case.free, old, new)
        or any(levels_off(case.free, old, new, number) for number in endless)
        for old, new, _ in changed_bounds(case.claim, edit)
    )


def _says_nothing(case: Case, edit: Edit) -> bool:
    """Whether a bound of one that varies is nowhere below one, and what it bounds nowhere above:
    exp(t^2) bounds no probability."""
    import numpy

    if edit.action == "direction":
        return _turned_to_nothing(case, edit)
    for old, new, larger in changed_bounds(case.claim, edit):
        other = beside(edit.statement.relation, new, larger)
        if other is None:
            continue
        bound, bounded = map(case.table.evaluate, (new, other) if larger else (other, new))
        if bound is None or bounded is None:
            continue
        if not larger:
            before = case.table.evaluate(old)
            if before is None or not (before > 1 + TOLERANCE).any():
                continue
        told = numpy.isfinite(bound) & numpy.isfinite(bounded)
        bound, bounded = bound[told], bounded[told]
        if told.sum() < LEFT_WORLDS or not bounded.min() < bounded.max():
            continue
        if not old.free_symbols and bounded_chance(case.claim) is None:
            continue  # a number that is one may be the best
        apart = bound.min() >= 1 - TOLERANCE and bounded.max() <= 1
        if apart and (not larger or bounded.min() >= 0):
            return True
    return False


def _is_sure_where_it_fails(case: Case, edit: Edit) -> bool:
    """Whether a factor makes the bound of a chance one or more wherever the print fails: it says
    nothing there."""
    failing = case.failing
    if edit.kind != "factor" or bounded_chance(case.claim) is None or failing is None:
        return False
    rows = failing[case.table.index]
    for old, new, larger in changed_bounds(case.claim, edit):
        before, after = case.table.evaluate(old), case.table.evaluate(new)
        if larger and rows.any() and before is not None and after is not None and (
            (after[rows] >= 1 - TOLERANCE).all() and not (before[rows] >= 1 - TOLERANCE).all()
        ):
            return True
    return False


def _turned_to_nothing(case: Case, edit: Edit) -> bool:
    """Whether an inequality, turned round, bounds what is never above one by one or more."""
    for _, part in guarded(edit.statement.relation):
        low, high = sides(part)
        if isinstance(part, INEQUALITIES) and high.is_number and high >= 1:
            values = case.table.evaluate(low)
            if values is not None and len(values) and values.min() >= 0 and values.max() <= 1:
                return True
    return False


def _parted(case: Case, edit: Edit) -> bool:
    """Whether a sign or an inverse moves a bound so far that a number lies between sides that vary.

    Such a statement compares nothing: a negative power of a chance is beyond every level.
    """
    import numpy

    slips = edit.action in ("sign", "inverse")
    for old, new, larger in changed_bounds(case.claim, edit) if slips else ():
        other = beside(edit.statement.relation, new, larger)
        if other is None or not (new.free_symbols and other.free_symbols):
            continue
        before, after, rest = (case.free.evaluate(side) for side in (old, new, other))
        if before is None or after is None or rest is None:
            continue
        was, now, against = (_ends(side) if larger else _ends(-numpy.asarray(side))
                            for side in (before, after, rest))  # fmt: skip
        if was is None or now is None or against is None:
            continue
        if was[0] < against[1] <= now[0]:
            return True
    return False


def _ends(values: Any) -> tuple[float, float] | None:
    """The least and the largest of some floats that differ, None where some are none."""
    import numpy

    if not numpy.isfinite(values).all() or values.min() == values.max():
        return None
    return float(values.min()), float(values.max())


def _goes_past_nothing(case: Case, edit: Edit) -> bool:
    """Whether a term of a bound with the other sign says less than the bound without the term,
    which no world refutes either: then its sign was not what is wrong."""
    if edit.action != "sign":
        return False
    for old, new, larger in changed_bounds(case.claim, edit):
        for without in _without_term(case, old, new, larger):
            relation = edit.statement.relation.xreplace({new: without})
            try:
                form = edit.statement.with_relation(relation)
            except Exception:  # nothing is left of the statement, or it is true of all numbers
                if relation == sympy.true:
                    return True
                continue
            failing = case.table.violated(form, edit.given)
            if failing is not None and not failing.any():
                return True
    return False


def _without_term(
    case: Case, old: sympy.Expr, new: sympy.Expr, larger: bool
) -> Iterator[sympy.Expr]:
    """A side without the term whose sign an edit turns, or that it makes say less than nothing."""
    yield from without_inner_term(old, new)
    term = ((old - new) / 2).expand()
    rest = (old.expand() - term).expand()
    if {*sympy.Add.make_args(term)} <= {*sympy.Add.make_args(old.expand())} and rest.free_symbols:
        yield rest
    before, after = ({*sympy.Add.make_args(side)} for side in (old, new))
    kept = sympy.Add(*(before & after))
    made = case.table.evaluate(new - kept) if kept.free_symbols and kept != old else None
    if made is not None and bool((made >= 0 if larger else made <= 0).all()):
        yield kept


def looseness(case: Case, form: Form, *, near: bool = True) -> float:
    """Doublings by which a changed statement is away from the print, or infinity if it says little.

    One for a change that floats cannot follow. Args: near: whether a bound that most worlds move
    by more than a factor says something else.
    """
    import numpy

    table, total = case.table, 0.0
    form, printed = apart(form), apart(case.claim.statement)
    slack = table.slack(form)
    if case.has_inequality and level_of(form) is None and slack > LOOSE:
        return math.inf
    pairs = zip(guarded(printed.relation), guarded(form.relation), strict=False)
    changed = [pair for (_, old), (_, new) in pairs
               for pair in zip(sides(old), sides(new), strict=True)]  # fmt: skip
    one, two = level_of(case.claim.statement), level_of(form)
    if one is not None and two is not None:
        changed.append((1 - one, 1 - two))
        promises = table.evaluate(two)
        if promises is not None and not (promises > TOLERANCE).any():
            return math.inf
    for old, new in changed:
        if old == new:
            continue
        old, new = bases(*rates(old, new))
        before, after = table.evaluate(old), table.evaluate(new)
        if before is None or after is None:
            total += 1.0
            continue
        with numpy.errstate(all="ignore"):
            moved = abs(numpy.log2(abs(after) / abs(before)))
        moved = moved[numpy.isfinite(moved)]
        if near and len(moved) and case.has_inequality and numpy.quantile(moved, 1 / 4) > FARTHEST:
            return math.inf
        total += float(numpy.median(moved)) if len(moved) else 5.0
    return min(total, 20.0)
