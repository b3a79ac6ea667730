"""What a change of one part costs more by where the part stands in its expression."""

from __future__ import annotations

import sympy

from boundcheck.diagnosis.change import Change

OF_LOGARITHMS = 0.45  # log(2 m) for log(m), which large m tell apart less and less, than 2 log(m)
OF_ALTERNATIVES = 0.1  # what a number costs more in one of several that the largest is taken of
BESIDE_NUMBERS = 0.4  # what a lost root costs more of a symbol beside a number: 1 - sqrt(q)
OF_EXPONENTS = 1.0  # what a lost symbol costs more in an exponent: 2^(d sqrt(H)) for 2^d
OF_SQUARES = 0.02  # what exp((x - m)^2) costs more for exp(x - m) than the other sign
OF_RATES = 0.6  # what another number costs more as the base of a power: 3^m for 2^m
OF_BOTH = 0.5  # what a power costs more of a symbol that base and exponent share: (n/k)^k


def priced(expr: sympy.Basic, part: sympy.Basic, place: int, change: Change) -> float:
    """What a change costs more that is made in one part of an expression.

    Args: place: of the part among the arguments.
    """
    if isinstance(expr, sympy.Pow):
        return _in_power(expr, part, place, change)
    if isinstance(expr, (sympy.Max, sympy.Min)):
        return OF_ALTERNATIVES * (change.kind == "constant")
    if isinstance(expr, sympy.Add):
        beside = change.action == "power" and _is_root(change.node, part) and any(
            term.is_number for term in expr.args)
        return BESIDE_NUMBERS * beside
    if isinstance(expr, sympy.exp):
        return OF_SQUARES * bool(part.is_Add and change.node == part**2)
    if isinstance(expr, sympy.log):
        number = part.is_Symbol and change.kind == "constant" and change.action != "power"
        return OF_LOGARITHMS * bool(number)
    return 0.0


def _in_power(expr: sympy.Pow, part: sympy.Basic, place: int, change: Change) -> float:
    shared = change.action in ("power", "inverse") and expr.base.free_symbols & (
        expr.exp.free_symbols)
    cost = OF_BOTH * bool(shared)
    if place == 0 and part.is_number and change.kind == "constant":
        cost += OF_RATES * bool(expr.exp.free_symbols)
    if place == 1 and change.kind == "factor":
        cost += OF_EXPONENTS * bool(change.node.free_symbols - expr.free_symbols)
    return cost


def _is_root(term: sympy.Expr, part: sympy.Expr) -> bool:
    """Whether a term is the root of a symbol where a part is the symbol."""
    symbol = part.as_coeff_Mul()[1]
    return bool(symbol.is_Symbol and term.as_coeff_Mul()[1] == sympy.sqrt(symbol))
