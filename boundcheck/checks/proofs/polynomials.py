"""Inequalities made polynomial: roots become letters, denominators are cleared by their signs.

`cleared` says the same as a comparison wherever both sides have a value. `evident` decides a
polynomial by the signs of its coefficients once every letter is moved to its lower bound.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import sympy

LARGEST = 400  # operations; beyond it factors cost more than they help
DEGREE = 24


class Letters:
    """Nonnegative symbols under rational roots, each written as a power of a new letter.

    Args: nonnegative: symbols known to be at least zero; relations: where roots may stand.
    """

    def __init__(
        self, nonnegative: set[sympy.Symbol], relations: list[sympy.Basic]
    ) -> None:
        roots: dict[sympy.Symbol, int] = {}
        for relation in relations:
            for power in relation.atoms(sympy.Pow):
                if not power.exp.is_Rational or power.exp.q == 1:
                    continue
                for symbol in power.base.free_symbols & nonnegative:
                    if _monomial_in(power.base, symbol):
                        roots[symbol] = math.lcm(roots.get(symbol, 1), int(power.exp.q))
        self.letters = {
            symbol: sympy.Dummy(f"root of {symbol.name}", nonnegative=True) ** order
            for symbol, order in roots.items() if order <= DEGREE
        }  # fmt: skip

    def put(self, relation: sympy.Basic) -> sympy.Basic:
        """A relation in the new letters."""
        return relation.xreplace(self.letters) if self.letters else relation


def _monomial_in(base: sympy.Expr, symbol: sympy.Symbol) -> bool:
    bases = [factor.as_base_exp()[0] for factor in sympy.Mul.make_args(base)]
    return all(part == symbol or symbol not in part.free_symbols for part in bases)


def cleared(relation: sympy.Basic) -> sympy.Basic | None:
    """A comparison p >= 0 (or >, ==, !=) of a polynomial that says the same, or None.

    The fraction of both sides is multiplied by the square of its denominator, which is positive
    where there is a value.

    >>> x = sympy.Symbol("x", real=True)
    >>> cleared(1 / x <= x)
    x*(x - 1)*(x + 1) >= 0
    """
    if not isinstance(relation, sympy.Rel) or sympy.count_ops(relation) > LARGEST:
        return None
    if isinstance(relation, (sympy.Eq, sympy.Ne)):
        small, large = relation.lhs, relation.rhs
    else:
        small, large = relation.lts, relation.gts
    if (large - small).has(sympy.Piecewise, sympy.Max, sympy.Min, sympy.Abs):
        return None
    top, bottom = sympy.fraction(sympy.together(sympy.expand_power_base(large - small)))
    strict = isinstance(relation, (sympy.Lt, sympy.Gt))
    if isinstance(relation, (sympy.Eq, sympy.Ne)):
        return type(relation)(sympy.factor(top), 0)
    # Squares beyond the first power do not change a sign; a strict sign needs them to differ from
    # zero, which they do in the denominator only.
    constant, factors = sympy.factor_list(top)
    below_constant, below = sympy.factor_list(bottom)
    product = constant * below_constant
    for base, power in factors:
        product *= base**power if strict else base ** (2 - power % 2)
    for base, power in below:
        product *= base ** (power % 2)
    return sympy.Gt(product, 0) if strict else sympy.Ge(product, 0)


def evident(
    relation: sympy.Basic,
    low: Mapping[sympy.Symbol, sympy.Rational],
    high: Mapping[sympy.Symbol, sympy.Rational],
) -> bool:
    """Whether p >= 0 or p > 0 shows in coefficients: every symbol at its bound plus a letter.

    Args: low, high: numbers that bound the symbols, as far as known.

    >>> x, y = sympy.symbols("x y", real=True)
    >>> evident(x**2 * y - y >= 0, {x: sympy.Integer(1), y: sympy.Integer(0)}, {})
    True
    >>> evident(x**2 - 3 * x + 3 >= 0, {x: sympy.Integer(0)}, {})
    False
    """
    if not isinstance(relation, (sympy.Ge, sympy.Gt)) or relation.rhs != 0:
        return False
    strict = isinstance(relation, sympy.Gt)
    return _sign(relation.lhs, low, high) >= (2 if strict else 1)


def _sign(
    expr: sympy.Expr,
    low: Mapping[sympy.Symbol, sympy.Rational],
    high: Mapping[sympy.Symbol, sympy.Rational],
) -> int:
    """2 if surely positive, 1 if surely at least zero, -1 and -2 alike, 0 if it does not show."""
    sign = 2
    for factor in sympy.Mul.make_args(expr):
        base, power = factor.as_base_exp()
        if not (power.is_Integer and power > 0):
            base, power = factor, sympy.S.One
        part = _factor_sign(base, low, high)
        if power % 2 == 0:
            part = 2 if abs(part) == 2 else 1
        if part == 0:
            return 0
        sign = (1 if sign * part > 0 else -1) * min(abs(sign), abs(part))
    return sign


def _factor_sign(
    expr: sympy.Expr,
    low: Mapping[sympy.Symbol, sympy.Rational],
    high: Mapping[sympy.Symbol, sympy.Rational],
) -> int:
    if expr.is_number:
        return 2 if expr.is_positive else -2 if expr.is_negative else 1 if expr.is_zero else 0
    moved, letters = {}, []
    for symbol in expr.free_symbols:
        letter = sympy.Dummy(nonnegative=True)
        letters.append(letter)
        if symbol in low and symbol in high:
            moved[symbol] = (low[symbol] + high[symbol] * letter) / (1 + letter)
        elif symbol in low:
            moved[symbol] = low[symbol] + letter
        elif symbol in high:
            moved[symbol] = high[symbol] - letter
        elif symbol.is_nonnegative:
            moved[symbol] = letter
        else:
            return 0
    try:
        poly = sympy.Poly(sympy.fraction(sympy.together(expr.xreplace(moved)))[0], *letters)
    except sympy.PolynomialError:
        return 0
    coefficients = poly.coeffs()
    if not all(c.is_number for c in coefficients):
        return 0
    constant = poly.eval(dict.fromkeys(letters, 0)) if letters else poly.as_expr()
    # At the high end of a two-sided range a letter is infinite, so a constant term is no proof
    # of a positive value there.
    ends = any(symbol in low and symbol in high for symbol in expr.free_symbols)
    for sign in (1, -1):
        if all((sign * c).is_nonnegative for c in coefficients):
            return sign * (2 if (sign * constant).is_positive and not ends else 1)
    return 0
