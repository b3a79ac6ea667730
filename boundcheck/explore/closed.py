"""Closed forms of requirements: found by inversion, kept where they agree with the number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy
from flint import fmpq

from boundcheck import exact
from boundcheck.explore.alone import FINE, rounded
from boundcheck.explore.conditions import System
from boundcheck.explore.inversion import Bound, bounds, combined, sign_at
from boundcheck.explore.ranges import Range


class ClosedForms:
    """Closed forms for one symbol of a system.

    Args: allowed: what the symbol may be.
    """

    def __init__(self, system: System, name: str, allowed: Range) -> None:
        self.system, self.name, self.allowed = system, name, allowed
        self.symbol = system.symbols[name]

    def without_values(
        self, relations: list[sympy.Basic], sense: str | None
    ) -> tuple[str, sympy.Expr | None, tuple[sympy.Expr, ...]]:
        """Sense, closed form where nothing else has a value, and what it takes to be positive."""
        found: list[Bound] = []
        guessed: dict[sympy.Expr, None] = {}
        plainly = sign_at({})

        def sign(expr: sympy.Expr) -> int:
            side = plainly(expr)
            if side is None:
                guessed[expr] = None
            return 1 if side is None else side

        for relation in relations:
            found += bounds(self.inlined(relation), self.symbol, sign) or []
        lower = [b for b in found if b.lower] or found
        wanted = sense or ("least" if lower and lower[0].lower else "greatest")
        formula = combined([b for b in found if b.lower == (wanted == "least")])
        if formula is None and all(isinstance(r, sympy.Eq) for r in relations):
            return "exactly", self.equated(relations), ()
        return wanted, formula, tuple(guessed)

    def equated(self, relations: list[sympy.Basic]) -> sympy.Expr | None:
        """The other side of an equation that has the symbol alone on one."""
        for relation in relations:
            sides = [relation.lhs, relation.rhs]
            if isinstance(relation, sympy.Eq) and self.symbol in sides:
                sides.remove(self.symbol)
                return None if sides[0].has(self.symbol) else sides[0]
        return None

    def inlined(self, relation: sympy.Basic) -> sympy.Basic:
        """The relation with measured symbols that are plain formulas of others put in."""
        for _ in range(4):
            changes = {}
            for symbol in relation.free_symbols:
                formula = self.as_formula(symbol.name)
                if formula is not None:
                    changes[symbol] = formula
            if not changes:
                break
            relation = relation.subs(changes)
        return relation

    def as_formula(self, name: str) -> sympy.Expr | None:
        system = self.system
        quantity = system.claim.measured.get(name)
        if name in system.values or quantity is None or name in system.inputs([name]):
            return None
        arguments = [system.symbols[a] for a in system.claim.arguments(quantity)]
        try:
            value = getattr(quantity, "exact", quantity)(*arguments)
        except Exception:  # definitions are written for numbers; most do not take symbols
            return None
        return value if isinstance(value, sympy.Expr) else None

    def at(
        self, relations: list[sympy.Basic], sense: str, values: Mapping[str, Any], value: fmpq
    ) -> sympy.Expr | None:
        """A closed form that agrees with the numerical answer at this point, or None."""
        found: list[Bound] = []
        lower = sense != "greatest"
        here = {**values, self.name: self.system.number(self.name, value)}
        if sense == "exactly":
            equated = self.equated(relations)
            if equated is not None:
                return equated
        for relation in relations:
            inner = bounds(self.inlined(relation), self.symbol, lambda e: self._sign(e, here))
            found += [b for b in inner or [] if b.lower == lower]
        formula = combined(found) if found else None
        if formula is None or not self._agrees(
            formula, values, value, lower, any(b.strict for b in found)
        ):
            return None
        return formula

    def _sign(self, expr: sympy.Expr, here: Mapping[str, Any]) -> int | None:
        value = self.system.evaluate(expr, here)
        return None if value is None else exact.sign(value)

    def _agrees(
        self, formula: sympy.Expr, values: Mapping[str, Any], value: fmpq, lower: bool, strict: bool
    ) -> bool:
        whole = self.allowed.whole
        near = rounded(self.system, formula, values, up=lower, strict=strict, whole=whole)
        if near is None:
            return False
        if self.allowed.items is not None:
            before = self.allowed.beside(value, -1 if lower else 1)
            within = before < near <= value if lower else value <= near < before
            return self.allowed.contains(before) and within
        if whole:
            return abs(near - value) <= int(strict)
        return abs(near - value) <= 16 * FINE * max(abs(value), abs(near))


def twenty_digits(value: fmpq, up: bool) -> fmpq:
    """A decimal of twenty digits on the safe side of a value."""
    if not value:
        return value
    from boundcheck.explore.wording import magnitude

    unit = fmpq(10) ** (int(magnitude(value) // 1) - 19)
    scaled = value / unit
    return fmpq(int(scaled.ceil() if up else scaled.floor())) * unit
