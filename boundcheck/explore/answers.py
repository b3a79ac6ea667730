"""Answers as values: requirements, states of conditions, trials, sensitivities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy
from flint import fmpq

from boundcheck.explore.conditions import Range
from boundcheck.explore.wording import requirement_json, requirement_text


@dataclass(frozen=True)
class ConditionState:
    """One condition and whether it holds; None where it has no value or lacks one."""

    relation: sympy.Basic
    holds: bool | None
    missing: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.missing:
            return f"{self.relation}: give {', '.join(self.missing)}"
        word = {True: "holds", False: "fails", None: "has no value"}[self.holds]
        return f"{self.relation}: {word}"


@dataclass(frozen=True)
class Trial:
    """The stack of conditions at one value: whether all hold and which one fails first."""

    label: str
    value: fmpq
    holds: bool
    fails: sympy.Basic | None = None


@dataclass(frozen=True)
class Sensitivity:
    """How the answer answers to one symbol.

    Args:
        elasticity: d log answer / d log symbol at the point.
        halved, doubled: answer divided by the present one when the symbol is, or None outside.
        factor: what to multiply the symbol by for half the answer (twice, for a greatest value);
            None if nothing inside its range does.
    """

    name: str
    value: fmpq | int
    elasticity: float
    halved: float | None
    doubled: float | None
    factor: float | None


@dataclass(frozen=True)
class Requirement:
    """The answer to one question; prints as text, LaTeX in a notebook, JSON on demand.

    Args:
        label, symbol: claim and symbol. sense: "least", "greatest" or "exactly".
        answer: an int, or a SymPy number for a real symbol; None if values are missing.
        formula: the bound as a SymPy expression on the branch of the point, or None.
        branch: the same with the active arguments of Max and Min only.
        binding: conditions that fix the answer.
        given, assumed: values used; assumed are those that nobody gave.
        computed: measured symbols that follow from the values.
        other_end: the opposite end of the admissible interval, or None.
        note: what was asked where the claim has no condition on the symbol, or "".
    """

    label: str
    symbol: sympy.Symbol
    sense: str
    answer: Any
    formula: sympy.Expr | None
    branch: sympy.Expr | None
    binding: tuple[sympy.Basic, ...]
    given: Mapping[str, Any]
    assumed: Mapping[str, Any]
    allowed: Range
    other_end: Any = None
    trials: tuple[Trial, ...] = ()
    conditions: tuple[ConditionState, ...] = ()
    sensitivity: tuple[Sensitivity, ...] = ()
    missing: tuple[str, ...] = ()
    replaced: Mapping[Any, Any] = field(default_factory=dict)
    computed: Mapping[str, str] = field(default_factory=dict)
    note: str = ""

    @property
    def elasticities(self) -> dict[str, float]:
        """d log answer / d log symbol for every symbol the answer depends on."""
        return {row.name: row.elasticity for row in self.sensitivity}

    @property
    def halved_by(self) -> dict[str, float]:
        """Factors that halve a least answer, or double a greatest one; the nearest to 1 first."""
        import math

        known = [(row.name, row.factor) for row in self.sensitivity if row.factor]
        return dict(sorted(known, key=lambda item: abs(math.log(item[1]))))

    @property
    def at_given(self) -> sympy.Expr | None:
        """The formula with the given numbers put in; assumed values stay symbols."""
        if self.formula is None:
            return None
        known = {
            symbol: sympy.Rational(int(fmpq(v).p), int(fmpq(v).q))
            for symbol in self.formula.free_symbols
            if isinstance(v := self.given.get(symbol.name), (int, fmpq))
        }
        return self.formula.subs(known)

    def as_json(self) -> dict[str, Any]:
        """JSON-ready form; numbers of any size as text beside a float."""
        return requirement_json(self)

    def _repr_latex_(self) -> str:
        sign = {"least": r"\ge", "greatest": r"\le", "exactly": "="}[self.sense]
        text = sympy.latex(self.symbol)
        if self.formula is not None:
            text += f" {sign} {sympy.latex(self.formula)}"
            sign = "="
        if self.answer is not None:
            text += f" {sign} {sympy.latex(sympy.sympify(self.answer))}"
        return f"$\\displaystyle {text}$"

    def __str__(self) -> str:
        return requirement_text(self)
