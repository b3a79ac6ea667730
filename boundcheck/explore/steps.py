"""Floors and ceilings that stand alone: what is inside them has an end that is a whole number."""

from __future__ import annotations

import sympy

from boundcheck.setting import INEQUALITIES, sides

STEPS = sympy.floor, sympy.ceiling


def without_step(relation: sympy.Basic) -> sympy.Basic:
    """The same condition without its floor or ceiling, where that is all of a side but numbers;
    others as they are.

    >>> v = sympy.Symbol("v", real=True)
    >>> without_step(sympy.floor(1 / v) >= 2), without_step(3 - 2 * sympy.ceiling(v**2) > 0)
    (1/v >= 2, v**2 <= 1)
    """
    if not isinstance(relation, INEQUALITIES):
        return relation
    low, high = sides(relation)
    number, rest = (high - low).as_coeff_Add()
    factor, atom = rest.as_coeff_Mul()
    if not isinstance(atom, STEPS) or not (number.is_Rational and factor.is_Rational):
        return relation
    edge, inner = -number / factor, atom.args[0]
    strict, down = isinstance(relation, (sympy.Lt, sympy.Gt)), isinstance(atom, sympy.floor)
    kind: type[sympy.Rel]
    if factor > 0:
        least = sympy.floor(edge) + 1 if strict else sympy.ceiling(edge)  # of the whole number
        kind, end = (sympy.Ge, least) if down else (sympy.Gt, least - 1)
    else:
        most = sympy.ceiling(edge) - 1 if strict else sympy.floor(edge)
        kind, end = (sympy.Lt, most + 1) if down else (sympy.Le, most)
    return kind(inner, end, evaluate=False)
