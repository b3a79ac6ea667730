"""From a model of Z3 to a certified counterexample with short numbers."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import sympy
from flint import fmpq

from boundcheck.certify import certify
from boundcheck.checks.base import Task
from boundcheck.checks.enumeration import failure
from boundcheck.errors import Undecided, Undefined
from boundcheck.setting import Setting
from boundcheck.verdict import Evidence
from boundcheck.worlds.composed import Derived
from boundcheck.worlds.fields import Choice, Integer, Real
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


def model_of(case: Any) -> dict[str, Any] | None:
    """Values of numbers at which the translated statement of one case fails, or None.

    Only where formulas leave nothing but parameters and free numbers of the world.
    """
    import z3

    from boundcheck.checks.proofs.reals import Translation, Untranslatable
    from boundcheck.claim import Holds

    claim, system = case.claim, case.system
    free = {
        name: field for name, field in case.knowledge.fields.items()
        if isinstance(field, (Integer, Real, Choice))
    }  # fmt: skip
    conditions = [case.plain, *system.known()]
    if not isinstance(claim.statement, Holds) or case.plain in (sympy.true, sympy.false):
        return None
    names = {s.name for c in conditions for s in c.free_symbols}
    if not names <= set(free):
        return None
    translation = Translation(system.whole)
    try:
        goal = translation.relation(case.plain)
    except Untranslatable:
        return None
    needed = list(translation.obligations)
    solver = z3.SolverFor("QF_NRA")
    solver.set("rlimit", system.steps)
    for condition in system.known():
        solver.add(*translation.premise(condition))
    solver.add(*translation.axioms, *needed, z3.Not(goal))
    for _ in range(3):
        try:
            if solver.check() != z3.sat:
                return None
            model = solver.model()
            found = {n: value_of(model, translation.variable(n)) for n in sorted(names)}
        except z3.Z3Exception:  # its steps may end while the model is read: no countermodel
            return None
        values = {n: v for n, v in found.items() if v is not None}
        whole = {n for n in values if n in system.whole}
        broken = [n for n in whole if values[n].q != 1]
        if len(values) == len(names) and not broken:
            return {n: int(v.p) if n in whole else v for n, v in values.items()}
        for name in broken:
            solver.add(translation.variable(name) == int(values[name].ceil()))
    return None


def refuted_by(task: Task, model: Mapping[str, Any]) -> Evidence | None:
    """Evidence if the countermodel is certified on the exact route; its numbers made short."""
    space = task.claim.worlds
    values = space.sample(task.rng(NAME))[0] if space is not None else {}
    others = {s.name: field for s, field in task.claim.parameters.items() if s.name not in model}
    for name, field in others.items():
        values[name] = field.build(Randomness(task.rng(name)), values)
    setting = Setting(task.claim, _derived_again(space, {**values, **model}))
    if not _fails(setting):
        return None
    for name, value in model.items():
        if not isinstance(value, fmpq):
            continue
        for limit in (1, 2, 10, 100, 10_000):
            near = Fraction(int(value.p), int(value.q)).limit_denominator(limit)
            short = {**setting.values, name: fmpq(near.numerator, near.denominator)}
            shorter = Setting(task.claim, _derived_again(space, short))
            if _fails(shorter):
                setting = shorter
                break
    _, shown = certify(setting)
    witness = task.witness("exact", setting, shown)
    return Evidence(
        NAME, "refuted", f"{failure(witness, shown)} (countermodel of Z3, certified exactly)",
        kind="exact", witness=witness,
    )  # fmt: skip


def _derived_again(space: Any, values: dict[str, Any]) -> dict[str, Any]:
    """Values with those that follow from others computed anew."""
    for name, field in space.fields.items() if space is not None else ():
        if isinstance(field, Derived):
            names = inspect.signature(field.rule).parameters
            values[name] = field.rule(*[values[argument] for argument in names])
    return values


def _fails(setting: Setting) -> bool:
    try:
        return setting.admissible() and certify(setting)[0]
    except (Undefined, Undecided):
        return False
