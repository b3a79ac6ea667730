"""What a repair that the library states keeps of the print: the same bound up to its numbers.

Such a repair may measure the left side in another way, because what it rests on was mended too;
what it asks for beyond the print is then what the print lacks.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy

from boundcheck.setting import INEQUALITIES, parts, sides

Mark = Callable[[sympy.Basic], sympy.Basic]


def keeps_bound(mine: sympy.Basic, its: sympy.Basic, unnumbered: Mark) -> bool:
    """Whether every bound of one statement is, but for numbers, one that another states.

    Args: mine, its: relations. unnumbered: puts one mark in the place of every number.
    """
    own, others = (_bounds(relation, unnumbered) for relation in (mine, its))
    return bool(own) and own <= others and len(own) == len(others)


def _bounds(relation: sympy.Basic, unnumbered: Mark) -> set[sympy.Basic]:
    """The larger sides of a statement without numbers; empty where it is no set of bounds."""
    comparisons = parts(relation)
    plain = all(isinstance(part, INEQUALITIES) for part in comparisons)
    if relation.has(sympy.Implies) or not plain:
        return set()
    larger = [sides(part)[1] for part in comparisons]
    if not all(isinstance(side, sympy.Expr) and side.free_symbols for side in larger):
        return set()
    return {_terms(side, unnumbered) for side in larger}


def _terms(side: sympy.Expr, unnumbered: Mark) -> sympy.Basic:
    """The terms of a side without their numbers; what differs in numbers alone is one term."""
    terms = sympy.Add.make_args(sympy.expand(side))
    return sympy.Tuple(*sorted({unnumbered(term) for term in terms}, key=str))
