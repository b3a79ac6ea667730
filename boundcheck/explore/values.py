"""What is certified of a condition, and values that are expressions of others."""

from __future__ import annotations

from enum import Enum
from typing import Any

import sympy

from boundcheck.exact import compiled


class Truth(Enum):
    """What is certified of a condition at a point."""

    HOLDS = "holds"
    FAILS = "fails"
    NO_VALUE = "has no value"
    UNKNOWN = "is not decided"

    @property
    def broken(self) -> bool:
        """Whether it is certain that the condition is not met."""
        return self in (Truth.FAILS, Truth.NO_VALUE)


class Expression:
    """A value that was given as an expression: the definition of its symbol from now on."""

    def __init__(self, expr: sympy.Expr) -> None:
        self.expr = expr
        self.names = tuple(sorted(symbol.name for symbol in expr.free_symbols))
        self.arguments = self.names

    def __call__(self, *values: Any) -> Any:
        if any(isinstance(value, sympy.Basic) for value in values):
            known = dict(zip(self.names, values, strict=True))
            return self.expr.subs({s: known[s.name] for s in self.expr.free_symbols})
        return compiled(self.expr)(dict(zip(self.names, values, strict=True)).__getitem__)
