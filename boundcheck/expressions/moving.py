"""Bounds in elementary terms for primitives whose operands move: where growth is followed for ever.

A primitive has no formula, but in small worlds, or between bounds, it may have one. A rule is given
operands as values where they stay and as `Moving` where they do not, and returns expressions below
and above the value for every t at once, or None where it knows none. The proof is its docstring.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy
from flint import fmpq

from boundcheck.arithmetic import is_exact
from boundcheck.expressions.nodes import Primitive


@dataclass(frozen=True)
class Moving:
    """An operand that moves without end from `start` at t = 1 towards `end`, which it never meets.

    Args: start, end: of one number of the world or a parameter; None where it is no such number,
    and for an end at infinity.
    """

    expression: sympy.Expr
    start: fmpq | None = None
    end: fmpq | None = None


Bounds = tuple[Any, Any]  # expressions, or tuples of them for the entries of a vector
Rule = Callable[..., Bounds | None]
RULES: dict[str, Rule] = {}


def between(primitive: Primitive) -> Callable[[Rule], Rule]:
    """Decorator: the rule that bounds a primitive, with the operands of the primitive."""

    def declare(rule: Rule) -> Rule:
        RULES[primitive.token.name] = rule
        return rule

    return declare


def equal(value: Any) -> Bounds:
    """Both bounds at once."""
    return value, value


def number(operand: Any) -> sympy.Expr:
    """An operand as a number in an expression. Raises: ValueError for a ball or an array.

    >>> number(fmpq(1, 2)) + number(Moving(sympy.Symbol("x")))
    x + 1/2
    """
    if isinstance(operand, Moving):
        return operand.expression
    if not is_exact(operand) or not isinstance(operand, (int, fmpq)):
        raise ValueError(f"{operand} is no rational number")
    ratio = fmpq(operand)
    return sympy.Rational(int(ratio.p), int(ratio.q))


def moves(*operands: Any) -> bool:
    """Whether any of some operands moves."""
    return any(isinstance(operand, Moving) for operand in operands)
