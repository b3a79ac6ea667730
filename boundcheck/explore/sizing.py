"""The least sizes at which every condition holds, at given values of what is free besides."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Any

import sympy
from flint import fmpq

from boundcheck import exact
from boundcheck.explore.closed import ClosedForms
from boundcheck.explore.conditions import System
from boundcheck.explore.enclosure import exactly, may_be_negative, span
from boundcheck.explore.solving import intersect, solve
from boundcheck.explore.values import Truth

TURNS = 12  # rounds in which sizes raise each other
OCTAVES = (4, 8, 16, 32, 64, 128, 256)  # by which all sizes are raised together
FACTORS = (fmpq(2), fmpq(5, 4), fmpq(21, 20), fmpq(101, 100))  # steps of a local search
MENDED = 2  # raised sizes from which one more is raised
HALF_OCTAVES = 128  # over which all sizes are raised in step
UNIT = fmpq(1)
HALVINGS = 60  # of the fraction of all sizes that is enough
LEAST = fmpq(1, 10**300)  # where a real size begins whose domain is open at zero


class Sizes:
    """The sizes of a plan, raised to the least values that meet every condition.

    Attributes: sizes: names. cost: what is least; signed: whether it may be negative. fixed:
    values that are not chosen. alike: names to where other values of them cost the same.
    """

    system: System
    cost: sympy.Expr
    signed: bool
    sizes: list[str]
    fixed: dict[str, Any]
    seen: dict[tuple[Any, ...], dict[str, Any] | None]
    closed: dict[tuple[sympy.Basic, str], sympy.Basic]
    alike: dict[str, str]

    def _is_cost(self, name: str) -> bool:
        return bool(self.cost == self.system.symbols[name])

    def filled(self, free: Mapping[str, fmpq]) -> dict[str, Any] | None:
        """All values, with the least sizes at given free ones; None where nothing is admissible."""
        key = _key(free)
        if key not in self.seen:
            self.seen[key] = self._filled(free)
        return self.seen[key]

    def keep(self, free: Mapping[str, fmpq], values: dict[str, Any]) -> None:
        """From now on the sizes at given free values."""
        self.seen[_key(free)] = values

    def in_step(self, free: Mapping[str, fmpq]) -> dict[str, Any] | None:
        """All values, with sizes that are raised to the same value, where raising one after the
        other ends outside of another condition: n M >= 100 and n + M <= 25."""
        least = self._begun(free)
        for half in range(HALF_OCTAVES) if len(self.sizes) > 1 else ():
            same = fmpq(math.isqrt(2**half))
            raised = {n: self._times(n, max(fmpq(least[n]), same)) for n in self.sizes}
            if self.admits({**least, **raised}):
                return self._cheaper({**least, **raised})
        return None

    def _begun(self, free: Mapping[str, fmpq]) -> dict[str, Any]:
        """All values, with sizes where they begin."""
        values = {**self.system.values, **self.fixed}
        values |= {n: self.system.number(n, v) for n, v in free.items()}
        return values | {name: self._least(name) for name in self.sizes}

    def _filled(self, free: Mapping[str, fmpq]) -> dict[str, Any] | None:
        system, values = self.system, self._begun(free)
        for _ in range(TURNS):
            open_ = [r for r in system.decided_by(values)
                     if system.truth(r, values) is not Truth.HOLDS]  # fmt: skip
            if not open_:
                return values
            before = dict(values)
            for relation in open_:
                if not (self._raised(relation, values) or self._raised_together(relation, values)):
                    return None
            if values == before:
                return None
        return None

    def _raised_together(self, relation: sympy.Basic, values: dict[str, Any]) -> bool:
        """All sizes doubled until every condition holds, or this one and the others with one more
        size raised, then made as cheap as they can be, where none alone is enough: 1/m + 1/n <=
        eps."""
        if len(self.sizes) < 2:
            return False
        apart = [n for n in self.sizes if self.system.ranges[n].apart]
        tried = 0
        for octaves in OCTAVES:
            far = dict(values)
            far |= {n: self._times(n, max(fmpq(values[n]), fmpq(1)), fmpq(2) ** octaves)
                    for n in apart}  # fmt: skip
            enough = self.admits(far)
            if not enough and tried < MENDED and self.system.truth(relation, far) is Truth.HOLDS:
                tried += 1
                enough = self._raised_singly(far)
            if enough:
                values |= self._cheaper(far)
                return True
        return False

    def _raised_singly(self, values: dict[str, Any]) -> bool:
        """Whether sizes, raised one after the other, come to meet every condition."""
        for _ in range(TURNS):
            open_ = [r for r in self.system.decided_by(values)
                     if self.system.truth(r, values) is not Truth.HOLDS]  # fmt: skip
            if not open_:
                return self.admits(values)
            if not all(self._raised(relation, values) for relation in open_):
                return False
        return False

    def admits(self, values: Mapping[str, Any]) -> bool:
        """Whether sizes lie in their ranges and every condition holds."""
        in_range = all(self.system.ranges[n].contains(fmpq(values[n])) for n in self.sizes)
        return in_range and all(self.system.truth(r, values) is Truth.HOLDS
                                for r in self.system.decided_by(values))  # fmt: skip

    def _cheaper(self, values: dict[str, Any]) -> dict[str, Any]:
        """Admissible sizes at which no other two are cheaper: all divided by one factor, then each
        lowered to its least, then one traded for another."""
        low, high = fmpq(0), fmpq(1)  # fractions of them that are too small and enough
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if self.admits(self._scaled(values, middle)) else (
                middle, high)  # fmt: skip
        return self.traded(self._lowered(self._scaled(values, high)))

    def traded(self, values: dict[str, Any]) -> dict[str, Any]:
        """Admissible sizes, one raised for another that may be lower as long as that is cheaper."""
        cost = self.value(values)
        for factor in FACTORS:
            improved = True
            while improved:
                improved = False
                for one, other in itertools.permutations(self.sizes, 2):
                    moved = {**values, one: self._times(one, values[one], factor)}
                    lowered = self._lowered(moved, other)
                    if self.value(lowered) < cost - 1e-9 and self.admits(lowered):
                        values, cost, improved = lowered, self.value(lowered), True
        return values

    def _scaled(self, values: Mapping[str, Any], factor: fmpq) -> dict[str, Any]:
        return {**values, **{n: self._times(n, values[n], factor) for n in self.sizes}}

    def _times(self, name: str, value: Any, factor: fmpq = UNIT) -> Any:
        """A size times a factor, or the next one above it that there is."""
        return self.system.number(name, self.system.ranges[name].up(fmpq(value) * factor))

    def _lowered(self, values: dict[str, Any], *names: str) -> dict[str, Any]:
        """Sizes, one after the other, at the least values at which all conditions hold."""
        values, system = dict(values), self.system
        for name in names or self.sizes:
            about = [r for r in system.decided_by(values) if name in system.inputs_of_relation(r)]
            allowed = system.ranges[name]
            found = [solve(system, self._inverted(r, name, values), name, values, allowed).intervals
                     for r in about]  # fmt: skip
            common = intersect(found) if found else ()
            low = common[0][0] if common else None
            if low is not None and low < values[name]:
                lower = {**values, name: system.number(name, low)}
                values = lower if self.admits(lower) else values
        return values

    def _raised(self, relation: sympy.Basic, values: dict[str, Any]) -> bool:
        """One size raised to the least value above its own that meets a condition."""
        system = self.system
        if system.truth(relation, values) is Truth.HOLDS:
            return True
        inputs = [n for n in self.sizes if n in system.inputs_of_relation(relation)]
        sides = [getattr(side, "name", "") for side in relation.args]
        inputs.sort(key=lambda n: n not in sides)
        for closely, name in itertools.product((False, True), inputs):
            inverted, allowed = self._inverted(relation, name, values), system.ranges[name]
            found = solve(system, inverted, name, values, allowed, closely=closely).intervals
            above = intersect([found, ((fmpq(values[name]), None),)])
            low = above[0][0] if above else None
            if low is not None:
                values[name] = system.number(name, low)
                return True
        return False

    def _inverted(
        self, relation: sympy.Basic, name: str, values: Mapping[str, Any]
    ) -> sympy.Basic:
        """The condition as size >= or > an expression where there is one, which solves at once."""
        if self.system.ranges[name].items is not None:
            return relation
        if (relation, name) not in self.closed:
            forms = ClosedForms(self.system, name, self.system.ranges[name])
            self.closed[relation, name] = relation
            found = solve(self.system, relation, name, values, self.system.ranges[name]).intervals
            low = found[0][0] if found else None
            formula = None if low is None else forms.at([relation], "least", values, low)
            if formula is not None:
                least = sympy.Gt if isinstance(relation, (sympy.Gt, sympy.Lt)) else sympy.Ge
                symbol = self.system.symbols[name]
                self.closed[relation, name] = least(symbol, formula, evaluate=False)
        return self.closed[relation, name]

    def _least(self, name: str) -> Any:
        """Where a size begins: a real one that is the cost itself far below every condition."""
        system = self.system
        allowed = system.ranges[name]
        if allowed.items:
            return system.number(name, allowed.items[0])
        if allowed.whole or not self._is_cost(name) or allowed.low is None:
            return system.plain(name)
        low = allowed.low + (LEAST if allowed.open_low else 0)
        return system.number(name, low) if allowed.contains(low) else system.plain(name)

    def cost_at(self, free: Mapping[str, fmpq]) -> float:
        """`value` with the least sizes at given free values."""
        return self.value(self.filled(free))

    def value(self, values: Mapping[str, Any] | None) -> float:
        """What orders costs: the logarithm of one that is nowhere negative, else its area sine,
        which is linear around zero; infinite where nothing is admissible."""
        if values is None:
            return math.inf
        cost = self.system.evaluate(self.cost, values)
        if cost is None or (not self.signed and exact.sign(cost) != 1):
            return math.inf
        ball = exact.to_ball(cost)
        return float((ball.asinh() if self.signed else ball.log()).mid())


def signs(cost: sympy.Expr, system: System) -> tuple[bool, set[str]]:
    """(whether a cost may be negative, names that it falls with, if it may)."""
    names = system.inputs_of_relation(cost)
    box = {n: span(system.ranges[n]) for n in names if n in system.ranges}
    box |= {n: exactly(fmpq(v)) for n, v in system.values.items() if exact.is_exact(v)}
    if not may_be_negative(cost, box):
        return False, set()
    slopes = {n: sympy.diff(cost, system.symbols[n]) for n in names}
    return True, {n for n, slope in slopes.items() if slope and not may_be_negative(-slope, box)}


def _key(free: Mapping[str, fmpq]) -> tuple[Any, ...]:
    return tuple(sorted(free.items()))
