"""Branch and bound with balls: an inequality on a compact box, certified piece by piece."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from typing import Any

import sympy
from flint import arb, fmpq

from boundcheck.arithmetic import FUNCTIONS
from boundcheck.errors import Undecided, Undefined
from boundcheck.exact import decide, precision

BITS = 64
Box = tuple[tuple[fmpq, fmpq], ...]


def holds_on_box(
    relation: sympy.Basic,
    given: tuple[sympy.Basic, ...],
    ends: Mapping[str, tuple[fmpq, fmpq]],
    *,
    boxes: int = 3_000,
) -> int | None:
    """Number of boxes that certify the relation wherever `given` holds, or None.

    Args:
        ends: closed interval of every symbol.
        boxes: how many may be looked at.

    >>> x = sympy.Symbol("x", real=True)
    >>> holds_on_box(sympy.exp(x) > 2 * x, (), {"x": (fmpq(0), fmpq(3))}) is not None
    True
    """
    names = list(ends)
    needed = sympy.And(relation, *definedness(relation))
    queue: list[tuple[float, int, Box]] = [(0.0, 0, tuple(ends[n] for n in names))]
    seen, serial = 0, 0
    while queue:
        _, _, box = heapq.heappop(queue)
        seen += 1
        if seen > boxes:
            return None
        with precision(BITS):
            balls = {n: _ball(*pair) for n, pair in zip(names, box, strict=True)}
            if any(_truth(c, balls) is False for c in given):
                continue
            truth = _truth(needed, balls)
        if truth is True:
            continue
        widths = [
            float(high - low) / float(last - first) if last > first else 0.0
            for (low, high), (first, last) in zip(box, (ends[n] for n in names), strict=True)
        ]
        widest = max(range(len(box)), key=widths.__getitem__)
        if truth is False or widths[widest] < 1e-9:
            return None
        low, high = box[widest]
        for pair in ((low, (low + high) / 2), ((low + high) / 2, high)):
            serial += 1
            child = (*box[:widest], pair, *box[widest + 1 :])
            heapq.heappush(queue, (-max(widths), serial, child))
    return seen


def _ball(low: fmpq, high: fmpq) -> arb:
    return arb(low).union(arb(high))


def _truth(condition: sympy.Basic, balls: Mapping[str, Any]) -> bool | None:
    try:
        return decide(condition, balls.__getitem__)
    except (Undecided, Undefined, ZeroDivisionError):
        # On a wide ball "undefined" may mean "at some point of it": split further.
        return None


def definedness(relation: sympy.Basic) -> list[sympy.Basic]:
    """Conditions under which every part of an expression has a value."""
    kinds = (sympy.Pow, sympy.log, sympy.asin, sympy.acos)
    return [needed for part in relation.atoms(*kinds) for needed in own_requirements(part)]


def own_requirements(expr: sympy.Basic) -> list[sympy.Basic]:
    """What the arguments of one operation must meet for it to have a value."""
    if isinstance(expr, sympy.Pow) and expr.base is not sympy.E:
        if isinstance(expr.exp, sympy.Integer):
            return [sympy.Ne(expr.base, 0, evaluate=False)] if expr.exp < 0 else []
        if isinstance(expr.exp, sympy.Rational):
            kind = sympy.Ge if expr.exp > 0 else sympy.Gt
            return [kind(expr.base, 0, evaluate=False)]
        above = sympy.Gt(expr.base, 0, evaluate=False)
        at_zero = sympy.And(sympy.Eq(expr.base, 0), sympy.Gt(expr.exp, 0))
        return [above if at_zero is sympy.false else sympy.Or(above, at_zero)]
    if isinstance(expr, sympy.log):
        return [sympy.Gt(expr.args[0], 0, evaluate=False)]
    if isinstance(expr, (sympy.asin, sympy.acos)):
        return [sympy.Le(sympy.Abs(expr.args[0]), 1, evaluate=False)]
    if isinstance(expr, sympy.tan):
        return [sympy.Ne(sympy.cos(expr.args[0]), 0, evaluate=False)]
    if isinstance(expr, sympy.gamma):
        return [sympy.Gt(expr.args[0], 0, evaluate=False)]
    # Of factorials, and of what has no exact rule, nothing is known.
    known = type(expr) in FUNCTIONS and not isinstance(expr, (sympy.factorial, sympy.binomial))
    return [] if known or not isinstance(expr, sympy.Function) else [sympy.false]
