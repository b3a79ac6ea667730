"""When a bound says nothing: its right side against what is true anyway, and hypotheses that
cannot be met together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy

from boundcheck import exact
from boundcheck.errors import InvalidArgument
from boundcheck.explore.answers import Requirement
from boundcheck.explore.completion import completed
from boundcheck.explore.conditions import System, as_system
from boundcheck.explore.requirement import require
from boundcheck.explore.stated import statement_parts
from boundcheck.explore.wording import plain


@dataclass(frozen=True)
class Vacuity:
    """Whether a bound says anything at a point, and from where on it does.

    Args:
        feasible: the hypotheses hold together at the point (None if one has no value there).
        failing: hypotheses that do not hold at the point.
        trivial, bound: the trivial and the stated value of the right side there, or None.
        vacuous: the stated bound is no better than the trivial one; None without a trivial bound.
        thresholds: symbol to the value from which on the bound beats the trivial one, the other
            values fixed.
        unreachable: symbol to the reason why no value of it helps.
    """

    label: str
    values: Mapping[str, Any]
    assumed: tuple[str, ...]
    feasible: bool
    failing: tuple[sympy.Basic, ...]
    trivial: float | None
    bound: float | None
    vacuous: bool | None
    thresholds: Mapping[str, Requirement]
    unreachable: Mapping[str, str]

    def as_json(self) -> dict[str, Any]:
        """JSON-ready form."""
        return {
            "claim": self.label,
            "values": {name: str(value) for name, value in self.values.items()},
            "assumed": list(self.assumed),
            "feasible": self.feasible,
            "failing": [str(relation) for relation in self.failing],
            "trivial": self.trivial,
            "bound": self.bound,
            "vacuous": self.vacuous,
            "thresholds": {
                name: {"sense": need.sense, "answer": str(need.answer)}
                for name, need in self.thresholds.items()
            },
            "unreachable": dict(self.unreachable),
        }

    def __str__(self) -> str:
        shown = ", ".join(
            f"{name} = {plain(value)}{' (assumed)' if name in self.assumed else ''}"
            for name, value in self.values.items()
        )
        lines = [f"{self.label}: at {shown}" if shown else f"{self.label}:"]
        if self.feasible:
            lines.append("hypotheses  hold together there")
        lines += [f"hypotheses  cannot be met there: {relation}" for relation in self.failing]
        if self.vacuous is not None:
            word = "vacuous" if self.vacuous else "says something"
            lines.append(f"bound       {self.bound:.6g} against {self.trivial:.6g} anyway: {word}")
        for name, need in self.thresholds.items():
            if need.answer is None:
                continue
            word = "from" if need.sense == "least" else "up to"
            lines.append(f"beats it    {word} {name} = {plain(need.answer)}")
        lines += [f"never       by {name} alone: {why}" for name, why in self.unreachable.items()]
        return "\n".join(lines)


def vacuity(
    claim: Any, given: Mapping[Any, Any] | None = None, *, root: Any = None
) -> Vacuity:
    """Whether a claim's bound beats what is true anyway, at given or plain values.

    Symbols that are not given take the value 1 (or a tenth of the way into their range), moved
    until the hypotheses hold. Thresholds are sought in every parameter that the bound involves.
    Raises: InvalidArgument for unknown symbols and values outside their range.
    """
    label, system = as_system(claim, given, None, root)
    known = system.claim
    large = _sides(system)[1]
    names = [n for r in system.conditions for n in system.inputs_of_relation(r)]
    trivial = known.trivial
    if large is not None:
        names += system.inputs_of_relation(large)
    if trivial is not None:
        names += system.inputs_of_relation(sympy.sympify(trivial))
    needed = list(dict.fromkeys(names))
    values, failing = completed(system, needed)
    vacuous = at_bound = at_trivial = None
    thresholds: dict[str, Requirement] = {}
    unreachable: dict[str, str] = {}
    if trivial is not None and large is not None:
        better = sympy.Lt(large, trivial, evaluate=False)
        at_bound = _float(system.evaluate(system.expression(large), values))
        at_trivial = _float(system.evaluate(system.expression(trivial), values))
        truth = system.holds(system.expression(better), values)
        vacuous = None if at_bound is None or truth is None else not truth
        if vacuous:
            _search(known, system, values, better, large, thresholds, unreachable)
    return Vacuity(
        label, {n: values[n] for n in needed if n in values},
        tuple(n for n in needed if n not in system.values), not failing, tuple(failing),
        at_trivial, at_bound, vacuous, thresholds, unreachable,
    )  # fmt: skip


def _sides(system: System) -> tuple[Any, Any]:
    try:
        return statement_parts(system.claim)
    except InvalidArgument:
        return None, None


def _search(
    claim: Any, system: System, values: Mapping[str, Any], better: sympy.Basic, large: sympy.Basic,
    thresholds: dict[str, Requirement], unreachable: dict[str, str],
) -> None:  # fmt: skip
    """One requirement per parameter that is free to move and that the bound involves."""
    inputs = system.inputs_of_relation(system.expression(large))
    parameters = [s.name for s in claim.parameters if s.name in inputs]
    for name in parameters:
        fixed = {n: v for n, v in values.items() if n != name and n in system.values}
        try:
            thresholds[name] = require(claim, name, fixed, better)
        except InvalidArgument as error:
            unreachable[name] = str(error)


def _float(value: Any) -> float | None:
    if value is None:
        return None
    number = exact.to_float(value)
    return number if number == number else None
