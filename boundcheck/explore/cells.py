"""What a condition is between two values of a symbol, by enclosures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import mpmath
import sympy
from flint import arb, fmpq

from boundcheck.explore.returning import Cells
from boundcheck.explore.values import Truth
from boundcheck.setting import INEQUALITIES

SMOOTH = {
    sympy.Add, sympy.Mul, sympy.Pow, sympy.exp, sympy.log, sympy.tanh, sympy.erf, sympy.atan,
    sympy.sinh, sympy.cosh, sympy.asinh, sympy.sin, sympy.cos, *INEQUALITIES,
}  # fmt: skip


def cells(relation: sympy.Basic, name: str, values: Mapping[str, Any]) -> Cells | None:
    """What a condition is between two values of a symbol (None: no end), where enclosures tell;
    None where something in it is no number."""
    from boundcheck.explore.enclosure import certainly_fails, certainly_valued

    boxed = _boxes(relation, name, values)
    if boxed is None:
        return None
    opposite = sympy.to_nnf(sympy.Not(relation), simplify=False)
    memo: dict[tuple[Any, ...], Any] = {}

    def told(low: fmpq | None, high: fmpq | None) -> Truth | None:
        inside = boxed(low, high)
        if certainly_fails(relation, inside, memo):
            return Truth.FAILS
        holds = certainly_fails(opposite, inside, memo) and certainly_valued(relation, inside, memo)
        return Truth.HOLDS if holds else None

    return told


def single_changes(
    relation: sympy.Basic, name: str, values: Mapping[str, Any]
) -> Callable[[fmpq, fmpq], bool]:
    """Whether both sides of an inequality differ by what certainly rises, or falls, between two
    values of a symbol, so that it changes there once at most."""
    from boundcheck.explore.enclosure import certainly_valued, enclosure, ends

    boxed = _boxes(relation, name, values)
    parts = {type(part) for part in sympy.preorder_traversal(relation) if part.args}
    if boxed is None or not isinstance(relation, INEQUALITIES) or not parts <= SMOOTH:
        return lambda one, two: False
    (symbol,) = (symbol for symbol in relation.free_symbols if symbol.name == name)
    slope, memo = (relation.lhs - relation.rhs).diff(symbol), dict[tuple[Any, ...], Any]()

    def once(one: fmpq, two: fmpq) -> bool:
        inside = boxed(one, two)
        low, high = ends(enclosure(slope, inside, memo))
        return bool(low > 0 or high < 0) and certainly_valued(relation, inside, memo)

    return once


def _boxes(
    relation: sympy.Basic, name: str, values: Mapping[str, Any]
) -> Callable[[fmpq | None, fmpq | None], dict[str, Any]] | None:
    """The numbers of a condition as intervals, those of one symbol between two ends."""
    from boundcheck.explore.enclosure import between, exactly

    numbers = {n: v for n, v in values.items() if isinstance(v, (int, fmpq, arb))}
    names = {symbol.name for symbol in relation.free_symbols} - {name}
    if not names <= set(numbers):
        return None
    box: dict[str, Any] = {n: exactly(numbers[n]) for n in names}
    return lambda low, high: {**box, name: between(
        -mpmath.inf if low is None else mpmath.mpf(exactly(low).a),
        mpmath.inf if high is None else mpmath.mpf(exactly(high).b),
    )}  # fmt: skip
