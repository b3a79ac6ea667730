"""Statements on what is drawn from more and more atoms: most of them stay undrawn."""

from __future__ import annotations

from collections.abc import Mapping

import sympy

from boundcheck.arithmetic import Value
from boundcheck.checker.judge import Place
from boundcheck.checker.undrawn import Undrawn
from boundcheck.checker.written import Written, level_of


class Crowded(Written):
    """A statement on what is drawn from more and more atoms: left from below, whatever it is."""

    writing: Undrawn

    def _writing(self) -> Undrawn:
        return Undrawn(self.whole, self.parts)

    def sides(self, part: sympy.Rel) -> tuple[sympy.Expr, sympy.Expr]:
        return self.writing.below(part.lts), self.writing.free(part.gts)

    def required(self) -> list[sympy.Basic]:
        level = self.writing.free(level_of(self.whole))
        return [sympy.Gt(level, 0), *(sympy.Ge(each, 0) for each in self.writing.least)]

    def _places(
        self, values: Mapping[str, Value], numbers: Mapping[str, Value]
    ) -> tuple[Place, Place]:
        one, other = super()._places(values, numbers)
        draw = self.writing.draw
        draws, atoms = (int(values[name]) for name in (draw.trials, self.spread.size))
        return one.at({draw.counts: (draws, *(0,) * (atoms - 1))}), other

    def _are_seen(self, left: int | None, right: int | None) -> bool:
        return left != -1 and right in (0, None)
