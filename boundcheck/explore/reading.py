"""Conditions as formulas in what moves: numbers and definitions put in where that is possible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy
from flint import arb, fmpq

from boundcheck import exact
from boundcheck.errors import Undecided
from boundcheck.explore.conditions import System
from boundcheck.expressions.nodes import Node

ROUNDS = 4  # of definitions that stand on definitions


@dataclass(frozen=True)
class Read:
    """Relations in numbers and what moves. unread: symbols for which there is no formula."""

    relations: tuple[sympy.Basic, ...]
    unread: tuple[str, ...]


def readable(
    system: System, relations: Sequence[sympy.Basic], fixed: Mapping[str, Any]
) -> Read:
    """Relations with fixed values put in, and definitions of what moves with others."""
    found, unread = list(relations), set()
    for _ in range(ROUNDS):
        changes: dict[sympy.Basic, sympy.Basic] = {}
        for symbol in set().union(*(r.free_symbols for r in found)):
            instead = _instead(system, symbol, fixed)
            if instead is not None:
                changes[symbol] = instead
        if not changes:
            break
        found = [relation.xreplace(changes) for relation in found]
    for symbol in set().union(*(r.free_symbols for r in found)):
        if symbol.name in system.measured() and symbol.name not in fixed:
            unread.add(symbol.name)
    return Read(tuple(found), tuple(sorted(unread)))


def _instead(
    system: System, symbol: sympy.Symbol, fixed: Mapping[str, Any]
) -> sympy.Basic | None:
    """A number, or a formula; None for what moves and what has neither."""
    value = fixed.get(symbol.name)
    if value is None and symbol.name in system.measured():
        inputs = system.inputs([symbol.name], fixed)
        if set(inputs) <= set(fixed):
            value = system.evaluate(symbol, fixed)
        elif inputs != [symbol.name]:
            return _formula(system, symbol.name)
    if isinstance(value, (int, fmpq)):
        ratio = fmpq(value)
        return sympy.Rational(int(ratio.p), int(ratio.q))
    return _near(value) if isinstance(value, arb) and value.is_finite() else None


def _near(ball: arb) -> sympy.Rational | None:
    """A number within 2^-100 of a ball that is known as well as that."""
    if ball.rel_accuracy_bits() < 100:
        return None
    try:
        middle = exact.midpoint(ball)
    except Undecided:
        return None
    return sympy.Rational(int(middle.p), int(middle.q))


def _formula(system: System, name: str) -> sympy.Expr | None:
    """What a definition computes, if it is a formula in numbers."""
    whole = getattr(system.measured()[name], "whole", None)
    if whole is None or whole.has(Node):
        return None
    return whole.xreplace({s: system.symbols.get(s.name, s) for s in whole.free_symbols})
