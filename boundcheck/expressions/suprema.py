"""The largest value over the outcomes of a draw or over a box, and values cut at two ends."""

from __future__ import annotations

from typing import Any

import sympy

from boundcheck import exact
from boundcheck.expressions.boxes import SupremumOver, limits_of
from boundcheck.expressions.lazy_imports import numpy
from boundcheck.expressions.nodes import Average, primitive


class Supremum(Average):
    """Largest value of the body over the outcomes of a draw that have positive probability."""

    kind = "supremum"

    def _sympystr(self, printer: Any) -> str:
        return f"supremum({printer._print(self.body)}, {self.drawn.name})"

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        body, below = printer._print(self.body), printer._print(self.drawn)
        return rf"\left(\sup_{{{below}}} {body}\right)" + ("" if exp is None else f"^{{{exp}}}")


def supremum(body: Any, *over: Any) -> Supremum | SupremumOver:
    """Largest value over the outcomes of a draw, or over an interval or box of variables.

    Args: over: an outcome, or limits (x, low, high) with `x = variable("x")`.
    Over a box: a ball, but the value itself where it is reached at a corner or at a rational point
    at which slopes vanish; an equality with a value at an irrational point stays undecided.
    Raises: MalformedStatement for anything else.

    >>> from boundcheck.expressions import variable
    >>> x = variable("x")
    >>> supremum(x * (1 - x), (x, 0, 1))
    supremum(x*(1 - x), (x, 0, 1))
    """
    if len(over) == 1 and not isinstance(over[0], tuple):
        return Supremum(body, over[0])
    return SupremumOver(body, *limits_of(over))


@primitive(
    units="same",
    batch=lambda *given: numpy.clip(*given),
    bounds=lambda value, low, high: (low, high),
    latex=r"\min(\max({0}, {1}), {2})",
)
def clipped(value: Any, low: Any, high: Any) -> Any:
    """A value cut at two ends, last at the upper one: its mean can be tested."""
    return exact.FUNCTIONS[sympy.Min](exact.FUNCTIONS[sympy.Max](value, low), high)
