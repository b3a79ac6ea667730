"""What stands in the place of what, where two formulas differ at one place or everywhere alike."""

from __future__ import annotations

from collections.abc import Sequence

import sympy
from sympy.core.symbol import Str

from boundcheck.expressions.printed import as_printed

LONGEST = 100  # characters of a change that a sentence can hold
MOST = 2  # changes

Pair = tuple[sympy.Basic, sympy.Basic]


def instead(first: sympy.Basic, second: sympy.Basic) -> str:
    """The change from one formula to another in words; "" where no short sentence holds it.

    >>> x, y, z = sympy.symbols("x y z")
    >>> instead(x / (y + z), x / (2 * y + z)), instead(sympy.exp(-x), sympy.exp(-(x**2)))
    ('2*y for y', 'x**2 for x')
    >>> instead(sympy.Eq(x + y, x * z), sympy.Eq(x + 2 * y, x * z**2))
    '2*y for y and z**2 for z'
    >>> instead(x <= y, y <= x)
    ''
    """
    found = places(first, second)
    texts = sorted({f"{as_printed(new)} for {as_printed(old)}" for old, new in found})
    exchanged = any((new, old) in found for old, new in found)
    whole = (first, second) in found and not isinstance(first, sympy.Expr)
    if not texts or len(texts) > MOST or whole or exchanged:
        return ""
    return " and ".join(texts) if max(map(len, texts)) <= LONGEST else ""


def places(first: sympy.Basic, second: sympy.Basic) -> set[Pair]:
    """The smallest parts that differ; a whole where something is missing on one side.

    Returns: (part of the first, part of the second), each once.
    """
    if first == second:
        return set()
    if type(first) is not type(second) or not first.args:
        return {(first, second)}
    left, right = _different(first, second)
    if not left:
        return {(first, second)}
    found: set[Pair] = set()
    for one, two in zip(left, right, strict=True):
        found |= places(one, two)
    if any(isinstance(part, Str) for pair in found for part in pair):  # the name of a function
        return {(first, second)}
    bare = any(part.is_Number for pair in found for part in pair)
    near = len(str(first)) + len(str(second)) < LONGEST
    whole = isinstance(first, sympy.Expr) and isinstance(second, sympy.Expr)
    return {(first, second)} if bare and near and whole else found


def _different(first: sympy.Basic, second: sympy.Basic) -> tuple[list[sympy.Basic], ...]:
    """Arguments that differ: by place, or of sums and products of numbers the one on each side."""
    left, right = list(first.args), list(second.args)
    if isinstance(first, sympy.Add) or (isinstance(first, sympy.Mul) and first.is_commutative):
        lone, others = _without(left, right), _without(right, left)
        return (lone, others) if len(lone) == len(others) == 1 else ([], [])
    if len(left) != len(right):
        return [], []
    pairs = [pair for pair in zip(left, right, strict=True) if pair[0] != pair[1]]
    return [one for one, _ in pairs], [two for _, two in pairs]


def _without(parts: Sequence[sympy.Basic], others: Sequence[sympy.Basic]) -> list[sympy.Basic]:
    return [part for part in parts if part not in others]
