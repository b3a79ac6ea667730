"""Problems of a claim for the checker of certificates, one for every combination of its texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import sympy

from boundcheck.certificates.problem import Inexpressible, problem
from boundcheck.certificates.statement import Problem
from boundcheck.certificates.terms import Rejected, Relation, needs, places, replaced, symbols
from boundcheck.checks.proofs.inverses import matrix_problem, misfit
from boundcheck.checks.proofs.outcomes import Expectation, expected
from boundcheck.checks.proofs.places import NoSum
from boundcheck.checks.proofs.reals import pieces, tells_values
from boundcheck.checks.proofs.system import SERIES, requirements
from boundcheck.claim import Claim, Expected, Holds, UpToConstant, WithProbability
from boundcheck.encoding import encode
from boundcheck.setting import guarded, parts, sides, under

if TYPE_CHECKING:
    from boundcheck.checks.proofs.attempt import Case
    from boundcheck.checks.proofs.sums import Sums

# Of search for one problem.
WORK = {"mutant": 3_000, "quick": 30_000, "standard": 200_000, "thorough": 1_000_000}
OF_ROWS = 0.4  # sums have fewer ways to be shown, and claims with them are many

WORDS = {
    "combine": "combination of hypotheses", "logarithm": "logarithms", "boxes": "boxes of balls",
    "monotone": "monotone derivatives", "concave": "concavity", "induction": "induction",
    "cases": "cases", "elementary": "identities of elementary functions",
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

    problems: list[tuple[Case, list[Problem]]] = []
    for case in cases:
        ways = [stated for stated in problems_of(case, constant)
                if refuting_point(stated) is None]  # fmt: skip
        if not ways:  # there is no proof
            return None
        problems.append((case, ways))
    found: list[CertifiedCase] = []
    for case, ways in problems:
        shown = next(filter(None, (_shown(case, stated, budget) for stated in ways)), None)
        if shown is None:
            return None
        found.append(shown)
    return found


def _shown(case: Case, stated: Problem, budget: str) -> CertifiedCase | None:
    """One way to say a case with the proofs of its targets, or None."""
    from boundcheck.certificates.search import prove

    work = int(WORK.get(budget, WORK["quick"]) * (OF_ROWS if stated.rows else 1))
    proofs = prove(stated, work=work)
    return None if proofs is None else CertifiedCase(case.knowledge.fixed, stated, proofs)


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


def problems_of(case: Case, constant: int = 1) -> list[Problem]:
    """What is to be shown in one case, said in one or two ways: in words of matrices, in entries.

    None where terms of certificates cannot say it. Beside the statement, every part of it and of
    the formulas put in must have a value, and a probability is promised of one at most.
    """
    if all(s.is_commutative for s in case.relation.free_symbols):
        found = [_of_numbers(case, case.plain, constant)]
    else:
        found = [_with_matrices(case, constant), _by_entries(case, constant)]
    if case.knowledge.valueless():  # of nodes in numbers
        return []
    return [stated for stated in found if stated is not None]


def _of_numbers(
    case: Case, plain: sympy.Basic, constant: int, entries: Relation | None = None
) -> Problem | None:
    """The problem of a statement about numbers; entries: what is to hold of entries beside it."""
    goal = _goal(case.claim, plain, constant)
    put, known = case.knowledge.replaced, case.system.known()
    if goal is None or sympy.false in known or goal.has(*SERIES) or case.relation.has(*SERIES):
        return None
    inverses = [put(condition) for condition in case.knowledge.sums.needed]
    values = requirements(case.relation) if entries is None else requirements(plain)
    needed = [*case.knowledge.needed(), *inverses, *[put(r) for r in values]]
    form = getattr(case.claim.statement, "inner", case.claim.statement)
    if isinstance(form, WithProbability):
        needed.append(put(sympy.Le(form.level, 1, evaluate=False)))
    return _stated(case, needed, goal, entries)


def _by_entries(case: Case, constant: int) -> Problem | None:
    """Equations between matrices as equations between their entries at any places."""
    from boundcheck.checks.proofs.attempt import Case

    found, sums = parts(case.relation), case.knowledge.sums
    if not found or case.relation.has(sympy.Or, sympy.Not, sympy.Implies):
        return None
    if misfit(case.claim.statement.relation, case.knowledge):
        return None
    scalars: list[sympy.Basic] = []
    equations: list[Relation] = []
    for part in found:
        if all(s.is_commutative for s in part.free_symbols):
            scalars.append(case.knowledge.replaced(part))
        elif isinstance(part, sympy.Eq) and constant == 1:
            try:
                equations.append(sums.equal(part.lhs, part.rhs))
            except (NoSum, Inexpressible):
                return None
        else:
            return None
    if case.knowledge.valueless():
        return None
    again = Case(case.task, case.knowledge)  # what is known of the numbers met meanwhile
    return _of_numbers(again, sympy.And(*scalars), constant, ("and", *equations))


def _stated(
    case: Case, needed: list[sympy.Basic], goal: sympy.Basic, entries: Relation | None = None
) -> Problem | None:
    unsure = case.knowledge.unsure()
    known = [fact for fact in case.system.known() if fact not in unsure]
    values = [r for c in case.system.hypotheses if tells_values(c) for r in requirements(c)]
    premises = [piece for p in (*known, *values) if p is not sympy.true for piece in pieces(p)]
    try:
        found = problem(
            premises, [n for n in needed if n is not sympy.true], goal, case.system.whole
        )
        found = with_sums(found, case.knowledge.sums)
        if entries is not None:
            found = _with_rows(
                replace(found, goal=("and", found.goal, *entries[1:])), case.knowledge.sums
            )
        return _averaged(case, found)
    except (Inexpressible, Rejected):
        return None


def _averaged(case: Case, stated: Problem) -> Problem:
    """The same between expectations, where they are sums; else at every outcome, which is more."""
    claim = case.claim
    drawn = {s.name for c in claim.given for s in c.free_symbols} & claim.random_names
    if not isinstance(claim.statement, Expected) or claim.draw is None or drawn:
        return stated
    sums = case.knowledge.sums
    try:
        goal = expected(stated.goal, Expectation(sums, claim.draw))
    except NoSum:
        return stated
    return _with_rows(replace(
        stated, goal=goal, needed=(*stated.needed, *needs(stated.goal))), sums)  # fmt: skip


def with_sums(stated: Problem, sums: Sums) -> Problem:
    """A problem with sums of entries for the letters that stand for them."""
    def put(relation: Relation) -> Relation:
        for letter in sorted(symbols(relation) & set(sums.terms)):
            relation = replaced(relation, letter, sums.terms[letter])  # type: ignore[assignment]
        return relation

    if not symbols(("and", stated.goal, *stated.premises, *stated.needed)) & set(sums.terms):
        return stated
    return _with_rows(replace(
        stated, premises=tuple(map(put, stated.premises)), needed=tuple(map(put, stated.needed)),
        goal=put(stated.goal)), sums)  # fmt: skip


def _with_rows(stated: Problem, sums: Sums) -> Problem:
    free = places(("and", stated.goal, *stated.premises, *stated.needed))
    return replace(
        stated, each=tuple(sums.each),
        named=tuple((index, size) for index, size in sums.named.items() if index in free),
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
    return under(premises, kind(small, constant * large))


def stated_problems(
    claim: Claim, constant: int
) -> Iterator[tuple[dict[str, Any], list[Problem]]]:
    """What a certificate of a claim has to show: (texts fixed, ways to say it), in order."""
    from boundcheck.checks.base import BUDGETS, Task
    from boundcheck.checks.proofs.attempt import Case
    from boundcheck.checks.proofs.definitions import cases

    for knowledge in cases(claim):
        case = Case(Task("", claim, BUDGETS["quick"]), knowledge)
        yield {name: encode(v) for name, v in knowledge.fixed.items()}, problems_of(case, constant)
