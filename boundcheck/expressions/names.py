"""Names for parts of expressions, shown as printed and seen through by every reading.

`define` makes a symbol that is measured once in a setting. A `Named` part has a name and no place
of its own: it may depend on an index or on an outcome that an expectation around it binds, as
f(x') or the drawn kernel matrix under the mean over its features.
"""

from __future__ import annotations

from typing import Any

import sympy
from sympy.core.symbol import Str

from boundcheck.expressions.nodes import Apply, Node, rank_of
from boundcheck.unmerged import applied

TAKEN: dict[sympy.Basic, set[sympy.Expr]] = {}  # what closed forms, by their node, take as positive


class Named(Node):
    """An expression that is shown by a name."""

    kind = "named"

    def __new__(cls, text: Str, latex: Str, body: sympy.Basic) -> Named:
        return cls.made(text, latex, body)

    @property
    def text(self) -> str:
        """The name."""
        return str(self.args[0].name)

    @property
    def body(self) -> sympy.Expr:
        """What it stands for."""
        return self.args[2]

    @property
    def rank(self) -> int | None:  # type: ignore[override]
        return rank_of(self.body)

    def _sympystr(self, printer: Any) -> str:
        return self.text

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        text = self.args[1].name
        return text if exp is None else rf"{{{text}}}^{{{exp}}}"


def named(text: str, body: Any, latex: str = "") -> Named:
    """An expression under a name, for what depends on an index or on an outcome.

    >>> x = sympy.Symbol("x", real=True)
    >>> h = named("h(x)", 1 + x**2)
    >>> h + 1, seen_through(h + 1)
    (h(x) + 1, x**2 + 2)
    """
    return Named(Str(text), Str(latex or text), sympy.sympify(body))


def seen_through(expr: sympy.Basic) -> sympy.Basic:
    """The expression without names, in the form that is computed.

    Numbers are drawn out of what is homogeneous in an operand: (1/sqrt(s)) A times its transpose
    is then (1/s) A A^T, which is rational. Primitives are replaced by what they say is better.
    """
    if isinstance(expr, Named):
        return seen_through(expr.body)
    if not expr.args or not any(isinstance(p, Node) for p in sympy.preorder_traversal(expr)):
        return expr
    args = [seen_through(arg) for arg in expr.args]
    if isinstance(expr, Apply) and expr.primitive.degrees:
        return _drawn_out(expr, args)
    if isinstance(expr, Apply) and expr.primitive.rewrite is not None:
        better = expr.primitive.rewrite(*args[1:])
        if better is not None:
            return seen_through(better)
    return expr if tuple(args) == expr.args else applied(expr.func, args)


def _drawn_out(node: Apply, args: list[sympy.Basic]) -> sympy.Expr:
    """f(a A, b v) as a^p b^q f(A, v) for an f of degrees p and q."""
    factor: sympy.Expr = sympy.S.One
    for place, degree in enumerate(node.primitive.degrees, 1):
        if degree and isinstance(args[place], sympy.Mul):
            numbers, rest = args[place].args_cnc()
            if numbers and rest:
                factor *= sympy.Mul(*numbers) ** degree
                args[place] = sympy.Mul(*rest)
    return factor * node.func(*args)
