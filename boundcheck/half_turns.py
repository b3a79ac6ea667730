"""Sines, cosines and tangents of rational multiples of pi: those that are rational are exact.

By Niven's theorem no others are. No ball tells cos(pi/3) from 1/2, and none of few digits follows
cos(pi n) for a long n, of which only what is left after whole turns matters.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy
from flint import fmpq

from boundcheck.arithmetic import Value, is_exact, to_ball
from boundcheck.errors import Undefined

Lookup = Callable[[str], Value]
Rule = Callable[[Lookup], Value]

COSINES = {fmpq(0): fmpq(1), fmpq(1, 3): fmpq(1, 2), fmpq(1, 2): fmpq(0), fmpq(2, 3): fmpq(-1, 2),
           fmpq(1): fmpq(-1)}  # fmt: skip
TANGENTS = {fmpq(0): fmpq(0), fmpq(1, 4): fmpq(1), fmpq(3, 4): fmpq(-1)}


def rule(expr: sympy.Basic, compiled: Callable[[sympy.Basic], Rule]) -> Rule | None:
    """The rule of a sine, cosine or tangent of pi times something; None for other expressions."""
    function = {sympy.sin: sine, sympy.cos: cosine, sympy.tan: tangent}.get(type(expr))
    if function is None:
        return None
    turns = expr.args[0].as_coefficient(sympy.pi)
    if turns is None or turns.has(sympy.pi):
        return None
    inner = compiled(turns)
    return lambda look: function(inner(look))


def cosine(half_turns: Value) -> Value:
    """cos(pi t).

    >>> cosine(fmpq(7, 3)), cosine(5)
    (1/2, -1)
    """
    if not is_exact(half_turns):
        return to_ball(half_turns).cos_pi()
    left = _left(half_turns, 2)
    left = min(left, 2 - left)
    return COSINES[left] if left in COSINES else to_ball(left).cos_pi()


def sine(half_turns: Value) -> Value:
    """sin(pi t).

    >>> sine(fmpq(-1, 6)), sine(10**30)
    (-1/2, 0)
    """
    return cosine(fmpq(1, 2) - half_turns) if is_exact(half_turns) else to_ball(half_turns).sin_pi()


def tangent(half_turns: Value) -> Value:
    """tan(pi t).

    Raises: Undefined halfway between whole numbers.

    >>> tangent(fmpq(5, 4)), tangent(-3)
    (1, 0)
    """
    if not is_exact(half_turns):
        return to_ball(half_turns).tan_pi()
    left = _left(half_turns, 1)
    if left == fmpq(1, 2):
        raise Undefined("the tangent of a right angle")
    return TANGENTS[left] if left in TANGENTS else to_ball(left).tan_pi()


def _left(value: Value, whole: int) -> fmpq:
    """What is left of a rational number after all multiples of a whole one."""
    exact = fmpq(value)
    return exact - whole * fmpq((exact / whole).floor())
