"""A setting: one world with parameter values (and a draw outcome), and the truth of a claim there.

This is the exact route that search, checks and the witness re-check share: definitions and balls.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy

from boundcheck import exact
from boundcheck.claim import Claim
from boundcheck.errors import Undecided, Undefined
from boundcheck.exact import PRECISIONS, Value, compiled, precision


class Setting:
    """Named exact values with measured quantities computed on demand and kept.

    Args:
        claim: whose quantities are used.
        values: world fields and parameters by name: int, fmpq, arb, matrices, text or tuples.
        outcome: a draw outcome by name, or nothing.
    """

    def __init__(
        self,
        claim: Claim,
        values: Mapping[str, Value],
        outcome: Mapping[str, Value] | None = None,
        base: Setting | None = None,
    ) -> None:
        self.claim = claim
        self.values = dict(values)
        self.outcome = dict(outcome or {})
        self._base = base
        self._cache: dict[str, Value] = {}
        self._bits = 0

    def with_outcome(self, outcome: Mapping[str, Value]) -> Setting:
        """The same world with another outcome; what does not depend on the draw is shared."""
        return Setting(self.claim, self.values, outcome, base=self._base or self)

    def replaced(self, **changes: Value) -> Setting:
        """The same setting with some values changed."""
        return Setting(self.claim, {**self.values, **changes}, self.outcome)

    def __call__(self, name: str) -> Value:
        import flint

        if name in self.values:
            return self.values[name]
        if name in self.outcome:
            return self.outcome[name]
        if self._base is not None and name not in self.claim.random_names:
            return self._base(name)
        if flint.ctx.prec != self._bits:
            self._cache.clear()
            self._bits = flint.ctx.prec
        if name not in self._cache:
            quantity = self.claim.measured.get(name)
            if quantity is None:
                raise Undefined(f"the symbol {name} is undefined")
            arguments = [self(argument) for argument in self.claim.arguments(quantity)]
            self._cache[name] = quantity(*arguments)
        return self._cache[name]

    def evaluate(self, expr: sympy.Basic) -> Value:
        """Value of an expression at the current precision."""
        return compiled(sympy.sympify(expr))(self)

    def decide(self, condition: sympy.Basic) -> bool | None:
        """Truth of a condition, raising the precision until balls settle it (None if never)."""
        for bits in PRECISIONS:
            with precision(bits):
                try:
                    truth = exact.decide(condition, self)
                except Undecided:
                    truth = None
            if truth is not None:
                return truth
        return None

    def admissible(self) -> bool:
        """True only if every hypothesis is certified."""
        return self.failed_hypothesis() is None

    def failed_hypothesis(self) -> sympy.Basic | None:
        """The first hypothesis that is false, undefined or undecided here; None if all hold."""
        for condition in self.claim.given:
            try:
                if self.decide(condition) is not True:
                    return condition
            except Undefined:
                return condition
        return None


def parts(relation: sympy.Basic) -> list[sympy.Rel]:
    """The comparisons that a statement asserts: itself, the members of an And, a conclusion."""
    if isinstance(relation, sympy.And):
        return [rel for arg in relation.args for rel in parts(arg)]
    if isinstance(relation, sympy.Implies):
        return parts(relation.args[1])
    return [relation] if isinstance(relation, sympy.Rel) else []


def sides(relation: sympy.Rel) -> tuple[sympy.Basic, sympy.Basic]:
    """(smaller, larger) side of an inequality; (lhs, rhs) of an equation."""
    if isinstance(relation, (sympy.Ge, sympy.Gt)):
        return relation.rhs, relation.lhs
    return relation.lhs, relation.rhs


def pressure(relation: sympy.Rel, smaller: Any, larger: Any) -> float:
    """`ratio` of a comparison, except that 0 <= 0 counts as 0: it says nothing about tightness."""
    score = ratio(smaller, larger)
    idle = isinstance(relation, (sympy.Le, sympy.Ge)) and score == 1.0
    return 0.0 if idle and exact.to_float(larger) == 0 else score


def ratio(smaller: Any, larger: Any) -> float:
    """left/right as a float: above 1 is a violation.

    With a right side of zero or below the quotient is turned so that "above 1" keeps its meaning;
    a positive left over a right that is not positive is infinite.
    """
    low, high = exact.to_float(smaller), exact.to_float(larger)
    if low != low or high != high:
        return 0.0
    if low == high:
        return 1.0
    if high > 0:
        return 0.0 if high == float("inf") else low / high
    if low >= 0:
        return float("inf")
    return high / low
