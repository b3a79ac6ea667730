"""Problems of a claim for the checker of certificates, one for every combination of its texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import sympy

from boundcheck.certificates.problem import Inexpressible, problem
from boundcheck.certificates.statement import Problem
from boundcheck.certificates.terms import Rejected, Relation, replaced, symbols
from boundcheck.checks.proofs.inverses import matrix_problem
from boundcheck.checks.proofs.limits import OutOfTime, limit
from boundcheck.checks.proofs.reals import pieces, tells_values
from boundcheck.checks.proofs.system import SERIES, requirements
from boundcheck.claim import Claim, Expected, Holds, UpToConstant, WithProbability
from boundcheck.encoding import encode
from boundcheck.setting import guarded, sides

if TYPE_CHECKING:
    from boundcheck.checks.proofs.attempt import Case
    from boundcheck.checks.proofs.sums import Sums

WORK = {"quick": 30_000, "standard": 200_000, "thorough": 1_000_000}  # of search for one problem
OF_ROWS = 0.4  # sums have fewer ways to be shown, and claims with them are many
SECONDS = {"quick": 12.0, "standard": 60.0, "thorough": 600.0}  # a cap on accidents

WORDS = {
    "combine": "combination of hypotheses", "logarithm": "logarithms", "boxes": "boxes of balls",
    "monotone": "monotone derivatives", "induction": "induction", "cases": "cases",
}  # fmt: skip


@dataclass(frozen=True)
class CertifiedCase:
    """One combination of texts with its problem and the proofs of its targets."""

    fixed: Mapping[str, Any]
    problem: Problem
    proofs: list[Any]

    def as_json(self) -> dict[str, Any]:
        """One entry of the `cases` of a certificate."""
        fixed = {name: encode(value) for name, value in self.fixed.items()}
        return {"fixed": fixed, "problem": self.problem.as_json(), "proofs": self.proofs}


def certify(cases: Iterable[Case], constant: int, budget: str) -> list[CertifiedCase] | None:
    """Proofs of every case with this constant, or None."""
    from boundcheck.certificates.points import refuting_point
    from boundcheck.certificates.search import prove

    problems: list[tuple[Case, Problem]] = []
    for case in cases:
        stated = problem_of(case, constant)
        if stated is None or refuting_point(stated) is not None:  # there is no proof
            return None
        problems.append((case, stated))
    found: list[CertifiedCase] = []
    for case, stated in problems:
        try:
            with limit(SECONDS.get(budget, 6.0)):
                work = int(WORK.get(budget, 10_000) * (OF_ROWS if stated.rows else 1))
                proofs = prove(stated, work=work)
        except OutOfTime:
            proofs = None
        if proofs is None:
            return None
        found.append(CertifiedCase(case.knowledge.fixed, stated, proofs))
    return found


def method_of(cases: Iterable[CertifiedCase]) -> str:
    """The rules of a certificate in words."""
    rules = {rule for case in cases for rule in _rules(case.proofs)}
    told = [words for rule, words in WORDS.items() if rule in rules]
    return "a certificate (" + (", ".join(told) or "signs") + ")"


def _rules(steps: Any) -> Iterator[str]:
    if isinstance(steps, dict):
        yield str(steps.get("rule", ""))
        for value in steps.values():
            yield from _rules(value)
    elif isinstance(steps, (list, tuple)):
        for value in steps:
            yield from _rules(value)


def problem_of(case: Case, constant: int = 1) -> Problem | None:
    """What is to be shown in one case; None where terms of certificates cannot say it.

    Beside the statement, every part of it and of the formulas put in must have a value, and a
    probability is promised of one at most.
    """
    if not all(s.is_commutative for s in case.relation.free_symbols):
        return _with_matrices(case, constant)
    goal = _goal(case.claim, case.plain, constant)
    put, known = case.knowledge.replaced, case.system.known()
    if goal is None or sympy.false in known or goal.has(*SERIES) or case.relation.has(*SERIES):
        return None
    needed = [*case.knowledge.needed(), *[put(r) for r in requirements(case.relation)]]
    form = getattr(case.claim.statement, "inner", case.claim.statement)
    if isinstance(form, WithProbability):
        needed.append(put(sympy.Le(form.level, 1, evaluate=False)))
    return _stated(case, needed, goal)


def _stated(case: Case, needed: list[sympy.Basic], goal: sympy.Basic) -> Problem | None:
    known = case.system.known()
    values = [r for c in case.system.hypotheses if tells_values(c) for r in requirements(c)]
    premises = [piece for p in (*known, *values) if p is not sympy.true for piece in pieces(p)]
    try:
        found = problem(
            premises, [n for n in needed if n is not sympy.true], goal, case.system.whole
        )
        return with_sums(found, case.knowledge.sums)
    except (Inexpressible, Rejected):
        return None


def with_sums(stated: Problem, sums: Sums) -> Problem:
    """A problem with sums of entries for the letters that stand for them."""
    def put(relation: Relation) -> Relation:
        for letter in sorted(symbols(relation) & set(sums.terms)):
            relation = replaced(relation, letter, sums.terms[letter])  # type: ignore[assignment]
        return relation

    if not symbols(("and", stated.goal, *stated.premises, *stated.needed)) & set(sums.terms):
        return stated
    return replace(
        stated, premises=tuple(map(put, stated.premises)), needed=tuple(map(put, stated.needed)),
        goal=put(stated.goal), each=tuple(sums.each), named=tuple(sums.named.items()),
        rows=tuple((name, *row) for name, row in sums.rows.items()),
    )  # fmt: skip


def _with_matrices(case: Case, constant: int) -> Problem | None:
    found = matrix_problem(case.claim, case.knowledge)
    level = isinstance(case.claim.statement, (UpToConstant, WithProbability))
    if isinstance(found, str) or constant != 1 or level or sympy.false in case.system.known():
        return None
    stated = _stated(case, found.needed, found.scalars)
    return None if stated is None else replace(stated, matrices=found.matrices)


def _goal(claim: Claim, plain: sympy.Basic, constant: int) -> sympy.Basic | None:
    form = claim.statement
    inner = getattr(form, "inner", form)
    if not isinstance(inner, (Holds, Expected, WithProbability)):
        return None
    if not isinstance(form, UpToConstant) and constant != 1:
        return None
    if constant == 1:
        return sympy.And(*pieces(plain)) if plain not in (sympy.true, sympy.false) else plain
    found = guarded(plain)
    equal = any(isinstance(part, (sympy.Eq, sympy.Ne)) for _, part in found)
    if not found or equal or plain.has(sympy.Or, sympy.Not):
        return None
    goals = [_times(premises, part, constant) for premises, part in found]
    return sympy.And(*[piece for goal in goals for piece in pieces(goal)])


def _times(
    premises: tuple[sympy.Basic, ...], part: sympy.Rel, constant: int
) -> sympy.Basic:
    small, large = sides(part)
    kind = sympy.Lt if isinstance(part, (sympy.Lt, sympy.Gt)) else sympy.Le
    goal = kind(small, constant * large)
    return sympy.Implies(sympy.And(*premises), goal) if premises else goal


def stated_problems(claim: Claim, constant: int) -> Iterator[tuple[dict[str, Any], Problem | None]]:
    """What a certificate of a claim has to show: (texts fixed, problem), in order."""
    from boundcheck.checks.base import BUDGETS, Task
    from boundcheck.checks.proofs.attempt import Case
    from boundcheck.checks.proofs.definitions import cases

    for knowledge in cases(claim):
        case = Case(Task("", claim, BUDGETS["quick"]), knowledge)
        yield {name: encode(v) for name, v in knowledge.fixed.items()}, problem_of(case, constant)

