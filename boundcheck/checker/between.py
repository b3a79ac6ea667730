"""Germs of primitives that have no formula, between bounds that have one.

A rule of `boundcheck.expressions.moving` is this package's own; what it says is seen again at the
values themselves further along the ray.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sympy
from flint import fmpq

from boundcheck import exact
from boundcheck.arithmetic import is_exact
from boundcheck.checker.germs import Germ, NoGerm, hull
from boundcheck.expressions.moving import RULES, Moving
from boundcheck.expressions.nodes import Apply

if TYPE_CHECKING:
    from boundcheck.checker.along import Along


def germ(along: Along, node: Apply) -> Germ:
    """Of a number between its bounds. Raises: NoGerm where no rule gives them."""
    low, high = _bounds(along, node)
    if isinstance(low, tuple):
        raise NoGerm(f"{node} is no number")
    return hull([along.germ(low), along.germ(high)]) if low != high else along.germ(low)


def degree(along: Along, node: Apply) -> fmpq:
    """The power of t by which all entries of a vector are multiplied, where that is one power."""
    low, high = _bounds(along, node)
    if not isinstance(low, tuple) or low != high:
        raise NoGerm(str(node))
    found = {along.degree(entry) for entry in low if entry != 0}
    if len(found) != 1:
        raise NoGerm(str(node))
    return found.pop()


def _bounds(along: Along, node: Apply) -> tuple[Any, Any]:
    rule = RULES.get(node.primitive.token.name)
    if rule is None or not node.primitive.standard:
        raise NoGerm(str(node))
    found = rule(*(_operand(along, operand) for operand in node.operands))
    if found is None or None in found:
        raise NoGerm(str(node))
    return found


def _operand(along: Along, operand: sympy.Basic) -> Any:
    """The value of an operand that stays, how it moves otherwise."""
    if not along.moves(operand):
        return exact.value_of(operand, along.place)
    name = getattr(operand, "name", "")
    start = along.ray.start.get(name)
    if name not in along.ray.powers or not is_exact(start) or not isinstance(start, (int, fmpq)):
        return Moving(operand)
    end = along.ray.ends.get(name, fmpq(0)) if along.ray.powers[name] < 0 else None
    return Moving(operand, fmpq(start), end)
