"""The linear term that a bound has lost, by its contact with what it bounds."""

from __future__ import annotations

from collections.abc import Iterator

import sympy

from boundcheck.claim import Claim
from boundcheck.diagnosis.change import COSTS, Change
from boundcheck.diagnosis.domain import ends
from boundcheck.expressions.nodes import Node
from boundcheck.setting import INEQUALITIES, sides
from boundcheck.worlds.fields import Real

POINTS = (sympy.S.Zero, sympy.S.One)  # where a formula of numbers is mostly written around


def lost_slopes(claim: Claim, relation: sympy.Basic) -> Iterator[Change]:
    """A bound of numbers alone that is level where it meets what it bounds, with the one slope that
    can mend it there: two smooth sides that meet inside the domain touch.

    >>> from boundcheck import Holds, Source
    >>> x = sympy.Symbol("x", real=True)
    >>> at = Source("A", 2000, "T").at("here")
    >>> claim = Claim(at, Holds(sympy.exp(x) <= 1 + x**2), parameters={x: Real(None, None)})
    >>> [change.words for change in lost_slopes(claim, claim.statement.relation)]
    ['a term x beside x**2 + 1']
    """
    numbers = {symbol.name for symbol in relation.free_symbols} <= {*claim.fields}
    if not isinstance(relation, INEQUALITIES) or not numbers or relation.atoms(Node):
        return
    bounded, bound = sides(relation)
    for side, other in ((bound, bounded), (bounded, bound)):
        for symbol in sorted(side.free_symbols & other.free_symbols, key=str):
            for point in POINTS if isinstance(claim.fields.get(symbol.name), Real) else ():
                slope = _slope(claim, side, other, symbol, point)
                if slope is None:
                    continue
                term = slope * (symbol - point)
                args = [side + term if each == side else each for each in relation.args]
                yield Change(f"a term {term} beside {side}", "symbol", COSTS["logarithm"],
                             relation.func(*args, evaluate=False))  # fmt: skip


def _slope(
    claim: Claim, side: sympy.Expr, other: sympy.Expr, symbol: sympy.Symbol, point: sympy.Expr
) -> sympy.Expr | None:
    """The slope of the other side at a point of the domain where both are the same and one is
    level; None where nothing is lost."""
    low, high = ends(claim, symbol)
    if (low is not None and point < low) or (high is not None and point > high):
        return None
    gap, level, slope = (sympy.expand(expr.subs(symbol, point))
                         for expr in (side - other, side.diff(symbol), other.diff(symbol)))
    if gap != 0 or level != 0 or slope == 0 or not slope.is_finite:
        return None
    return slope
