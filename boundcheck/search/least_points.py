"""Points at which a sum of squares and moduli is zero: no line through random worlds meets them."""

from __future__ import annotations

import sympy

MOST_SYMBOLS = 4  # of a part


def zeros(part: sympy.Expr) -> dict[sympy.Symbol, sympy.Rational]:
    """The one rational point at which a sum of squares and moduli of linear terms, or a quadratic
    polynomial that is flat there, is zero; empty where there is none, or no single one.

    >>> x, y = sympy.symbols("x y", real=True)
    >>> zeros(sympy.Abs(x - 3) + 2 * sympy.Abs(x - y)), zeros(x**2 + y**2 - y + sympy.S(1) / 4)
    ({x: 3, y: 3}, {x: 0, y: 1/2})
    """
    symbols = sorted(part.free_symbols, key=str)
    if not isinstance(part, sympy.Add) or not 2 <= len(symbols) <= MOST_SYMBOLS:
        return {}
    linear = [inner for term in part.args if (inner := _inside(term)) is not None]
    if len(linear) < len(part.args):
        if not part.is_polynomial(*symbols) or sympy.Poly(part, *symbols).total_degree() != 2:
            return {}
        linear = [part.diff(symbol) for symbol in symbols]
    if not all(each.is_polynomial(*symbols) and sympy.Poly(each, *symbols).total_degree() == 1
               for each in linear):  # fmt: skip
        return {}
    solutions = sympy.linsolve(linear, symbols)
    found = next(iter(solutions), ()) if isinstance(solutions, sympy.FiniteSet) else ()
    point = dict(zip(symbols, found, strict=True)) if found else {}
    whole = all(value.is_Rational for value in point.values())
    return point if whole and part.xreplace(point) == 0 else {}


def _inside(term: sympy.Expr) -> sympy.Expr | None:
    """What a positive multiple of a modulus or an even power is zero with, or of their product for
    one number, as SymPy writes |x|^3; None for other terms."""
    number, rest = term.as_coeff_Mul()
    found = {_own(factor) for factor in sympy.Mul.make_args(rest)}
    (inner, *others) = found
    return inner if number.is_positive and not others else None


def _own(factor: sympy.Expr) -> sympy.Expr | None:
    base, power = factor.as_base_exp()
    if not base.free_symbols:
        return None
    if isinstance(base, sympy.Abs):
        return base.args[0] if power.is_positive else None
    return base if power.is_Integer and power.is_positive and power.is_even else None
