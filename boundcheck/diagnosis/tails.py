"""Tails exp(-x): what changes in their exponents, and which numbers there serve at every size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import sympy

from boundcheck.diagnosis.growing import exponent_grows, grows, multiple_grows
from boundcheck.search.screening import bounded_chance
from boundcheck.setting import INEQUALITIES, sides

if TYPE_CHECKING:
    from boundcheck.diagnosis.case import Case
    from boundcheck.diagnosis.columns import Columns

FALLS = 20.0  # how much farther an exponent falls in some places than in others
NOWHERE_ABOVE = 1 + 1e-9
FAR = (10**9, 10**12)  # times what a number is, between which an exponent is seen to fall
STAYS = 1.01  # how much farther one falls there that levels off


def rates(old: sympy.Expr, new: sympy.Expr) -> tuple[sympy.Expr, sympy.Expr]:
    """The exponents of two tails that differ in their exponents alone, else what is given.

    >>> t = sympy.Symbol("t", positive=True)
    >>> rates(2 * sympy.exp(-t), 2 * sympy.exp(-(t**2)))
    (-t, -t**2)
    """
    before, after = old.atoms(sympy.exp), new.atoms(sympy.exp)
    if len(before) != 1 or len(after) != 1:
        return old, new
    (one,), (two,) = before, after
    same = old.xreplace({one: two}) == new and (old / one).free_symbols.isdisjoint(one.free_symbols)
    return (one.args[0], two.args[0]) if same and old.is_commutative else (old, new)


def bases(old: sympy.Expr, new: sympy.Expr) -> tuple[sympy.Expr, sympy.Expr]:
    """The bases of two powers with one exponent and another number in them, else what is given.

    >>> n = sympy.Symbol("n", positive=True)
    >>> bases(2**n, 3**n), bases(2**n, n)
    ((2, 3), (2**n, n))
    """
    (one, power), (two, its) = old.as_base_exp(), new.as_base_exp()
    alike = power == its and power.free_symbols and one != 0 and (two / one).is_number
    return (one, two) if alike else (old, new)


def beside_roots(
    expr: sympy.Expr, relation: sympy.Basic
) -> Iterator[tuple[sympy.Expr, sympy.Expr]]:
    """Roots in an expression with the term that stands beside them in a tail that is Gaussian near
    its middle only, without one factor under the root, or all that no tail names, and as large or
    half as large.

    Args: relation: whose tails and logarithms of levels say what is under the root.

    >>> k, x = sympy.symbols("k x", real=True)
    >>> list(beside_roots(k + 2 * sympy.sqrt(k * x), k <= sympy.exp(-x)))
    [(sqrt(k*x), x), (sqrt(k*x), x/2)]
    """
    for root, telling in _roots_in_tails(expr, relation):
        factors = sympy.Mul.make_args(root.base)
        silent = [part for part in factors if not part.free_symbols & telling]
        wide = [part for part in silent if part.free_symbols and part.as_base_exp()[1] == 1]
        rests = [root.base / part for part in wide] + [root.base / sympy.Mul(*silent)] * bool(wide)
        yield from ((root, share * rest) for rest in dict.fromkeys(rests)
                    for share in (sympy.S.One, sympy.S.Half))  # fmt: skip


def wider_roots(
    expr: sympy.Expr, relation: sympy.Basic
) -> Iterator[tuple[sympy.Expr, sympy.Expr]]:
    """Roots in a deviation with the same of twice, and of four times, what is under them.

    >>> k, x = sympy.symbols("k x", real=True)
    >>> list(wider_roots(sympy.sqrt(k * x) / 2, k <= sympy.exp(-x)))
    [(sqrt(k*x), sqrt(2)*sqrt(k*x)), (sqrt(k*x), 2*sqrt(k*x))]
    """
    for root, _ in _roots_in_tails(expr, relation):
        yield from ((root, factor * root) for factor in (sympy.sqrt(2), sympy.Integer(2)))


def _roots_in_tails(
    expr: sympy.Expr, relation: sympy.Basic
) -> Iterator[tuple[sympy.Expr, set[sympy.Basic]]]:
    """Roots of what tails, or logarithms of levels, of a relation name, with what these name."""
    telling = {symbol for part in relation.atoms(sympy.exp, sympy.log)
               for symbol in part.args[0].free_symbols}  # fmt: skip
    if isinstance(relation, INEQUALITIES) and sides(relation)[1].is_Symbol:
        telling.add(sides(relation)[1])  # a level
    for root in sorted((p for p in expr.atoms(sympy.Pow) if p.exp == sympy.S.Half), key=str):
        if root.base.free_symbols & telling:
            yield root, telling


def thinned_out(free: Columns, old: sympy.Expr, new: sympy.Expr) -> bool:
    """Whether the exponent of a tail is nowhere larger than before, and smaller by no number."""
    import numpy

    exponents = rates(old, new)
    before, after = (free.evaluate(side) for side in exponents)
    if exponents == (old, new) or before is None or after is None:
        return False
    with numpy.errstate(all="ignore"):
        share = after / before
    share = share[numpy.isfinite(share)]
    return bool(len(share) and 0 <= share.min() <= share.max() / FALLS
                and share.max() <= NOWHERE_ABOVE)  # fmt: skip


def levels_off(free: Columns, old: sympy.Expr, new: sympy.Expr, number: sympy.Symbol) -> bool:
    """Whether the exponent of a tail stays where a number grows without end, and fell before."""
    import numpy

    exponents = rates(old, new)
    if exponents == (old, new) or not all(number in side.free_symbols for side in exponents):
        return False
    moved = [[free.evaluate(side.xreplace({number: far * number})) for far in FAR]
             for side in exponents]  # fmt: skip
    if any(values is None for each in moved for values in each):
        return False
    with numpy.errstate(all="ignore"):
        before, after = (far / near for near, far in moved)
    told = numpy.isfinite(before) & numpy.isfinite(after)
    return bool(told.any() and (before[told] > FALLS).all() and (after[told] < STAYS).all())


def is_of_exponent(case: Case, changed: sympy.Basic) -> bool:
    """Whether a changed comparison has another exponent alone: left over right then grows with a
    size by itself, as the exponent does."""
    old = case.claim.statement.relation
    if not isinstance(old, INEQUALITIES) or type(old) is not type(changed):
        return False
    bounds = sides(old)[1], sides(changed)[1]
    return bounds[0] != bounds[1] and rates(*bounds) != bounds


def number_grows(case: Case, changed: sympy.Basic) -> bool:
    """Whether the number of a changed comparison would have to grow with a size."""
    old = case.claim.statement.relation
    if isinstance(old, INEQUALITIES) and type(old) is type(changed):
        bounded, bound = sides(old)
        event = bound == sides(changed)[1] and bounded_chance(case.claim) == bounded
        if event or is_of_exponent(case, changed):
            return exponent_grows(case)
        if bounded == sides(changed)[0] and multiple_grows(case, changed) is False:
            return False
    return grows(case)
