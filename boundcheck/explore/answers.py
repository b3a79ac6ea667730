"""Answers as values: requirements, states of conditions, trials, sensitivities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy
from flint import fmpq

from boundcheck.explore.golden import Ground
from boundcheck.explore.ranges import Range
from boundcheck.explore.values import Truth
from boundcheck.explore.wording import formula_text, requirement_json, requirement_text
from boundcheck.setting import flatten


@dataclass(frozen=True)
class ConditionState:
    """One condition and what is certified of it; None where a symbol lacks a value."""

    relation: sympy.Basic
    truth: Truth | None
    missing: tuple[str, ...] = ()

    @property
    def holds(self) -> bool | None:
        """True or False where that is certified."""
        return None if self.truth is None else {Truth.HOLDS: True, Truth.FAILS: False}.get(
            self.truth
        )

    def __str__(self) -> str:
        told = formula_text(self.relation)
        if self.missing:
            return f"{told}: give {', '.join(self.missing)}"
        return f"{told}: {self.truth.value if self.truth else 'is not asked'}"


NEARBY = 15  # digits of an answer next to an end that it may not attain
LONGEST = 10**60  # of a fraction that is shown with all digits


@dataclass(frozen=True)
class Trial:
    """The stack of conditions at one value.

    Args: holds: all hold, or one certainly does not; None where neither is certified. fails: the
    first that is not certified to hold. undefined: it has no value there.
    """

    label: str
    value: fmpq
    holds: bool | None
    fails: sympy.Basic | None = None
    undefined: bool = False


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
        label, symbol: claim and symbol. sense: "least", "greatest", "exactly", "any" where no
            condition sets an end, or "implicit" where there is neither a formula nor a value.
        answer: an int, or a SymPy number for a real symbol; None if values are missing.
        formula: the bound as a SymPy expression on the branch of the point, or None.
        branch: the same with the active arguments of Max and Min only.
        binding: conditions that fix the answer.
        given, assumed: values used; assumed are those that nobody gave.
        computed: measured symbols that follow from the values.
        other_end: the opposite end of the admissible interval, or None.
        intervals: all admissible values at this point; None for an end that no condition sets.
        endless: whether there are others, for a condition comes and goes beyond those asked.
        proof: where the conditions hold and where one fails, in a sentence.
        asked_of: the claim.
        note: what was asked where the claim has no condition on the symbol, or "".
        called: names to how they are printed, where that differs.
        open_end, other_open: whether the end that the conditions set is not attained.
        left_out: ends of intervals that are not.
        grounds: statements that it rests on and that do not stand.
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
    intervals: tuple[tuple[fmpq | None, fmpq | None], ...] = ()
    endless: bool = False
    proof: str = ""
    trials: tuple[Trial, ...] = ()
    conditions: tuple[ConditionState, ...] = ()
    sensitivity: tuple[Sensitivity, ...] = ()
    missing: tuple[str, ...] = ()
    replaced: Mapping[Any, Any] = field(default_factory=dict)
    computed: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    asked_of: Any = None
    called: Mapping[str, str] = field(default_factory=dict)
    open_end: bool = False
    other_open: bool = False
    left_out: frozenset[fmpq] = frozenset()
    grounds: tuple[Ground, ...] = ()

    @property
    def within(self) -> list[sympy.Basic]:
        """Hypotheses that compare the symbol with a number beyond the answer: for a least value
        upper ends, for a greatest one lower ends, without an answer all."""
        name, found = self.symbol.name, []
        given = self.asked_of.given if self.asked_of is not None else ()
        for relation in (r for condition in given for r in flatten(condition)):
            ends = Range().narrowed(relation, name)
            upper = ends is not None and ends.high is not None
            if ends is not None and self.sense in ("any", "least" if upper else "greatest"):
                found.append(relation)
        return found

    @property
    def strict(self) -> bool:
        """Whether a real answer is beyond such an end by so little that it looks the same."""
        return self.open_end and not self.allowed.apart

    @property
    def word(self) -> str:
        """What stands between symbol and answer, such as "at least"."""
        if self.strict:
            return {"least": "more than", "greatest": "less than"}[self.sense]
        return {"least": "at least", "greatest": "at most", "exactly": "exactly"}[self.sense]

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

    def plot(self, against: str | None = None, axes: Any = None) -> Any:
        """The answer over a hundredth to a hundred times one value; the axes.

        Args: against: name of a given or assumed value; by default what it depends on most.
        Raises: InvalidArgument for a name that the answer does not depend on.
        """
        from boundcheck.explore.sweeps import around

        return around(self, against).plot(axes)

    def as_json(self) -> dict[str, Any]:
        """JSON-ready form; numbers of any size as text beside a float."""
        return requirement_json(self)

    def _repr_html_(self) -> str:
        from boundcheck.explore.display import of_requirement

        return of_requirement(self)

    def _repr_latex_(self) -> str:
        text = sympy.latex(self.symbol)
        if self.sense in ("any", "implicit"):
            listed = r" \quad ".join(sympy.latex(relation) for relation in self.binding)
            return f"$\\displaystyle {listed}$"
        sign = {"least": r"\ge", "greatest": r"\le", "exactly": "="}[self.sense]
        end = {"least": ">", "greatest": "<"}[self.sense] if self.open_end else sign
        told = [f"{text} {end} {sympy.latex(self.formula)}"] if self.formula is not None else []
        if self.answer is not None:
            shown = sympy.sympify(self.answer)
            long = shown.is_Rational and max(abs(shown.p), shown.q) > LONGEST
            number = sympy.latex(shown.n(NEARBY) if self.strict or long else shown)
            # Of integers and the like it is the next one after the value of the formula.
            rounded = self.allowed.apart and self.sense != "exactly"
            if told and not rounded:
                told[0] += f" = {number}"
            else:
                told.append(f"{text} {end if self.strict else sign} {number}")
        text = r",\quad ".join(told)
        return f"$\\displaystyle {text}$"

    def __str__(self) -> str:
        return requirement_text(self)
