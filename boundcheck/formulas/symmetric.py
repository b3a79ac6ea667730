"""Which matrices are symmetric: an eigenvalue is real, and ordered, of a symmetric matrix only."""

from __future__ import annotations

from collections.abc import Callable

from boundcheck.errors import InvalidArgument
from boundcheck.formulas.roles import SPECTRAL, Roles, turned
from boundcheck.formulas.tree import Node

NUMBERS = {*SPECTRAL, "norm", "modulus", "inner", "size", "divergence", "indicator", "number",
           "probability", "variance"}  # fmt: skip
LINEAR = ("negative", "quotient", "total")  # a multiple, or a sum of several


def require_symmetric(relation: Node, roles: Roles, said: Callable[[Node], str]) -> None:
    """Find the letters that an eigenvalue of a sum of bare letters makes symmetric.

    A letter whose transpose is printed stays a square matrix.
    Args: said: the text of a part, for the message.
    Raises: InvalidArgument for an eigenvalue of what need not be symmetric.
    """
    inside = [node.parts[0] for node in relation.all() if node.kind == "eigenvalue"]
    flipped = {part.text for node in relation.all() if turned(node) for part in node.all()}
    bare = {name for body in inside for name in _bare(body, roles)}
    roles.symmetric = bare - flipped
    for body in inside:
        if _ordered(body, False, roles) == _ordered(body, True, roles):
            continue
        own = sorted({part.text for part in body.all()} & bare & flipped)
        why = f", as {own[0]}, whose transpose is printed" if own else ""
        raise InvalidArgument(
            f"--latex has an eigenvalue of {said(body)}, which need not be symmetric{why}; write a "
            r"symmetric matrix, such as A^\top A or (A + A^\top)/2, or the norm \|A\|_{op}"
        )


def _is_array(node: Node, roles: Roles) -> bool:
    """Whether a factor is a matrix or a vector."""
    if node.kind in NUMBERS:
        return False
    if node.kind in ("name", "entry"):
        return node.text in roles.matrices | roles.vectors
    return any(_is_array(part, roles) for part in node.parts)


def _bare(body: Node, roles: Roles) -> set[str]:
    """The letters that stand in a sum by themselves, up to real multiples."""
    if body.kind in ("name", "entry"):
        return {body.text} & roles.matrices - {"I"}
    if body.kind == "sum":
        return {name for part in body.parts for name in _bare(part, roles)}
    if body.kind in LINEAR:
        return _bare(body.parts[0], roles)
    arrays = [part for part in body.parts if _is_array(part, roles)]
    return _bare(arrays[0], roles) if body.kind == "product" and len(arrays) == 1 else set()


def _ordered(node: Node, flip: bool, roles: Roles) -> Node:
    """An expression, or its transpose, with the terms of every sum in one order."""
    if node.kind in ("name", "entry"):
        plain = node.text in roles.symmetric or node.text == "I" or not _is_array(node, roles)
        return node if plain or not flip else Node("transpose", "", (node,))
    if not _is_array(node, roles):
        return node
    if turned(node):
        return _ordered(node.parts[0], not flip, roles)
    if node.kind == "sum":
        terms = (_ordered(part, flip, roles) for part in node.parts)
        return Node("sum", "", tuple(sorted(terms, key=repr)))
    if node.kind == "product":
        factors = _flat(node)
        numbers = [part for part in factors if not _is_array(part, roles)]
        arrays = [_ordered(part, flip, roles) for part in factors if _is_array(part, roles)]
        return Node("product", "", (*numbers, *(arrays[::-1] if flip else arrays)))
    if node.kind in (*LINEAR, "power", "expectation"):
        return Node(node.kind, node.text, (_ordered(node.parts[0], flip, roles), *node.parts[1:]))
    return Node("transpose", "", (node,)) if flip else node


def _flat(node: Node) -> list[Node]:
    """The factors of a product, those of products within it too."""
    return [each for part in node.parts
            for each in (_flat(part) if part.kind == "product" else [part])]  # fmt: skip
