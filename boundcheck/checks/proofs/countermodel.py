"""From a model of Z3 to a certified counterexample with short numbers."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from flint import fmpq

from boundcheck.certify import certify
from boundcheck.checks.base import Task
from boundcheck.checks.enumeration import describe
from boundcheck.errors import Undecided, Undefined
from boundcheck.setting import Setting
from boundcheck.verdict import Evidence
from boundcheck.worlds.fields import Integer, Real, as_rational
from boundcheck.worlds.sources import Randomness

NAME = "proof"


def value_of(model: Any, variable: Any) -> fmpq | None:
    import z3

    found = model.eval(variable, model_completion=True)
    if z3.is_algebraic_value(found):
        found = found.approx(20)
    if not z3.is_rational_value(found):
        return None
    return fmpq(found.numerator_as_long(), found.denominator_as_long())


def refuted_by(task: Task, model: Mapping[str, Any]) -> Evidence | None:
    """Evidence if the countermodel is certified on the exact route; its numbers made short."""
    space = task.claim.worlds
    values = space.sample(task.rng(NAME))[0] if space is not None else {}
    others = {s.name: field for s, field in task.claim.parameters.items() if s.name not in model}
    for name, field in others.items():
        values[name] = field.build(Randomness(task.rng(name)), values)
    setting = Setting(task.claim, {**values, **model})
    if not _fails(setting):
        return None
    for name, value in model.items():
        if isinstance(value, int):
            continue
        for limit in (1, 2, 10, 100, 10_000):
            near = Fraction(int(value.p), int(value.q)).limit_denominator(limit)
            shorter = setting.replaced(**{name: fmpq(near.numerator, near.denominator)})
            if _fails(shorter):
                setting = shorter
                break
    _, shown = certify(setting)
    witness = task.witness("exact", setting, shown)
    reading = ", ".join(f"{name} {value}" for name, value in shown.items())
    return Evidence(
        NAME, "refuted", f"fails at {describe(witness)}: {reading} (countermodel of Z3, "
        "certified exactly)", kind="exact", witness=witness,
    )  # fmt: skip


def _fails(setting: Setting) -> bool:
    try:
        return _in_range(setting) and setting.admissible() and certify(setting)[0]
    except (Undefined, Undecided):
        return False


def _in_range(setting: Setting) -> bool:
    """Whether every parameter lies in the domain of its field, ends left out where they are."""
    for symbol, field in setting.claim.parameters.items():
        if not isinstance(field, (Integer, Real)):
            continue
        value = fmpq(setting(symbol.name))
        if isinstance(field, Integer) and value.q != 1:
            return False
        low = None if field.low is None else as_rational(field.low, setting.values)
        high = None if field.high is None else as_rational(field.high, setting.values)
        left_out = low is not None and value == low and getattr(field, "open_low", False)
        if left_out or (low is not None and value < low):
            return False
        if high is not None and (
            value > high or (value == high and getattr(field, "open_high", False))
        ):
            return False
    return True
