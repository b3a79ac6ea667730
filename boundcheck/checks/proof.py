"""Proofs for all admissible values: identities, nonlinear real arithmetic, boxes of balls.

A claim is proved pointwise: for every value of its symbols that the hypotheses allow, drawn or
not. That covers every world, every outcome and every expectation. The other way round, only a
claim about parameters alone is refuted here, by a countermodel that is certified exactly.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import sympy

from boundcheck.checks.base import Task
from boundcheck.checks.proofs.countermodel import refuted_by, value_of
from boundcheck.checks.proofs.soundness import unsound
from boundcheck.claim import Claim, Expected, Holds, UpToConstant, WithProbability
from boundcheck.setting import parts, sides
from boundcheck.verdict import Evidence
from boundcheck.worlds.fields import Choice, Integer, Real, as_rational

NAME = "proof"
CONSTANTS = (1, 32, 1024)
Z3_STEPS = {"quick": 3_000_000, "standard": 12_000_000, "thorough": 100_000_000}
Z3_SECONDS = 2.5


@dataclass(frozen=True)
class Proof:
    """How one statement was proved."""

    method: str
    constant: int = 1


def run(task: Task) -> Evidence:
    """Prove the claim for all values, or refute it by an exact countermodel in its parameters."""
    start = time.perf_counter()
    claim = task.claim
    reason = _unsuitable(claim)
    if reason:
        return Evidence(NAME, None, reason)
    try:
        attempt = _Attempt(task)
        proof = attempt.prove()
    except Exception as error:  # a translation that Z3 rejects is no proof, and no verdict
        return Evidence(NAME, None, f"not translated: {type(error).__name__}: {error}")
    if proof is not None:
        reason = unsound(task)
        if not reason:
            return _proved(claim, proof, time.perf_counter() - start)
        return Evidence(NAME, None, f"proved for real numbers by {proof.method}, but {reason}")
    model = attempt.countermodel()
    refuted = None if model is None else refuted_by(task, model)
    return refuted or Evidence(NAME, None, f"no proof found: {attempt.report}")


def domain_text(claim: Claim) -> str:
    """For which values a proof is: parameters in their ranges, everything else any real."""
    from boundcheck.explore.conditions import System

    system = System(claim)
    used = {s.name for s in claim.statement.free_symbols()}
    ranged = [
        f"{s.name} in {system.ranges[s.name]}" for s in claim.parameters if s.name in used
    ]
    parameters = {s.name for s in claim.parameters}
    rest = [s for s in claim.statement.free_symbols() if s.name not in parameters]
    for kind, group in (
        ("reals", [s.name for s in rest if s.is_commutative]),
        ("matrices", [s.name for s in rest if not s.is_commutative]),
    ):
        if group:
            ranged.append(f"{', '.join(sorted(group))} any {kind}")
    return "; ".join(ranged) + (" under the hypotheses" if claim.given else "")


def _proved(claim: Claim, proof: Proof, seconds: float) -> Evidence:
    domain = domain_text(claim)
    constant = f" with constant {proof.constant}" if isinstance(
        claim.statement, UpToConstant) else ""  # fmt: skip
    detail = f"proved{constant} by {proof.method} for {domain}"
    return Evidence(
        NAME, "proved", detail,
        numbers={
            "method": proof.method, "domain": domain, "constant": proof.constant,
            "certificate": f"{detail}; {seconds:.2f} s",
        },
    )  # fmt: skip


def _unsuitable(claim: Claim) -> str:
    if claim.undefined:
        return "symbols are undefined"
    if claim.statement.relation.has(sympy.MatrixSymbol):
        return "matrix symbols are checked on worlds"
    if not parts(claim.statement.relation):
        return "the statement asserts no comparison"
    form = getattr(claim.statement, "inner", claim.statement)
    if isinstance(form, Expected) and not _survives_means(claim, form.relation):
        return "what holds at every outcome need not hold for expectations here"
    return ""


def _survives_means(claim: Claim, relation: sympy.Basic) -> bool:
    """Whether a statement that holds at every outcome holds between expectations.

    Not so for unequal sides, nor for alternatives and premises that depend on the outcome.
    """
    if isinstance(relation, sympy.And):
        return all(_survives_means(claim, arg) for arg in relation.args)
    if isinstance(relation, sympy.Implies):
        premise, conclusion = relation.args
        fixed = not {s.name for s in premise.free_symbols} & claim.random_names
        return fixed and _survives_means(claim, conclusion)
    return isinstance(relation, sympy.Rel) and not isinstance(relation, sympy.Ne)


class _Attempt:
    """One claim translated for all provers."""

    def __init__(self, task: Task) -> None:
        from boundcheck.checks.proofs.reals import Translation, Untranslatable

        self.claim, self.task = task.claim, task
        self.relation = task.claim.statement.relation
        self.report = "beyond the provers"
        self.fields = _scalar_fields(task.claim)
        self.translation = None
        if all(s.is_commutative for s in self.relation.free_symbols):
            whole = {n for n, field in self.fields.items() if isinstance(field, Integer)}
            self.translation = Translation(whole)
            self.premises = self._premises()
            try:
                self.goal = self.translation.relation(self.relation)
                self.needed = list(self.translation.obligations)
            except Untranslatable as error:
                self.report, self.translation = str(error), None

    def prove(self) -> Proof | None:
        form = self.claim.statement
        if isinstance(form, UpToConstant):
            form = form.inner
        if not isinstance(form, (Holds, Expected, WithProbability)):
            return None
        if isinstance(form, WithProbability) and not self._level_is_at_most_one(form):
            return None
        found = self._identity()
        if found is None and self.translation is not None:
            found = self._arithmetic()
        return found or self._boxes()

    def _level_is_at_most_one(self, form: WithProbability) -> bool:
        from boundcheck.checks.proofs.reals import Translation, Untranslatable

        if self.translation is None:
            return False
        other = Translation(self.translation.whole)
        try:
            at_most = other.relation(sympy.Le(form.level, 1, evaluate=False))
        except Untranslatable:
            return False
        return self._closes([at_most, *other.obligations], extra=other.axioms)

    def _identity(self) -> Proof | None:
        from boundcheck.checks.proofs.identities import vanishes

        if not isinstance(self.relation, sympy.Eq):
            return None
        # Over an expectation or a draw an identity of values is more than is asked, and enough.
        units = {s: sympy.S.One for s in _units(self.claim)}
        method = vanishes((self.relation.lhs - self.relation.rhs).xreplace(units))
        if method is None:
            return None
        if not self.relation.lhs.is_commutative or not self.relation.rhs.is_commutative:
            return Proof(f"{method}, wherever the inverses exist")
        if self.translation is not None and self._closes(self.needed):
            return Proof(method)
        self.report = f"identity by {method}, but a denominator or root may have no value"
        return None

    def _arithmetic(self) -> Proof | None:
        from boundcheck.checks.proofs.reals import pieces

        name = "Z3, nonlinear real arithmetic"
        if not self._closes(self.needed):
            self.report = "Z3 does not show that every expression has a value"
            return None
        if all(self._piece_closes(piece) for piece in pieces(self.relation)):
            return Proof(name)
        if isinstance(self.claim.statement, UpToConstant):
            return self._up_to_constant(name)
        self.report = "Z3 does not decide it"
        return None

    def _piece_closes(self, piece: sympy.Basic) -> bool:
        """One piece of the statement in a translation of its own: fewer variables, less to try."""
        from boundcheck.checks.proofs.reals import Translation, Untranslatable

        assert self.translation is not None
        kept, self.translation = self.translation, Translation(self.translation.whole)
        premises, self.premises = self.premises, []
        try:
            self.premises = self._premises()
            goal = self.translation.relation(piece)
            # What the whole statement needs for a value was shown before.
            return self._closes([goal], extra=list(self.translation.obligations))
        except Untranslatable:
            return False
        finally:
            self.translation, self.premises = kept, premises

    def _up_to_constant(self, name: str) -> Proof | None:
        from boundcheck.checks.proofs.reals import Untranslatable

        if isinstance(self.relation, sympy.Implies):
            return None
        found = parts(self.relation)
        if any(isinstance(part, (sympy.Eq, sympy.Ne)) for part in found):
            return None
        assert self.translation is not None
        for constant in CONSTANTS[1:]:
            goals = []
            for part in found:
                small, large = sides(part)
                strict = isinstance(part, (sympy.Lt, sympy.Gt))
                try:
                    low, high = self.translation.term(small), self.translation.term(large)
                except Untranslatable:
                    return None
                goals.append(low < constant * high if strict else low <= constant * high)
            if self._closes(goals, extra=self.needed):
                return Proof(name, constant)
        return None

    def _closes(self, goals: list[Any], extra: list[Any] | None = None) -> bool:
        """Whether all goals follow from hypotheses, ranges and axioms."""
        import z3

        if not goals:
            return True
        solver = self._solver()
        assert self.translation is not None
        solver.add(*self.premises, *self.translation.axioms, *(extra or []))
        solver.add(z3.Not(z3.And(goals)))
        return solver.check() == z3.unsat

    def _solver(self) -> Any:
        import z3

        solver = z3.SolverFor("QF_NRA")
        # The count of steps decides, so that a verdict does not depend on the machine.
        solver.set("rlimit", Z3_STEPS.get(self.task.budget.name, 3_000_000))
        solver.set("timeout", int(1000 * min(Z3_SECONDS * 4, self.task.budget.seconds / 4)))
        return solver

    def _premises(self) -> list[Any]:
        assert self.translation is not None
        found = []
        for condition in self.claim.given:
            found += self.translation.premise(condition)
        for name, field in self.fields.items():
            found += self._range(name, field)
        return found

    def _range(self, name: str, field: Any) -> list[Any]:
        import z3

        assert self.translation is not None
        variable, found = self.translation.variable(name), []
        if isinstance(field, Choice):
            options = [self._end(item) for item in field.items]
            if None in options:
                return []
            return [z3.Or([variable == option for option in options])]
        low, high = self._end(field.low), self._end(field.high)
        if low is not None:
            found.append(variable > low if getattr(field, "open_low", False) else variable >= low)
        # The top of an integer range says how far search goes; a proof covers what lies beyond.
        if high is not None and not isinstance(field, Integer):
            found.append(
                variable < high if getattr(field, "open_high", False) else variable <= high
            )
        return found

    def _end(self, end: Any) -> Any:
        import z3

        if end is None:
            return None
        if isinstance(end, str) and end in self.fields:
            assert self.translation is not None
            return self.translation.variable(end)
        try:
            value = as_rational(end, {})
        except (ValueError, TypeError):
            return None
        return z3.RealVal(f"{value.p}/{value.q}")

    def _boxes(self) -> Proof | None:
        from boundcheck.checks.proofs.boxes import holds_on_box

        names = sorted(s.name for s in self.relation.free_symbols)
        ends = {}
        for name in names:
            field = self.fields.get(name)
            if not isinstance(field, (Integer, Real)) or field.low is None or field.high is None:
                return None
            try:
                pair = as_rational(field.low, {}), as_rational(field.high, {})
            except (ValueError, TypeError):
                return None
            ends[name] = pair
        if not ends or self.relation.has(sympy.Sum, sympy.Product, sympy.Piecewise):
            return None
        if isinstance(self.claim.statement, (Expected, WithProbability)) or any(
            isinstance(field, Integer) for field in self.fields.values()
        ):
            return None  # the top of an integer range is no hypothesis
        given = tuple(
            c for c in self.claim.given if {s.name for s in c.free_symbols} <= set(names)
        )
        try:
            count = holds_on_box(self.relation, given, ends)
        except NotImplementedError:
            return None
        if count is None:
            return None
        return Proof(f"branch and bound in ball arithmetic on {count} boxes")

    def countermodel(self) -> dict[str, Any] | None:
        """Values of all parameters at which the translated statement fails, or None."""
        import z3

        form = self.claim.statement
        names = {s.name for s in form.free_symbols()}
        names |= {s.name for c in self.claim.given for s in c.free_symbols}
        parameters = {s.name for s in self.claim.parameters}
        if self.translation is None or not isinstance(form, Holds) or not names <= parameters:
            return None
        solver = self._solver()
        solver.add(*self.premises, *self.translation.axioms, *self.needed)
        solver.add(z3.Not(self.goal))
        for _ in range(3):
            if solver.check() != z3.sat:
                return None
            model = solver.model()
            found = {n: value_of(model, self.translation.variable(n)) for n in sorted(names)}
            values = {n: v for n, v in found.items() if v is not None}
            whole = {n for n in values if isinstance(self.fields.get(n), Integer)}
            broken = [n for n in whole if values[n].q != 1]
            if len(values) == len(names) and not broken:
                return {n: int(v.p) if n in whole else v for n, v in values.items()}
            for name in broken:
                solver.add(self.translation.variable(name) == int(values[name].ceil()))
        return None


def _units(claim: Claim) -> list[sympy.Symbol]:
    """Symbols measured by a function that returns `identity(size)` and nothing else."""
    from boundcheck.quantities.operators import identity

    found = []
    for symbol, quantity in claim.measure.items():
        code = getattr(quantity, "__code__", None)
        if quantity is identity or (
            code is not None
            and code.co_names == ("identity",)
            and quantity.__globals__.get("identity") is identity
            and len(code.co_varnames) == code.co_argcount == 1
            and all(const is None or isinstance(const, str) for const in code.co_consts)
        ):
            found.append(symbol)
    return [symbol for symbol in found if not symbol.is_commutative]


def _scalar_fields(claim: Claim) -> dict[str, Any]:
    """Fields of parameters and of scalar world values, by name."""
    fields = {s.name: field for s, field in claim.parameters.items()}
    if claim.worlds is not None:
        fields = {**claim.worlds.fields, **fields}
    return {
        name: field for name, field in fields.items() if isinstance(field, (Integer, Real, Choice))
    }
