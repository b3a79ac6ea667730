"""Changes that take away what is compared instead of mending the comparison."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import sympy

from boundcheck.claim import Claim
from boundcheck.diagnosis.edits import Edit
from boundcheck.diagnosis.kin import OTHER_EXTREME, exchanges_extremes, extreme, replaced_in
from boundcheck.diagnosis.pool import ROWS, Seen, Table
from boundcheck.errors import Undefined
from boundcheck.expressions.binding import Definition
from boundcheck.expressions.nodes import Apply, Greatest, Least, Node
from boundcheck.search.admissible import Candidates
from boundcheck.search.screening import bounded_chance
from boundcheck.setting import INEQUALITIES, Setting, guarded, sides
from boundcheck.worlds.space import float_value

if TYPE_CHECKING:
    from boundcheck.diagnosis.case import Case

DRAWN, FEWEST = 24, 6  # random worlds that meet a hypothesis, and how many tell
ZERO = 1e-12
SAME_THING, SAME = 1.0, 1e-9


def pointless(claim: Claim, edit: Edit) -> bool:
    """Whether an edit takes away what is bounded instead of changing the bound."""
    before, after = guarded(claim.statement.relation), guarded(edit.statement.relation)
    if len(before) != len(after) or _is_power_of_zero(edit.statement.relation):
        return True
    printed = {quantity.shown: symbol for symbol, quantity in claim.measure.items()
               if isinstance(quantity, Definition)}  # fmt: skip
    for (_, old), (_, new) in zip(before, after, strict=True):
        if new != old and _is_beside_itself(replaced_in(new, printed)):
            return True
        if new.lhs == new.rhs and not (
            edit.kind == "factor" or _mended_inside(old, new) or _multiple(old, new)
        ):
            return True
        if edit.kind == "factor" and (old.free_symbols - new.free_symbols) & set(claim.measure):
            return True  # it takes a quantity away that the bound rests on
        if new != old and new in claim.given:
            return True
        if isinstance(old, sympy.Eq) and _swallows(old, new):
            return True
        if isinstance(old, (sympy.Eq, sympy.Ne)) or type(old) is not type(new):
            continue
        if _circular(claim, old, new) or _moves_what_is_bounded(claim, edit, old, new):
            return True
        if isinstance(new, INEQUALITIES) and is_of_all(claim, new):
            return True
    return False


def _is_beside_itself(relation: sympy.Rel) -> bool:
    """Whether what is bounded is a term of its bound: E exp(X) <= E exp(X) + Var(X)/2."""
    if not isinstance(relation, INEQUALITIES):
        return False
    small, large = sides(relation)
    return bool(large.is_Add and not small.is_number and small in large.args)


def _swallows(old: sympy.Eq, new: sympy.Rel) -> bool:
    """Whether one side of an equation has become one of those that the other takes an extreme of:
    that a = min(a, b) says one inequality twice over."""
    def taken(relation: sympy.Rel) -> set[sympy.Basic]:
        return {side for side, other in (relation.args, relation.args[::-1])
                for part in other.atoms(sympy.Max, sympy.Min) if side in part.args}  # fmt: skip

    return bool(taken(new) - taken(old))


def _is_power_of_zero(relation: sympy.Basic) -> bool:
    """Whether nothing is left of what a power is taken of: (1 - N/N)^m."""
    return any(power.base == 0 for power in relation.atoms(sympy.Pow))


def is_of_all(claim: Claim, relation: sympy.Rel) -> bool:
    """Whether one side is the least or the largest of all that the other takes extremes of: the
    least entry of a matrix is at most any."""
    (below, least), (above, largest) = (_extremes(claim, side) for side in sides(relation))
    return least == largest and bool(below and above) and (
        below == {Least} or above == {Greatest}) and below != above  # fmt: skip


def _extremes(claim: Claim, side: sympy.Expr) -> tuple[set[type], sympy.Expr]:
    """The kinds of extremes that are taken, one of another, and what they are taken of."""
    quantity = claim.measure.get(side) if isinstance(side, sympy.Symbol) else None
    body = quantity.expression if isinstance(quantity, Definition) else side
    kinds: set[type] = set()
    while isinstance(body, (Greatest, Least)):
        kinds.add(type(body))
        body = body.body
    return kinds, body


def says_nothing_of(relation: sympy.Rel) -> bool:
    """Whether one side is a number times the other: that log x <= 2 log x says nothing of x.

    >>> x = sympy.Symbol("x", positive=True)
    >>> says_nothing_of(sympy.log(x) <= 2 * sympy.log(x)), says_nothing_of(x <= 2 * x**2)
    (True, False)
    """
    low, high = relation.args
    return bool(low.free_symbols and high != 0 and (low / high).is_number)


def emptied(case: Case, claim: Claim) -> bool:
    """Whether one more hypothesis leaves nothing to compare: both sides are zero wherever it holds.

    That a law is symmetric makes its skewness zero, and says nothing of a bound by it.
    """
    import numpy

    found = _drawn(case, claim)
    return bool(found) and all(
        all(values is not None and numpy.allclose(values, 0, atol=ZERO, equal_nan=True)
            for values in pair)
        and not (isinstance(part, sympy.Eq) and any(side.is_number for side in part.args))
        for part, pair in found
    )  # that a norm is zero is what an equation says


def leaves_equal(case: Case, claim: Claim) -> bool:
    """Whether one more hypothesis makes the sides of every inequality equal, as that of matrices
    that commute does: it leaves the worlds alone of which both directions are true."""
    import numpy

    found = _drawn(case, claim)
    return bool(found) and all(
        isinstance(part, INEQUALITIES) and low is not None and high is not None
        and numpy.allclose(low, high, atol=ZERO, equal_nan=True)
        for part, (low, high) in found
    )


def _drawn(case: Case, claim: Claim) -> list[tuple[sympy.Rel, list[Any]]]:
    """The comparisons of a claim with their sides in random worlds; none where few are drawn."""
    rng, candidates = case.bench.task(claim, "emptied").rng("random worlds"), Candidates(claim)
    drawn = (candidates.random(rng) for _ in range(DRAWN))
    table = Table(claim, [found.setting for found in drawn if found is not None], ROWS)
    if len(table.kept) < FEWEST:
        return []
    return [(part, [table.evaluate(side) for side in part.args])
            for _, part in guarded(claim.statement.relation)]  # fmt: skip


def bounds_no_chance(case: Case, claim: Claim) -> bool:
    """Whether the bound of a probability is nowhere below one, which says nothing, in the known
    worlds that meet the hypotheses of a changed claim."""
    chance = bounded_chance(case.claim)
    if chance is None or not isinstance(claim.statement.relation, INEQUALITIES):
        return False
    low, high = sides(claim.statement.relation)
    bound = case.table.evaluate(high)
    counted = case.table.evaluate(low)
    if low != chance or bound is None or counted is None or not _is_share(counted):
        return False
    for condition in claim.given:
        truth = None if condition in case.claim.given else case.table.evaluate(condition)
        bound = bound if truth is None else bound[truth.astype(bool)[: len(bound)]]
    return bool((bound >= 1 - ZERO).all())


def is_sure(case: Case, claim: Claim) -> bool:
    """Whether a changed claim bounds a probability by what is one or more in every known world."""
    chance, relation = bounded_chance(claim), claim.statement.relation
    if chance is None or not isinstance(relation, INEQUALITIES) or sides(relation)[0] != chance:
        return False
    bounds = _over(case, claim, sides(relation)[1])
    return len(bounds) >= FEWEST and all(bound >= 1 - ZERO for bound in bounds)


def _is_share(values: Any) -> bool:
    """Whether what counts something is nowhere above one: a probability, and no number of sets."""
    import numpy

    told = values[numpy.isfinite(values)]
    return bool(len(told) and told.min() >= 0 and told.max() <= 1 + ZERO)


@lru_cache(maxsize=64)
def _measured(claim: Claim) -> frozenset[sympy.Symbol]:
    """Symbols of what is measured in worlds; a name for a formula of parameters is none."""
    return frozenset(
        symbol for symbol, quantity in claim.measure.items()
        if not isinstance(quantity, Definition) or quantity.expression.atoms(Node)
        or not quantity.expression.free_symbols <= set(claim.parameters)
    )  # fmt: skip


def _circular(claim: Claim, old: sympy.Rel, new: sympy.Rel) -> bool:
    """Whether the larger side takes up what is measured on the other: E f <= exp(E f)."""
    measured = _measured(claim)
    small = sides(old)[0].free_symbols & measured
    taken_up = any(
        not side.is_number and not old.args[1 - place].has(side) and new.args[1 - place].has(side)
        for place, side in enumerate(old.args)
    )
    if taken_up or (sides(new)[1].free_symbols - sides(old)[1].free_symbols) & small:
        return True
    came = _came(sympy.Add, old, new)
    return sides(new)[0] in came  # x <= x + sqrt(y) says nothing of x


def cancels(claim: Claim, edit: Edit) -> bool:
    """Whether a factor that both sides of an inequality share has come into the larger one: what
    is n x <= n y says nothing of n. Another power of what was a factor there before has not come.
    Nor does a side gain what the other one should lose: q^2 x <= q^2/4 for x <= 1/4.
    """
    pairs = zip(guarded(claim.statement.relation), guarded(edit.statement.relation), strict=True)
    return any(
        type(old) is type(new) and isinstance(old, INEQUALITIES)
        and (any(
            factor.as_base_exp()[0] not in _bases(sides(old)[1])
            for factor in _came(sympy.Mul, old, new) & {*sympy.Mul.make_args(sides(new)[0])}
        ) or any(
            was == now != 0 and sides(new)[1 - place] / sides(old)[1 - place]
            in {part for part in sympy.Mul.make_args(now) if part.free_symbols}
            for place, (was, now) in enumerate(zip(sides(old), sides(new), strict=True))
        ))
        for (_, old), (_, new) in pairs
    )  # fmt: skip


def _bases(side: sympy.Expr) -> set[sympy.Expr]:
    """What the factors of a side are powers of."""
    return {factor.as_base_exp()[0] for factor in sympy.Mul.make_args(side)}


def of_the_same(case: Case, edit: Edit) -> float:
    """What an edit costs more whose other measured number makes both sides the same everywhere:
    that tr A^2 <= ||A||_F^2 bounds nothing."""
    import numpy

    printed = case.claim.statement.relation
    known = printed.atoms(Apply) | set(case.claim.measure)
    for _, part in guarded(edit.statement.relation):
        if not isinstance(part, INEQUALITIES) or not part.atoms(Apply) - known:
            return 0.0
        low, high = ([_float(seen.setting, side) for seen in _spread(case)]
                     for side in sides(part))  # fmt: skip
        if not numpy.allclose(low, high, rtol=SAME, atol=ZERO):
            return 0.0
    return SAME_THING


def makes_equal(case: Case, claim: Claim) -> bool:
    """Whether a changed inequality compares something measured with itself: both sides are the
    same in every known world."""
    import numpy

    relation = claim.statement.relation
    if not isinstance(relation, INEQUALITIES) or not set.intersection(
            *({part for part in side.free_symbols if part in claim.measure}
              for side in sides(relation))):  # fmt: skip
        return False
    low, high = (_over(case, claim, side) for side in sides(relation))
    return len(low) >= FEWEST and numpy.allclose(low, high, rtol=SAME, atol=ZERO)


def levels_sides(case: Case, claim: Claim) -> bool:
    """Whether a side of a changed inequality is one number in every known world, where the printed
    one varies: that |sum_k (p_k - q_k)| is nothing is no bound. Nor is one of a multiple of what it
    bounds: that E X^4 is at most 3 E X^4."""
    import numpy

    old, new = case.claim.statement.relation, claim.statement.relation
    if not isinstance(old, INEQUALITIES) or type(old) is not type(new):
        return False
    for was, now in zip(sides(old), sides(new), strict=True):
        if was == now or not now.free_symbols:
            continue
        after, before = _over(case, claim, now), _over(case, case.claim, was)
        if len(after) >= FEWEST and numpy.ptp(after) <= ZERO < numpy.ptp(before):
            return True
    return _is_multiple(case, claim, new) and not _is_multiple(case, case.claim, old)


def _is_multiple(case: Case, claim: Claim, relation: sympy.Rel) -> bool:
    """Whether one side is a number other than 1 times the other one in known worlds that differ."""
    import numpy

    low, high = (numpy.array(_over(case, claim, side)) for side in sides(relation))
    some = numpy.isfinite(low) & numpy.isfinite(high) & (numpy.abs(low) > ZERO)
    if some.sum() < FEWEST or numpy.ptp(low[some]) <= ZERO or not (high[some] != 0).all():
        return False
    ratios = high[some] / low[some]
    return bool(numpy.ptp(ratios) <= SAME * abs(ratios[0]) < abs(ratios[0] - 1))


def _over(case: Case, claim: Claim, side: sympy.Expr) -> list[float]:
    """The values of a side in some known worlds."""
    return [_float(Setting(claim, seen.setting.values), side) for seen in _spread(case)]


def _spread(case: Case) -> list[Seen]:
    """Some known worlds, of all kinds: the worst failures, which come first, may well attain a
    changed bound."""
    return case.worlds[:: max(len(case.worlds) // DRAWN, 1)][:DRAWN]


def _float(setting: Setting, expr: sympy.Expr) -> float:
    """The value of an expression in a world; not a number where it has none."""
    try:
        return float(float_value(setting.evaluate(expr)))
    except Exception:  # a quantity may fail in any way on what it was not made for
        return math.nan


def _came(kind: type[sympy.Add | sympy.Mul], old: sympy.Rel, new: sympy.Rel) -> set[sympy.Expr]:
    """Terms or factors of the larger side that it did not have."""
    before, after = ({*kind.make_args(sides(relation)[1])} for relation in (old, new))
    return {part for part in after - before if part.free_symbols}


def _moves_what_is_bounded(claim: Claim, edit: Edit, old: sympy.Rel, new: sympy.Rel) -> bool:
    """Whether an edit changes the side that is bounded, and not by a slip of the pen.

    The right side bounds the left one as printed, from above or below, unless it alone is
    measured. Of what is bounded a power may be lost, of the whole only where nothing measured is
    in it; a bound from below may have another number, power or sign, or a symbol more or less.
    """
    measured = _measured(claim)
    reversed_ = old.rhs.free_symbols & measured and not old.lhs.free_symbols & measured
    (before, after), (own, changed_to) = zip(old.args, new.args, strict=True)
    if reversed_:
        before, after, own, changed_to = own, changed_to, before, after
    if before == after:
        slight = edit.kind == "constant" or edit.action in (
            "power", "sign", "inverse", "attained", "lasting")
        slight |= edit.kind == "factor" and changed_to.free_symbols != own.free_symbols
        # Under another law the same is measured: a cross entropy with its laws exchanged.
        of_numbers = own.free_symbols & measured == changed_to.free_symbols & measured
        slight |= edit.action == "swap" and bool(of_numbers or changed_to.atoms(Node))
        slight |= _is_other_extreme(claim, own, changed_to) or exchanges_extremes(own, changed_to)
        return sides(old)[0] == own and not (slight or lowers(claim, edit))
    if own != changed_to:
        return True  # of both sides at once it says the same of other numbers
    if edit.action == "balanced":
        return False
    if edit.action != "power":
        # Of two formulas neither bounds the other one: a slip within either counts.
        formulas = not measured or (edit.action == "sign" and isinstance(before, sympy.Add))
        slipped = edit.action in ("sign", "inverse", "swap") or edit.kind == "factor"
        return not (formulas and slipped and not _is_whole(before, after))
    return _is_whole_power(before, after) and bool(before.free_symbols & measured)


def _is_other_extreme(claim: Claim, old: sympy.Expr, new: sympy.Expr) -> bool:
    """Whether the least eigenvalue stands for the largest in a formula, or the other way round."""
    gone = [extreme(quantity.expression) for symbol in old.free_symbols - new.free_symbols
            if isinstance(quantity := claim.measure.get(symbol), Definition)]  # fmt: skip
    came = [extreme(node) for node in new.atoms(Apply) if extreme(node)]
    return len(gone) == len(came) == 1 and OTHER_EXTREME.get(gone[0]) == came[0]


def lowers(claim: Claim, edit: Edit) -> bool:
    """Whether an edit makes another formula of a bound from below on what is measured, or where
    nothing is measured on a left side: it may say anything as long as it says less. The least of
    the same numbers for the largest is no other formula."""
    old, new = claim.statement.relation, edit.statement.relation
    if not isinstance(old, INEQUALITIES) or type(old) is not type(new) or edit.kind != "symbol":
        return False
    (small, large), (its, same), measured = sides(old), sides(new), _measured(claim)
    plain = not small.free_symbols & measured and (
        bool(large.free_symbols & measured) or small == old.rhs)
    other = large == same and small != its and edit.action in ("", "attained")
    return plain and other and not exchanges_extremes(small, its)


def _is_whole(old: sympy.Expr, new: sympy.Expr) -> bool:
    """Whether a sign, an inverse or a factor is of a whole side."""
    ratio = new / old
    return new == old**-1 or bool(ratio == -1 or ratio.is_Symbol or (1 / ratio).is_Symbol)


def _is_whole_power(old: sympy.Expr, new: sympy.Expr) -> bool:
    return any(new == old**power for power in (2, sympy.S.Half))


def _mended_inside(old: sympy.Rel, new: sympy.Rel) -> bool:
    """Whether sides that an edit makes the same text were long texts a symbol apart."""
    before = next((a for a, b in zip(old.args, new.args, strict=True) if a != b), None)
    return (
        isinstance(before, (sympy.Add, sympy.Mul))
        and before.func is new.lhs.func
        and len(before.args) == len(new.lhs.args) > len(set(before.args) - set(new.lhs.args))
    )


def _multiple(old: sympy.Rel, new: sympy.Rel) -> bool:
    """Whether one side of an equation of sums is the other one times a number."""
    sums = all(isinstance(side, sympy.Add) for side in old.args)
    return sums and (old.lhs / old.rhs).expand().cancel().is_number


def leaves_a_number(old: sympy.Rel, new: sympy.Rel) -> bool:
    """Whether an edit of an inequality leaves nothing but a number of one of its sides."""
    if not isinstance(old, INEQUALITIES):
        return False
    return any(not after.free_symbols and before.free_symbols
               for before, after in zip(old.args, new.args, strict=True))  # fmt: skip


def asks_for_a_value(case: Case, claim: Claim) -> bool:
    """Whether the last hypothesis of a claim has no value where the statement has none: it asks
    for nothing but one."""
    if case.verdict.outcome != "malformed" or case.witness is None or not claim.given:
        return False
    try:
        case.witness.under(claim).decide(claim.given[-1])
    except Undefined:
        return True
    except Exception:  # a quantity may fail in any way on what it was not made for
        return False
    return False
