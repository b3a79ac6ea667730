"""Inequalities made polynomial: roots become letters, denominators are cleared by their signs.

`cleared` says the same as a comparison wherever both sides have a value.
"""

from __future__ import annotations

import math

import sympy

LARGEST = 400  # operations; beyond it factors cost more than they help
DEGREE = 24
HIGHEST = 128  # power beside others in a polynomial that is taken apart


class Letters:
    """Nonnegative symbols under rational roots, each written as a power of a new letter.

    Args: nonnegative: symbols known to be at least zero; relations: where roots may stand.
    """

    def __init__(self, nonnegative: set[sympy.Symbol], relations: list[sympy.Basic]) -> None:
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


def _is_steep(expr: sympy.Expr) -> bool:
    """Whether it takes too long to take a polynomial apart: exp(-20 (x - 5)^2) makes one of degree
    200 in exp(x) and 20 in exp(x^2)."""
    for factor in sympy.Mul.make_args(expr):
        base = factor.base if isinstance(factor, sympy.Pow) else factor
        try:
            powers = sympy.Poly(base).degree_list() if base.is_Add else ()
        except sympy.polys.polyerrors.BasePolynomialError:
            continue
        if max(powers, default=0) > (HIGHEST if len(powers) > 1 else LARGEST):
            return True
    return False


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
    powers = {p.as_base_exp()[1].as_coeff_Mul()[0] for p in relation.atoms(sympy.Pow, sympy.exp)}
    if any(max(abs(power.p), power.q) > LARGEST for power in powers if power.is_Rational):
        return None  # exp(10^7 x) is a polynomial of that degree in exp(x)
    if isinstance(relation, (sympy.Eq, sympy.Ne)):
        small, large = relation.lhs, relation.rhs
    else:
        small, large = relation.lts, relation.gts
    if (large - small).has(sympy.Piecewise, sympy.Max, sympy.Min, sympy.Abs):
        return None
    top, bottom = sympy.fraction(sympy.together(sympy.expand_power_base(large - small)))
    if _is_steep(top) or _is_steep(bottom):
        return None
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
