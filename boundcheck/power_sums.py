"""Sums of polynomials in an index by Faulhaber's formula, where listing the terms takes long."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sympy
from flint import arb, fmpq, fmpz

from boundcheck import exact
from boundcheck.arithmetic import Value, add, multiply, to_ball, whole

Lookup = Callable[[str], Any]

LISTED = 256  # terms that are added one by one
HIGHEST = 12  # power of an index
NUMBERS = (int, fmpz, fmpq, arb)
LONG = 16_384  # bits of an exact sum; those of the sum of 1/k grow with every term


def added(left: Value, right: Value) -> Value:
    """left + right, a ball once the fraction has grown so long that no sum of many terms ends."""
    total = add(left, right)
    return to_ball(total) if type(total) is fmpq and total.height_bits() > LONG else total


def power_sum(size: int, power: int) -> fmpq:
    """0^power + 1^power + ... + (size - 1)^power, with 0^0 = 1.

    >>> power_sum(4, 2)
    14
    """
    total = fmpq(0)
    for place in range(power + 1):
        binomial = fmpz.bin_uiui(power + 1, place)
        total += fmpq.bernoulli(place) * binomial * fmpz(size) ** (power + 1 - place)
    return total / (power + 1)


def powers(body: sympy.Expr, index: sympy.Symbol) -> list[tuple[int, sympy.Expr]] | None:
    """(power of the index, what is free of it) of every term of a sum; None where they are not
    written so. Nothing is expanded: what has no value keeps none."""
    found = []
    for term in sympy.Add.make_args(body):
        power, others = 0, []
        for factor in sympy.Mul.make_args(term):
            base, exponent = factor.as_base_exp()
            if base == index and exponent.is_Integer and exponent > 0:
                power += int(exponent)
            else:
                others.append(factor)
        rest = sympy.Mul(*others, evaluate=False)
        if power > HIGHEST or index.name in {symbol.name for symbol in rest.free_symbols}:
            return None
        found.append((power, rest))
    return found


def summed(
    body: sympy.Expr, indices: Sequence[Any], listed: Callable[[Lookup], Value]
) -> Callable[[Lookup], Value]:
    """The exact rule of a sum: by powers of its index where there are many terms.

    Args: indices: symbols with a size as their meaning. listed: the rule that adds one term after
    the other, for sums over several indices and of vectors or matrices too.
    """
    terms = powers(body, indices[0]) if len(indices) == 1 else None
    if terms is None:
        return listed
    size = exact.compiled(indices[0].meaning.size)
    parts = [(power, exact.compiled(rest)) for power, rest in terms]

    def run(look: Lookup) -> Value:
        count = whole(size(look))
        if count <= LISTED:
            return listed(look)
        total: Value = fmpq(0)
        for power, rest in parts:
            factor = rest(look)
            if not isinstance(factor, NUMBERS):
                return listed(look)
            total = add(total, multiply(power_sum(count, power), factor))
        return total

    return run
