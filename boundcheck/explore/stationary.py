"""The best value of a free parameter in closed form, where one condition alone holds it.

A condition whose sides are a sum of two powers of the parameter and of what is free of it leaves
most room where the derivative of the sum vanishes.
"""

from __future__ import annotations

import sympy

from boundcheck.setting import INEQUALITIES


def stationary(relation: sympy.Basic, symbol: sympy.Symbol) -> sympy.Expr | None:
    """Where a condition leaves most room, or None where its sides are no such sum.

    >>> a, b, c, x = sympy.symbols("a b c x", real=True)
    >>> stationary(a * x + b / x**2 <= c, x)
    2**(1/3)*(b/a)**(1/3)
    >>> stationary(a * x <= c, x) is None
    True
    """
    if not isinstance(relation, INEQUALITIES):
        return None
    powers: dict[sympy.Expr, sympy.Expr] = {}
    for term in sympy.Add.make_args(sympy.expand(relation.lts - relation.gts)):
        front, moving = term.as_independent(symbol, as_Add=False)
        base, exponent = moving.as_base_exp()
        if moving != 1 and (base != symbol or not exponent.is_Rational):
            return None
        exponent = exponent if moving != 1 else sympy.S.Zero
        powers[exponent] = powers.get(exponent, sympy.S.Zero) + front
    powers.pop(sympy.S.Zero, None)
    if len(powers) != 2:
        return None
    (low, a), (high, b) = sorted(powers.items())
    if low >= 0 or high <= 0:
        return None
    return sympy.factor(-low * a / (high * b)) ** (1 / (high - low))
