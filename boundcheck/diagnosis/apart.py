"""How far two expression trees are apart: what has to be changed to turn one into the other.

A slip of the pen leaves out a term, a factor, a power or a mean, so a sum is compared with one of
its terms, a product with one of its factors, a power with its base, and a formula with what is
around it, before the whole counts as another formula.
"""

from __future__ import annotations

from functools import lru_cache

import sympy

Difference = tuple[sympy.Basic | None, sympy.Basic | None]
SIDED = (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)
LARGEST = 6  # nodes of a changed part that count
AROUND = 2.0  # of a formula with something around it, against the formula


def apart(first: sympy.Basic, second: sympy.Basic) -> float:
    """How many nodes have to change to turn one tree into the other, roughly.

    What changes in the same way at several places counts once.

    >>> x, y = sympy.symbols("x y")
    >>> apart(x + 2 * y, x + 3 * y), apart(1 - 2 * y, 2 * y), apart(x**3 * y, x * y)
    (1.0, 2.0, 1.0)
    """
    return _total(differences(first, second))


@lru_cache(maxsize=1 << 15)
def differences(first: sympy.Basic, second: sympy.Basic) -> frozenset[Difference]:
    """Pairs of parts that stand in each other's place in two trees, each pair once."""
    if first == second:
        return frozenset()
    alone: frozenset[Difference] = frozenset({(first, second)})
    if type(first) is type(second) and isinstance(first, SIDED):
        return differences(first.lhs, second.lhs) | differences(first.rhs, second.rhs)
    if type(first) is type(second) and first.args:
        return _matched(list(first.args), list(second.args))
    return min((alone, *_lifted(first, second)), key=_total)


def _lifted(first: sympy.Basic, second: sympy.Basic) -> list[frozenset[Difference]]:
    """Differences of a sum, product or power with a tree that is none of these."""
    found = []
    for kind in (sympy.Add, sympy.Mul):
        if isinstance(first, kind) or isinstance(second, kind):
            found.append(_matched(*(
                list(side.args) if isinstance(side, kind) else [side] for side in (first, second)
            )))  # fmt: skip
    if isinstance(first, sympy.Pow):
        found.append(differences(first.base, second) | {(first.exp, sympy.S.One)})
    if isinstance(second, sympy.Pow):
        found.append(differences(first, second.base) | {(sympy.S.One, second.exp)})
    return found


def _matched(left: list[sympy.Basic], right: list[sympy.Basic]) -> frozenset[Difference]:
    for part in list(left):
        if part in right:
            left.remove(part)
            right.remove(part)
    found: frozenset[Difference] = frozenset()
    while left and right:
        pairs = [(differences(a, b), a, b) for a in left for b in right]
        best, one, two = min(pairs, key=lambda item: _total(item[0]))
        found |= best
        left.remove(one)
        right.remove(two)
    return found | {(part, None) for part in left} | {(None, part) for part in right}


def _total(found: frozenset[Difference]) -> float:
    return sum(_weight(one, two) for one, two in found)


def _weight(one: sympy.Basic | None, two: sympy.Basic | None) -> float:
    whole = (_share(one) + _share(two)) / 2
    if one is None or two is None:
        return min(whole, AROUND)
    if whole <= AROUND or not isinstance(one, sympy.Expr) or not isinstance(two, sympy.Expr):
        return whole
    return AROUND if _inside(one, two) or _inside(two, one) else whole


def _inside(part: sympy.Basic, whole: sympy.Basic) -> bool:
    """Whether a formula stands in another one; bound indices have no names to compare."""
    return any(
        type(node) is type(part) and _text(node) == _text(part)
        for node in sympy.preorder_traversal(whole)
    )


@lru_cache(maxsize=4096)
def _text(node: sympy.Basic) -> str:
    return str(node)


def _share(part: sympy.Basic | None) -> float:
    return 1.0 if part is None else float(min(_size(part), LARGEST))


@lru_cache(maxsize=1 << 15)
def _size(expr: sympy.Basic) -> int:
    return 1 + sum(_size(arg) for arg in expr.args)
