"""Means of powers of sums of fair signs, by one term after the other instead of every outcome.

E (S + a xi)^k = sum over even r of binom(k, r) a^r E S^(k - r) for a sign xi that is independent
of S, so that n terms take n k^2 / 4 products where there are 2^n outcomes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy
from flint import fmpq, fmpz

from boundcheck import exact
from boundcheck.arithmetic import Value, add, multiply, whole
from boundcheck.expressions.names import Named
from boundcheck.expressions.nodes import Apply, Average, Total, table
from boundcheck.expressions.scope import Scope
from boundcheck.worlds.draws import Signs

Lookup = Callable[[str], Any]
LISTED = 6  # signs whose outcomes are listed
HIGHEST = 12  # power


def is_summed(node: Average) -> bool:
    """Whether a mean takes no list of all outcomes."""
    return _of_signs(node) is not None


def _of_signs(node: Average) -> tuple[Signs, sympy.Expr, sympy.Expr, int] | None:
    draw = node.drawn.meaning.draw
    if type(draw) is not Signs or node.rank != 0:  # a power of a vector is none
        return None
    found = factored(node.body, node.drawn)
    return None if found is None else (draw, *found)


def averaged(node: Average, listed: Callable[[Lookup], Value]) -> Callable[[Lookup], Value]:
    """The exact rule of a mean: by moments where it is that of a power of a sum of many signs.

    Args: listed: the rule that adds up all outcomes.
    """
    found = _of_signs(node)
    if found is None:
        return listed
    draw, outside, inside, power = found
    beside, term = exact.compiled(outside), exact.compiled(inside)
    alone = _coefficients(inside, node.drawn)
    coefficients = None if alone is None else exact.compiled(alone)

    def run(look: Lookup) -> Value:
        number = whole(look(draw.length))
        if number <= LISTED:
            return listed(look)
        if coefficients is not None:
            return multiply(beside(look), moment([*coefficients(look)], power))
        units = (tuple(int(i == j) for j in range(number)) for i in range(number))
        terms = [term(Scope(look, {draw.signs: unit})) for unit in units]
        return multiply(beside(look), moment(terms, power))

    return run


def _coefficients(sum_: sympy.Expr, signs: sympy.Symbol) -> sympy.Expr | None:
    """The vector of what multiplies the signs in a sum over their places, None for other sums."""
    while isinstance(sum_, Named):
        sum_ = sum_.body
    if not isinstance(sum_, Total) or len(sum_.indices) != 1:
        return None
    (index,) = sum_.indices
    read = [part for part in sum_.body.atoms(Apply)
            if part.primitive.standard == "entry" and part.operands == (signs, index)]  # fmt: skip
    alone = sum_.body.xreplace(dict.fromkeys(read, sympy.S.One))
    return table(alone, index) if read and signs not in alone.free_symbols else None


def moment(terms: list[Value], power: int) -> Value:
    """E (a_1 xi_1 + ... + a_n xi_n)^power.

    >>> moment([1, 1, 1], 4)
    21
    """
    found: list[Value] = [fmpq(1)] + [fmpq(0)] * power
    for term in terms:
        powers: list[Value] = [fmpq(1)]
        for _ in range(power):
            powers.append(multiply(powers[-1], term))
        for k in range(power, 0, -1):
            for r in range(2, k + 1, 2):
                more = multiply(powers[r], found[k - r])
                found[k] = add(found[k], multiply(fmpq(fmpz.bin_uiui(k, r)), more))
    return found[power]


def factored(
    body: sympy.Expr, signs: sympy.Symbol
) -> tuple[sympy.Expr, sympy.Expr, int] | None:
    """c, S and k of c S^k, S a sum of signs; None of what is no such product."""
    while isinstance(body, Named):
        body = body.body
    factors = sympy.Mul.make_args(body)
    inside = [each for each in factors if signs in each.free_symbols]
    if len(inside) != 1:
        return None
    base, exponent = inside[0].as_base_exp()
    if not exponent.is_Integer or not 1 <= exponent <= HIGHEST:
        return None
    while isinstance(base, Named) or (isinstance(base, sympy.Abs) and exponent % 2 == 0):
        base = base.body if isinstance(base, Named) else base.args[0]
    if not is_linear(base, signs):
        return None
    return sympy.Mul(*(each for each in factors if each not in inside)), base, int(exponent)


def is_linear(expr: sympy.Basic, signs: sympy.Symbol) -> bool:
    """Whether an expression is a sum of signs times what does not read them."""
    if expr == signs:
        return True
    if isinstance(expr, Named):
        return is_linear(expr.body, signs)
    if isinstance(expr, sympy.Add):
        return all(is_linear(arg, signs) for arg in expr.args)
    if isinstance(expr, Total):
        sizes = (index.meaning.size for index in expr.indices)
        return is_linear(expr.body, signs) and not any(
            signs in sympy.sympify(size).free_symbols for size in sizes)  # fmt: skip
    linear = isinstance(expr, sympy.Mul) or (
        isinstance(expr, Apply) and expr.primitive.standard in ("inner", "entry"))  # fmt: skip
    if not linear:
        return False
    parts = expr.args if isinstance(expr, sympy.Mul) else expr.operands
    inside = [each for each in parts if signs in each.free_symbols]
    if isinstance(expr, Apply) and expr.primitive.standard == "entry" and inside != [parts[0]]:
        return False  # a place is no factor
    return len(inside) == 1 and is_linear(inside[0], signs)
