"""Plans as values: sizes, choices, which condition binds, rates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import sympy

from boundcheck.explore.composing import Link
from boundcheck.explore.golden import Ground
from boundcheck.explore.wording import (
    finite,
    formula_text,
    grouped,
    listed,
    optional_text,
    plain,
    short,
    written,
)

if TYPE_CHECKING:
    from boundcheck.explore.optimum import Optimum

BINDS = 1.05  # slack up to which a condition is said to bind


@dataclass(frozen=True)
class Step:
    """A condition at a plan. slack: larger over smaller side, 1 where it binds; None of others.
    power: that of ten which it is about where no float holds it.
    """

    relation: sympy.Basic
    slack: float | None
    power: int | None = None

    @property
    def shown(self) -> str:
        """The slack as people read it, "" for none."""
        if self.power is not None:
            return f"10^{self.power}"
        return "" if self.slack is None else f"{self.slack:.4g}"


@dataclass(frozen=True)
class Plan:
    """The cheapest admissible values found.

    Args: cost, cost_value: what is least, and its value. sizes: least values. chosen: free values
    and shares of a failure probability. lower: size to the condition that fails one lower;
    floor: sizes at the end of their range. confidence: what the level was taken to be at least,
    where nobody said it. level: at the plan, None where the statement has none.
    grounds: statements that it rests on and that do not stand.
    links: conditions that other statements' conclusions meet. ends: choices for which no best
    value was found, to "smaller" or "larger"; alike: choices of which all smaller or larger ones
    cost the same. rates: given name to size or choice
    to d log / d log. optimum: by how much something else could at most be cheaper; None if that
    was not asked. formulas: choices in closed form, where one condition alone decides them.
    """

    keys: tuple[str, ...]
    cost: sympy.Expr
    cost_value: sympy.Expr
    sizes: Mapping[str, Any]
    chosen: Mapping[str, Any]
    given: Mapping[str, Any]
    assumed: Mapping[str, Any]
    steps: tuple[Step, ...]
    links: tuple[Link, ...]
    target: sympy.Basic | None
    lower: Mapping[str, sympy.Basic | None]
    ends: Mapping[str, str] = field(default_factory=dict)
    alike: Mapping[str, str] = field(default_factory=dict)
    rates: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    optimum: Optimum | None = None
    formulas: Mapping[str, sympy.Expr] = field(default_factory=dict)
    called: Mapping[str, str] = field(default_factory=dict)
    floor: frozenset[str] = frozenset()
    confidence: sympy.Rational | None = None
    level: float | None = None
    grounds: tuple[Ground, ...] = ()

    @property
    def binding(self) -> tuple[sympy.Basic, ...]:
        """Conditions without slack: those to relax first."""
        return tuple(s.relation for s in self.steps if s.slack is not None and s.slack <= BINDS)

    def as_json(self) -> dict[str, Any]:
        """JSON-ready form; numbers of any size as text."""
        return {
            "claims": list(self.keys),
            "minimise": formula_text(self.cost), "cost": written(self.cost_value),
            "sizes": {n: written(v) for n, v in self.sizes.items()},
            "chosen": {n: written(v) for n, v in self.chosen.items()},
            "given": {n: written(v) for n, v in self.given.items()},
            "assumed": {n: written(v) for n, v in self.assumed.items()},
            "target": optional_text(self.target),
            "conditions": [
                {"condition": formula_text(s.relation), "slack": finite(s.slack), "power": s.power}
                for s in self.steps
            ],
            "optimum": None if self.optimum is None else {
                "factor": finite(self.optimum.factor),
                "least": finite(self.optimum.least), "gap": finite(self.optimum.gap),
                "boxes": self.optimum.boxes,
                "unread": list(self.optimum.unread),
            },
            "formulas": {n: formula_text(f) for n, f in self.formulas.items()},
            "no_best_value": dict(self.ends), "no_single_value": dict(self.alike),
            "links": [str(link) for link in self.links],
            "level": self.level,
            "not_standing": [ground.as_json() for ground in self.grounds],
            "confidence": None if self.confidence is None else str(self.confidence),
            "lower": {n: optional_text(r) for n, r in self.lower.items()},
            "rates": {n: dict(r) for n, r in self.rates.items()},
        }  # fmt: skip

    def _repr_html_(self) -> str:
        from boundcheck.explore.display import of_plan

        return of_plan(self)

    def _repr_latex_(self) -> str:
        values = {**self.sizes, **self.chosen}
        sizes = r",\quad ".join(
            f"{sympy.latex(sympy.Symbol(n))} = {plain(v)}" for n, v in values.items()
        )
        return f"$\\displaystyle {sizes}$"

    def __str__(self) -> str:
        lines = [f"{' + '.join(self.keys)}: {formula_text(self.cost)} = {plain(self.cost_value)}"]
        lines += [f"size     {n} = {grouped(_plain(v))}{self._because(n)}"
                  for n, v in self.sizes.items()]  # fmt: skip
        if self.chosen:
            lines.append("chosen   " + listed(self.chosen, self.called))
        lines += [f"chosen   {n}: every {word} one costs the same as far as was looked"
                  for n, word in self.alike.items()]  # fmt: skip
        lines += [f"chosen   {n}: the {word} the better; no best value was found"
                  for n, word in self.ends.items()]  # fmt: skip
        lines += [f"formula  {n} = {formula_text(f)}" for n, f in self.formulas.items()]
        if self.given:
            lines.append("given    " + listed(self.given, self.called))
        if self.assumed:
            assumed = listed(self.assumed, self.called)
            lines.append(f"assumed  {assumed} (not given; use --set)")
        if self.level is not None:
            taken = "" if self.confidence is None else (
                f" (at least {self.confidence}, not given; use --set, or --target on level)"
            )
            lines.append(f"level    {self.level:.4g}{taken}")
        lines += [f"chained  {short(link)}" for link in self.links]
        if self.optimum is not None:
            lines.append(f"optimum  {self.optimum}")
        for step in self.steps:
            if step.slack is not None:
                lines.append(f"slack    {step.shown:<10} {short(step.relation, 110)}")
        for name, rates in self.rates.items():
            told = ", ".join(f"{n} {rate:+.3g}" for n, rate in rates.items() if rate)
            if told:
                lines.append(f"rates    d log / d log {name}: {told}")
        lines += [f"caution  {ground}" for ground in self.grounds]
        return "\n".join(lines)

    def _because(self, name: str) -> str:
        if name in self.floor:
            return "   (the least there is)"
        relation = self.lower.get(name)
        return f"   (lower fails {short(relation, 90)})" if relation is not None else ""



def _plain(value: Any) -> Any:
    return int(value) if isinstance(value, int) else value
