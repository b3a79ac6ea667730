"""Formulas up to their numbers."""

from __future__ import annotations

import sympy
from sympy.core.symbol import Str


def _mixed(expr: sympy.Add) -> bool:
    """Whether a number and another term differ in sign: 1 - x is no multiple of x."""
    numbers = [arg for arg in expr.args if not arg.free_symbols]
    rest = [arg for arg in expr.args if arg.free_symbols]
    signs = {number.could_extract_minus_sign() for number in numbers}
    return any(arg.could_extract_minus_sign() not in signs for arg in rest) and bool(numbers)


def unnumbered(expr: sympy.Basic) -> sympy.Basic:
    """A formula with one mark for every number, and products by numbers dropped.

    >>> x = sympy.Symbol("x")
    >>> unnumbered(2 * x + 3) == unnumbered(x + 7), unnumbered(1 - x) == unnumbered(x)
    (True, False)
    """
    mark = sympy.Symbol("_number", real=True)
    if isinstance(expr, Str):  # the name of a primitive
        return expr
    if isinstance(expr, sympy.Number) or (not expr.free_symbols and not expr.is_Boolean):
        return mark
    if isinstance(expr, (sympy.Mul, sympy.Add)):
        kept = [unnumbered(arg) for arg in expr.args if arg.free_symbols]
        if isinstance(expr, sympy.Add) and _mixed(expr):
            kept.append(mark)
        return expr.func(*kept) if len(kept) > 1 else kept[0]
    if isinstance(expr, sympy.Pow) and not expr.exp.free_symbols:
        return sympy.Pow(unnumbered(expr.base), expr.exp)
    if not expr.args:
        return expr
    if isinstance(expr, (sympy.Rel, sympy.logic.boolalg.Boolean)):
        return expr.func(*map(unnumbered, expr.args), evaluate=False)
    return expr.func(*map(unnumbered, expr.args))
