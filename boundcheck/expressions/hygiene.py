"""Bound names: an index, variable or outcome shares its name with nothing that its body reads.

Readings look values up by name. Two symbols of one name, one of them bound, would have one value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import sympy
from sympy.concrete.expr_with_limits import ExprWithLimits

from boundcheck.errors import MalformedStatement
from boundcheck.expressions.boxes import Extreme
from boundcheck.expressions.nodes import Average, Binder, Node
from boundcheck.expressions.symbols import Known


def require_apart(expr: sympy.Basic) -> None:
    """Refuse an expression in which a bound name captures another symbol.

    Raises: MalformedStatement naming the two, or a node in a series of SymPy over its index.

    >>> from boundcheck.expressions import index, total, world
    >>> from boundcheck.worlds import Vector
    >>> i, j = index("i", 2), index("i", 3)
    >>> require_apart(total(world("v", Vector(3))[j] * i, i))
    Traceback (most recent call last):
    boundcheck.errors.MalformedStatement: total(i*v[i], i) binds i, and another symbol that is \
called i stands in it; give one of them another name
    """
    for part, bound, body in _bindings(expr):
        names = [symbol.name for symbol in bound]
        twice = next((name for name in names if names.count(name) > 1), None)
        captured = next((s.name for s in sorted(body.free_symbols, key=str)
                         if s.name in names and not _is_bound(s, bound)), None)  # fmt: skip
        if twice or captured:
            raise MalformedStatement(
                f"{part} binds {twice or captured}, and another symbol that is called "
                f"{twice or captured} stands in it; give one of them another name"
            )
        if isinstance(part, ExprWithLimits) and _has_node_over(body, bound):
            raise MalformedStatement(
                f"{part} is a series of SymPy over {bound[0]}, on which a node inside depends; "
                "write total(..., i) or multiplied(..., i) with i = index(name, size)"
            )


def _bindings(
    expr: sympy.Basic,
) -> Iterator[tuple[sympy.Basic, tuple[sympy.Symbol, ...], sympy.Basic]]:
    for part in sympy.preorder_traversal(expr):
        if isinstance(part, Binder):
            yield part, part.indices, part.body
        elif isinstance(part, Average):
            yield part, (part.drawn,), part.body
        elif isinstance(part, Extreme):
            yield part, tuple(limit[0] for limit in part.limits), part.body
        elif isinstance(part, ExprWithLimits):
            yield part, tuple(limit[0] for limit in part.limits), part.function


def _is_bound(symbol: sympy.Symbol, bound: Iterable[sympy.Symbol]) -> bool:
    """Whether a symbol is one of the bound ones, or an outcome of the same draw."""
    draw = symbol.meaning.draw if isinstance(symbol, Known) else None
    return any(
        symbol == each or (draw is not None and isinstance(each, Known)
                           and each.meaning.draw == draw)
        for each in bound
    )  # fmt: skip


def _has_node_over(body: sympy.Basic, bound: tuple[sympy.Symbol, ...]) -> bool:
    return any(
        isinstance(part, Node) and part.free_symbols & set(bound)
        for part in sympy.preorder_traversal(body)
    )
