"""What needs no solving: conditions at given values, and measured symbols that follow from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy
from flint import fmpq

from boundcheck import exact
from boundcheck.encoding import show
from boundcheck.errors import InvalidArgument
from boundcheck.explore.answers import ConditionState, Requirement
from boundcheck.explore.completion import completed
from boundcheck.explore.conditions import System, as_system
from boundcheck.explore.sensitivity import sensitivity
from boundcheck.explore.values import Truth
from boundcheck.explore.wording import formula_text

SHARP = 80  # bits to which a number must be known to be an answer


def conditions_at(
    claim: Any, given: Mapping[Any, Any] | None = None, *, root: Any = None
) -> list[ConditionState]:
    """Every condition of a claim with its truth at the given values.

    Raises: InvalidArgument for unknown symbols and values outside their range.
    """
    _, system = as_system(claim, given, None, root)
    states = []
    for relation in system.conditions:
        missing = [n for n in system.inputs_of_relation(relation) if n not in system.values]
        truth = None if missing else system.truth(relation, system.values)
        states.append(ConditionState(relation, truth, tuple(missing)))
    return states


def computed_value(label: str, system: System, name: str, assume: bool) -> Requirement:
    """A measured symbol that follows from the others: its definition is the requirement.

    Raises: InvalidArgument where it has no value, or a target is not certain to hold there.
    """
    inputs, symbol = system.inputs([name]), system.symbols[name]
    if system.target is not None:
        inputs = list(dict.fromkeys([*inputs, *system.inputs_of_relation(system.target)]))
    missing = [n for n in inputs if n not in system.values]
    values, _ = completed(system, inputs)
    value = system.evaluate(symbol, values)
    if missing and not assume:
        return Requirement(
            label, symbol, "implicit", None, None, None, (), given=dict(system.values), assumed={},
            allowed=system.ranges[name], missing=tuple(missing), replaced=dict(system.replaced),
        )  # fmt: skip
    if value is None or isinstance(value, exact.MATRICES):
        raise InvalidArgument(f"{label}: {name} has no value there; change " + ", ".join(inputs))
    if not exact.is_exact(value) and value.rel_accuracy_bits() < SHARP:
        raise InvalidArgument(
            f"{label}: {name} is known to lie in {show(value)} only; "
            + ("change " + ", ".join(inputs) if inputs else "its definition is no sharper")
        )
    _require_target(label, system, name, values, value)
    ratio = fmpq(value) if exact.is_exact(value) else exact.midpoint(value)
    number = int(ratio.p) if ratio.q == 1 else sympy.Rational(int(ratio.p), int(ratio.q)).n(24)
    return Requirement(
        label, symbol, "exactly", number, None, None, (), given=dict(system.values),
        assumed={n: values[n] for n in missing if n in values}, allowed=system.ranges[name],
        sensitivity=sensitivity(system, name, values, ratio, symbol, (symbol,), "least"),
        replaced=dict(system.replaced), proof=f"by its definition it is {show(value, 20)}",
    )  # fmt: skip


def _require_target(
    label: str, system: System, name: str, values: Mapping[str, Any], value: Any
) -> None:
    """Raises: InvalidArgument unless the target, if there is one, holds at the value."""
    target = system.target
    truth = Truth.HOLDS if target is None else system.truth(target, values)
    if truth is Truth.HOLDS:
        return
    below = system.inputs([name])
    follows = f"follows from {', '.join(below)}" if below else "is fixed by the source"
    inputs = [] if target is None else system.inputs_of_relation(target)
    remedy = f"ask for {' or '.join(inputs)}" if inputs else "change the target"
    raise InvalidArgument(
        f"{label}: {name} = {show(value, 10)} {follows}, and the target {formula_text(target)} "
        f"{truth.value} there; {remedy}"
    )
