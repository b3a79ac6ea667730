"""Branch and bound with balls: an inequality on a compact box, certified piece by piece."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from typing import Any

import sympy
from flint import arb, fmpq

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
    found: list[sympy.Basic] = []
    for power in relation.atoms(sympy.Pow):
        if power.base is sympy.E:
            continue
        whole = isinstance(power.exp, sympy.Integer)
        if whole and power.exp < 0:
            found.append(sympy.Ne(power.base, 0, evaluate=False))
        elif not whole:
            root = isinstance(power.exp, sympy.Rational) and power.exp > 0
            kind = sympy.Ge if root else sympy.Gt
            found.append(kind(power.base, 0, evaluate=False))
    for log in relation.atoms(sympy.log):
        found.append(sympy.Gt(log.args[0], 0, evaluate=False))
    for inverse in relation.atoms(sympy.asin, sympy.acos):
        found.append(sympy.Le(sympy.Abs(inverse.args[0]), 1, evaluate=False))
    return found
