"""Least and greatest values and medians of a law with finitely many atoms, written out.

An atom is left out where its weight is zero and stays; one that counts must have a positive weight
for every t, so that none comes in or goes.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, combinations
from typing import TYPE_CHECKING

import sympy
from sympy import Max, Min, Piecewise

from boundcheck.checker import blocks
from boundcheck.checker.blocks import held
from boundcheck.expressions.nodes import Apply

if TYPE_CHECKING:
    from boundcheck.checker.writing import Places, Writing

MOST = 4  # atoms of a median
HALF = sympy.Rational(1, 2)
Atom = tuple[sympy.Expr, sympy.Expr, sympy.Expr]  # value, weight, and how often it stands there


def least_value(writing: Writing, node: Apply, at: Places) -> sympy.Expr:
    """Of atoms with a positive weight."""
    return Min(*(value for value, _, _ in _supported(writing, node, at)))


def greatest_value(writing: Writing, node: Apply, at: Places) -> sympy.Expr:
    """Of atoms with a positive weight."""
    return Max(*(value for value, _, _ in _supported(writing, node, at)))


def median(writing: Writing, node: Apply, at: Places) -> sympy.Expr:
    """The least value up to which there is half of the mass, which the largest of all has."""
    atoms = _supported(writing, node, at)
    if len(atoms) > MOST:
        raise writing.unwritten(node)
    writing.needed.append(_mass(atoms) >= HALF)
    top = Max(*(value for value, _, _ in atoms))
    found = Min(*(Piecewise((atom[0], _has_half(atoms, atom)), (top, True)) for atom in atoms))
    if found.has(sympy.ITE):  # which condition is asked is a case itself
        raise writing.unwritten(node)
    return found


def _has_half(atoms: list[Atom], last: Atom) -> sympy.Basic:
    """Whether some atoms up to one have half of the mass together with it."""
    others = [atom for atom in atoms if atom is not last]
    chosen = chain.from_iterable(combinations(others, count) for count in range(len(atoms)))
    return sympy.Or(*(sympy.And(_mass([*some, last]) >= HALF, *(one[0] <= last[0] for one in some))
                      for some in chosen))  # fmt: skip


def _mass(atoms: list[Atom]) -> sympy.Expr:
    return sympy.Add(*(times * weight for _, weight, times in atoms))


def _supported(writing: Writing, node: Apply, at: Places) -> list[Atom]:
    """The atoms that count. Raises: Unwritten where none does, or a weight is unknown."""
    (key, values), (other, weights) = (writing.vector(each, at) for each in node.operands)
    if key != other:
        raise writing.unwritten(node)
    stay = held(writing, weights)
    found = [atom for atom, weight in zip(zip(values, weights, writing.parts.times(key),
                                              strict=True), stay, strict=True) if weight != 0]
    unknown = {symbol.name for _, weight, _ in found for symbol in weight.free_symbols}
    if not found or unknown & set(writing.unknown):
        raise writing.unwritten(node)
    writing.needed += [sympy.Gt(weight, 0) for _, weight, _ in found]
    return found


NUMBERS: dict[str, Callable[[Writing, Apply, Places], sympy.Expr]] = blocks.NUMBERS | {
    "least_value": least_value, "greatest_value": greatest_value, "median": median,
}  # fmt: skip
