"""One claim given to all provers, for every combination of its texts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy

from boundcheck.checks.base import Task
from boundcheck.checks.proofs.certified import CertifiedCase, certify, method_of
from boundcheck.checks.proofs.definitions import Knowledge, cases
from boundcheck.checks.proofs.second_solver import agrees
from boundcheck.checks.proofs.system import SERIES, System, integral, joined, requirements
from boundcheck.claim import Claim, Expected, Holds, UpToConstant, WithProbability
from boundcheck.setting import guarded, sides, under

CONSTANTS = (1, 32, 1024, 10**6)
Z3_STEPS = {"mutant": 300_000, "quick": 3_000_000, "standard": 12_000_000, "thorough": 100_000_000}


@dataclass(frozen=True)
class Proof:
    """How one statement was proved, and where, beyond what its hypotheses say.

    Args: certified: every case with proofs that the checker accepts; none where solvers proved it.
    """

    method: str
    constant: int = 1
    where: str = ""
    certified: tuple[CertifiedCase, ...] = ()


class Attempt:
    """All cases of one claim.

    `report` says why there is no proof; `kind` is the same in one or two words, for counting.
    """

    def __init__(self, task: Task) -> None:
        self.task, self.claim = task, task.claim
        self.report, self.kind = "beyond the provers", "beyond the provers"
        self.cases = list(cases(task.claim))

    def prove(self) -> Proof | None:
        """One proof that covers every case, or None: with a certificate, else by solvers."""
        return self._certified() or self._by_solvers()

    def _certified(self) -> Proof | None:
        """Proofs of all cases that the checker accepts, with one constant for all of them.

        Where the largest constant is not enough, only the smallest two are tried: a search that
        looks for 1024 looks at the same terms.
        """
        *small, middle, largest = CONSTANTS
        known = [Case(self.task, knowledge) for knowledge in self.cases]
        several = isinstance(self.claim.statement, UpToConstant)
        for constant in small if several else CONSTANTS[:1]:
            if found := self._with_certificates(known, constant):
                return found
        last = self._with_certificates(known, largest) if several else None
        return (self._with_certificates(known, middle) if last else None) or last

    def _with_certificates(self, known: list[Case], constant: int) -> Proof | None:
        found = certify(known, constant, self.task.budget.name)
        if not found:
            return None
        inverses = any(c.problem.matrices and c.problem.matrices.inverses for c in found)
        where = "every inverse regular under the hypotheses" if inverses else ""
        return Proof(method_of(found), constant, where, certified=tuple(found))

    def _by_solvers(self) -> Proof | None:
        found: list[Proof] = []
        self.shown: list[str] = []
        for knowledge in self.cases:
            case = Case(self.task, knowledge)
            proof = case.prove()
            self.shown += case.system.shown
            if proof is None:
                self._open(case)
                return None
            found.append(proof)
        constant = max(proof.constant for proof in found)
        # The largest one must serve every case: with a negative right side more is less.
        for knowledge, proof in zip(self.cases, found, strict=True):
            case = Case(self.task, knowledge)
            if proof.constant != constant and case.with_constant(constant) is None:
                self._open(case)
                return None
            self.shown += case.system.shown
        method = joined(proof.method for proof in found)
        if method is None or not self._confirmed(found):
            return None
        if len(found) > 1:
            method += f", in each of {len(found)} cases"
        return Proof(method, max(proof.constant for proof in found), found[0].where)

    def _confirmed(self, found: list[Proof]) -> bool:
        """Whether a second solver shows what Z3 did."""
        if agrees(self.shown):
            return True
        self.report, self.kind = "shown by Z3 alone, cvc5 does not confirm it", "one solver only"
        return False

    def _open(self, case: Case) -> None:
        self.report, self.kind = case.why()
        if case.knowledge.fixed:
            text = ", ".join(f"{n} {v}" for n, v in case.knowledge.fixed.items())
            self.report += f" (at {text})"

    def countermodel(self) -> dict[str, Any] | None:
        """Values of parameters at which the translated statement fails, or None."""
        from boundcheck.checks.proofs.countermodel import model_of

        for knowledge in self.cases:
            model = model_of(Case(self.task, knowledge))
            if model is not None:
                return {**knowledge.fixed, **model}
        return None


class Case:
    """A claim with its texts fixed and every formula put in."""

    def __init__(self, task: Task, knowledge: Knowledge) -> None:
        self.task, self.claim, self.knowledge = task, task.claim, knowledge
        self.relation = task.claim.statement.relation
        self.plain = knowledge.replaced(self.relation)
        self.failed: sympy.Basic | None = None
        self.unvalued: sympy.Basic | None = None

    @cached_property
    def system(self) -> System:
        """Hypotheses, ranges and facts in the symbols that no formula stands for."""
        from boundcheck.checks.proofs.reals import tells_values

        put, given = self.knowledge.replaced, list(self.claim.given)
        printed: list[sympy.Basic] = []
        moved: list[sympy.Basic] = []
        for condition in given:
            if condition.has(*SERIES):  # it may hold of an empty sum, which no closed form tells
                continue
            plain = put(condition)
            (printed if plain == condition else moved).append(plain)
            if plain != condition and tells_values(condition):
                moved += [put(needed) for needed in requirements(condition)]
        known = [*self.knowledge.conditions, *self.knowledge.instances()]
        conditions = [put(condition) for condition in known]
        budget = self.task.budget.name
        return System(
            [c for c in (*moved, *conditions) if c is not sympy.true],
            [c for c in printed if c is not sympy.true],
            self.knowledge.whole, Z3_STEPS.get(budget, 3_000_000),
        )  # fmt: skip

    def prove(self) -> Proof | None:
        form = self.claim.statement
        if isinstance(form, UpToConstant):
            form = form.inner
        if not isinstance(form, (Holds, Expected, WithProbability)):
            return None
        if sympy.false in (*self.system.premises, *self.system.hypotheses):
            return None
        if self.knowledge.valueless(read=False):
            return None
        if isinstance(form, WithProbability):
            level = self.knowledge.replaced(sympy.Le(form.level, 1, evaluate=False))
            if not self._valued(level) or self.system.shows(level) is None:
                self.failed = level
                return None
        if not all(s.is_commutative for s in self.relation.free_symbols):
            return None
        return self._reals()

    def _valued(self, *statements: sympy.Basic) -> bool:
        """Whether every part of these, and of the formulas in them, has a value."""
        put = self.knowledge.replaced
        for statement in statements:
            if not all(integral(series, self.knowledge.whole) for series in
                       (*statement.atoms(*SERIES), *put(statement).atoms(*SERIES))):
                self.unvalued = statement
                return False
        wanted = [put(needed) for statement in statements for needed in requirements(statement)]
        wanted += [c for statement in statements for c in requirements(put(statement))]
        for needed in dict.fromkeys([*self.knowledge.needed(read=False), *wanted]):
            if needed is sympy.true:
                continue
            if not self._evidently(needed) and not self.system.follows([needed], valued=False):
                self.unvalued = needed
                return False
        return True

    def _evidently(self, needed: sympy.Basic) -> bool:
        if isinstance(needed, sympy.Or):
            return any(self._evidently(part) for part in needed.args)
        if not isinstance(needed, (sympy.Ne, sympy.Gt, sympy.Ge)) or needed.rhs != 0:
            return False
        if isinstance(needed, sympy.Ge) and self.system.nonnegative(needed.lhs):
            return True
        # A root in it would need a value of its own.
        if any(not power.exp.is_Integer for power in needed.lhs.atoms(sympy.Pow)):
            return False
        return self.system.positive(needed.lhs)

    def _reals(self) -> Proof | None:
        from boundcheck.checks.proofs.reals import pieces

        if not self._valued(self.relation):
            return None
        found = joined(self._piece(piece) for piece in pieces(self.plain))
        if found is not None:
            return Proof(found)
        if isinstance(self.claim.statement, UpToConstant):
            return self._up_to_constant()
        return None

    def _piece(self, piece: sympy.Basic) -> str | None:
        found = self.system.shows(piece)
        if found is None and self.failed is None:
            self.failed = piece
        return found

    def with_constant(self, constant: int) -> str | None:
        """How the statement with this constant on the larger sides is shown, or None."""
        found = guarded(self.plain)
        if not found or any(isinstance(part, (sympy.Eq, sympy.Ne)) for _, part in found):
            return None
        if self.plain.has(sympy.Or, sympy.Not):  # alternatives are not among the parts
            return None
        goals = []
        for premises, part in found:
            small, large = sides(part)
            kind = sympy.Lt if isinstance(part, (sympy.Lt, sympy.Gt)) else sympy.Le
            goals.append(under(premises, kind(small, constant * large)))
        return joined(self.system.shows(goal) for goal in goals)

    def _up_to_constant(self) -> Proof | None:
        # Where the largest constant is not enough, smaller ones are not tried.
        largest = self.with_constant(CONSTANTS[-1])
        if largest is None:
            return None
        for constant in CONSTANTS[1:-1]:
            method = self.with_constant(constant)
            if method is not None:
                return Proof(method, constant)
        return Proof(largest, CONSTANTS[-1])

    def why(self) -> tuple[str, str]:
        """Why there is no proof: in a sentence, and in words to count by."""
        if not all(s.is_commutative for s in self.relation.free_symbols):
            return _no_words(self.claim, self.knowledge), "matrices"
        if told := self.knowledge.valueless():
            return f"not shown to have a value: {told}", "value not shown"
        first = self.failed if self.unvalued is None else self.unvalued
        first = self.plain if first is None else first
        inside = {s.name for s in first.free_symbols}
        form = getattr(self.claim.statement, "inner", self.claim.statement)
        random = inside & self.claim.random_names
        if isinstance(form, WithProbability) and random:
            over = self.claim.draw.over if self.claim.draw is not None else "the draw"
            reason = f"not true of every outcome, or not seen to be: a probability over {over}"
            return reason, "a probability over a draw"
        opaque = set(self.knowledge.opaque)
        hidden = sorted(inside & opaque or {s.name for s in self.plain.free_symbols} & opaque)
        if hidden:
            told = "; ".join(f"{name} {self.knowledge.opaque[name]}" for name in hidden[:3])
            more = f" and {len(hidden) - 3} more" if len(hidden) > 3 else ""
            kind = _kind([self.knowledge.opaque[name] for name in hidden])
            return f"definitions that are no formulas: {told}{more}", kind
        if self.unvalued is not None:
            return f"not shown to have a value: needs {_short(self.unvalued)}", "value not shown"
        return f"the provers give up on {_short(first)}", "provers give up"


def _no_words(claim: Claim, knowledge: Knowledge) -> str:
    from boundcheck.checks.proofs.inverses import matrix_problem

    found = matrix_problem(claim, knowledge)
    if isinstance(found, str):
        return found
    letters = sorted({s.name for s in claim.statement.relation.free_symbols
                      if not s.is_commutative})  # fmt: skip
    return f"no identity of words in {', '.join(letters)} whatever matrices they are"


def _kind(reasons: list[str]) -> str:
    """What the definitions that are no formulas speak of, in words to count by."""
    if any("outcome of the draw" in reason for reason in reasons):
        return "speaks of outcomes of a draw"
    if any("whose size is free" in reason for reason in reasons):
        return "speaks of sequences or matrices of any size"
    if any("which is no number" in reason for reason in reasons):
        return "speaks of minimisers, laws or other objects"
    return "definitions that are no formulas"


def _short(condition: sympy.Basic) -> str:
    text = str(condition)
    return text if len(text) <= 120 else text[:117] + "..."
