"""Matrices: symmetric where an eigenvalue of them is printed, and compared by numbers only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from boundcheck.errors import InvalidArgument
from boundcheck.formulas.ranges import BINDING
from boundcheck.formulas.roles import SPECTRAL, Roles, is_matrix, turned
from boundcheck.formulas.tree import Node

NUMBERS = {*SPECTRAL, "norm", "modulus", "inner", "size", "divergence", "indicator", "number",
           "probability", "variance"}  # fmt: skip
LINEAR = ("negative", "quotient", "total")  # a multiple, or a sum of several


def require_symmetric(relation: Node, roles: Roles, said: Callable[[Node], str]) -> None:
    """Find the letters that an eigenvalue or a root of a sum of bare letters makes symmetric.

    A letter whose transpose is printed stays a square matrix.
    Args: said: the text of a part, for the message.
    Raises: InvalidArgument for an eigenvalue or a root of what need not be symmetric.
    """
    root = ("matrix_function", "matrix_root")
    inside = [(node.parts[0], "an eigenvalue" if node.kind == "eigenvalue" else "a root")
              for node in relation.all()
              if node.kind == "eigenvalue" or (node.kind, node.text) == root]  # fmt: skip
    turns = [{part.text for part in node.all()} for node in relation.all() if turned(node)]
    flipped = {name for own in turns if not own & roles.vectors for name in own}  # not of (A x)^T
    bare = {name for body, _ in inside for name in _bare(body, roles)}
    roles.symmetric = bare - flipped
    for body, what in inside:
        if _ordered(body, False, roles) == _ordered(body, True, roles):
            continue
        own = sorted({part.text for part in body.all()} & bare & flipped)
        why = f", as the transpose of {own[0]} is printed" if own else ""
        raise InvalidArgument(
            f"--latex has {what} of {said(body)}, which need not be symmetric{why}; write a "
            r"symmetric matrix, such as A^\top A or (A + A^\top)/2, or the norm \|A\|_{op}"
        )


def require_numbers(relation: Node, roles: Roles, said: Callable[[Node], str]) -> None:
    """Refuse a transpose of a number, and a comparison of matrices or vectors.

    Args: said: the text of a part, for the message.
    Raises: InvalidArgument naming the part.
    """
    whole = {node.text for node in relation.all() if node.kind == "name"}
    arrays = roles.matrices | roles.vectors
    for node in relation.all():
        base = node.parts[0] if turned(node) else None
        if base is not None and not {part.text for part in base.all()} & arrays and (
            node.kind == "transpose" or is_matrix(base)
        ):  # fmt: skip
            raise InvalidArgument(
                f"--latex has a transpose of {said(base)}, which no norm, trace or product says to "
                r"be a matrix or a vector; write a number of it, such as \|A - A^\top\|_F = 0"
            )
        for side in node.parts if node.kind == "relation" else ():
            if has_entries(side, roles, whole):
                raise InvalidArgument(
                    f"--latex compares {said(side)}, which is no number; write a norm, such as "
                    r"\|A - B\|_F = 0 for A = B"
                )


def has_entries(node: Node, roles: Roles, whole: set[str]) -> bool:
    """Whether the value of a part is a matrix or a vector."""
    if node.kind in NUMBERS:
        return False
    if node.kind == "name":
        return node.text in roles.matrices | roles.vectors
    if node.kind == "entry":
        return len(node.parts) == 1 and (
            node.text in roles.matrices or node.text in roles.vectors - whole
        )
    if node.kind in ("quotient", "power", "transpose", *BINDING):
        return has_entries(node.parts[0], roles, whole)
    flipped = [turned(part) and bool({each.text for each in part.all()} & roles.vectors)
               for part in node.parts[:-1]]  # fmt: skip
    inner = flipped.index(True) if node.kind == "product" and any(flipped) else None
    return any(has_entries(part, roles, whole) for part in node.parts[:inner])


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
    if body.kind in (*LINEAR, "matrix_function"):
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
    if node.kind in (*LINEAR, "power", "expectation", "matrix_function"):
        return replace(node, parts=(_ordered(node.parts[0], flip, roles), *node.parts[1:]))
    return Node("transpose", "", (node,)) if flip else node


def _flat(node: Node) -> list[Node]:
    """The factors of a product, those of products within it too."""
    return [each for part in node.parts
            for each in (_flat(part) if part.kind == "product" else [part])]  # fmt: skip
