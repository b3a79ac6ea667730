"""The largest value over the outcomes of a draw: what holds for every draw."""

from __future__ import annotations

from typing import Any

from boundcheck.expressions.nodes import Average
from boundcheck.expressions.symbols import Known


class Supremum(Average):
    """Largest value of the body over the outcomes of a draw that have positive probability."""

    kind = "supremum"

    def _sympystr(self, printer: Any) -> str:
        return f"supremum({printer._print(self.body)}, {self.drawn.name})"

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        body, below = printer._print(self.body), printer._print(self.drawn)
        return rf"\left(\sup_{{{below}}} {body}\right)" + ("" if exp is None else f"^{{{exp}}}")


def supremum(body: Any, drawn: Known) -> Supremum:
    """Largest value over the outcomes of a draw: what holds for every draw of features."""
    return Supremum(body, drawn)
