"""Proofs for the checker: the steps that close a branch, found by trying rules in order.

Every step is applied to a context of the checker itself, so that what is found is checked while it
is found. Nothing here is trusted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from boundcheck.certificates.boxes import boxes
from boundcheck.certificates.branches import (
    SLOPES,
    Branch,
    Steps,
    atoms_in,
    by_combination,
    evident,
    linear,
    prepare,
    say_of_forms,
)
from boundcheck.certificates.facts import Context, term_of
from boundcheck.certificates.gram import by_gram
from boundcheck.certificates.identities import by_identities
from boundcheck.certificates.linear import EFFORTS, QUICK, Work
from boundcheck.certificates.means import INSIDE, moments, squared, tangent, tangents_of_logarithms
from boundcheck.certificates.polynomials import Poly, poly_of
from boundcheck.certificates.slopes import by_slopes
from boundcheck.certificates.squares import by_squares
from boundcheck.certificates.statement import Problem
from boundcheck.certificates.terms import (
    TRUE,
    Rejected,
    Relation,
    Term,
    negated,
    replaced,
    symbols,
    whole_number,
)
from boundcheck.certificates.unsummed import unsummed
from boundcheck.certificates.vanishing import vanishing

COST = 20  # of looking at a branch, in columns


def prove(problem: Problem, *, work: int = 40_000) -> list[Any] | None:
    """Proofs of all targets of a problem, one list of steps each, or None.

    Args: work: columns of linear programs that all targets share.
    """
    shared = Work(work)
    found: list[Any] = []
    try:
        context = problem.context()
        for target in problem.targets():
            steps = refute(context, negated(target), shared)
            if steps is None:
                return None
            found.append(steps)
            context.add(target)
        if problem.matrices is not None:
            equations = vanishing(context, problem.matrices)
            if equations is None:
                return None
            found.append(equations)
    except (Rejected, RecursionError):
        return None
    return found


def refute(context: Context, against: Relation, work: Work) -> Steps | None:
    """Steps that show that some facts cannot hold with one more, or None."""
    branch = Branch(context.branch(against), len(context.facts), work)
    return closed(branch)


def closed(branch: Branch) -> Steps | None:
    """The steps that end a branch, or None."""
    if branch.exhausted():
        return None
    branch.work.left -= COST
    try:
        if evident(branch):
            return branch.steps
        prepare(branch)
        if branch.start >= len(branch.context.facts):  # a goal that is plainly false
            return None
        for route in _routes(branch):
            if branch.exhausted():
                return None
            try:
                if route(branch):
                    return branch.steps
            except OverflowError:  # numbers beyond floats, with which routes look ahead
                continue
    except Rejected:
        return None
    return None


def _routes(branch: Branch) -> tuple[Callable[[Branch], bool], ...]:
    if INSIDE in branch.done:
        return NESTED if any(isinstance(m, tuple) and m[0] == "depth" for m in branch.done) else (
            SHORT)  # fmt: skip
    sums = any(kind[0] == "sum" for kind in branch.context.table.atoms)
    return OF_SUMS if sums else ROUTES


def _quick(branch: Branch) -> bool:
    return linear(branch, QUICK)


def _cases(branch: Branch) -> bool:
    """The members of the first open disjunction, each apart."""
    if branch.splits <= 0:
        return False
    context = branch.context
    open_ = [i for i, fact in enumerate(context.facts)
             if fact[0] == "or" and not {TRUE} & set(fact)
             and ("cases", i) not in branch.done]  # fmt: skip
    for i in sorted(open_, key=lambda i: (i < branch.start, len(context.facts[i]))):
        branch.done.add(("cases", i))
        members = context.facts[i][1:]
        proofs: list[Steps] = []
        for member in members:
            below = branch.below(member)  # type: ignore[arg-type]
            below.start = len(branch.context.facts)
            steps = closed(below)
            if steps is None:
                return False
            proofs.append(steps)
        return branch.apply({"rule": "cases", "fact": i, "proofs": proofs})
    return False


def _unequal(branch: Branch) -> bool:
    """A fact a != b of the goal, as a < b or b < a."""
    for i in range(branch.start, len(branch.context.facts)):
        fact = branch.context.facts[i]
        if fact[0] != "!=" or branch.splits <= 0:
            continue
        first = closed(branch.below(("<", fact[1], fact[2])))
        other = branch.below(("<=", fact[2], fact[1]))
        other.tried({"rule": "apart", "fact": i, "order": len(branch.context.facts)})
        second = closed(other) if first is not None else None
        if first is not None and second is not None:
            return branch.apply(
                {"rule": "split", "on": ("<", fact[1], fact[2]), "yes": first, "no": second}
            )
    return False


def _induction(branch: Branch) -> bool:
    """The goal for a whole number from the first on, by one step."""
    context = branch.context
    fact = context.facts[branch.start]
    for name in sorted(symbols(fact) & context.integers) if branch.inductions else []:
        firsts = [f[1] for f in context.facts[: branch.start]
                  if f[0] == "<=" and f[2] == ("x", name) and whole_number(f[1]) is not None]
        for first in dict.fromkeys(firsts):  # fmt: skip
            step = _inductive_step(branch, name, str(first), negated(fact))
            if step is not None and branch.tried(step) is False:
                return evident(branch) or linear(branch, QUICK)
    return False


def _inductive_step(
    branch: Branch, name: str, first: str, goal: Relation
) -> dict[str, object] | None:
    n: Term = ("x", name)
    start: Relation = ("<=", first, n)

    def shown(*facts: Relation, without: str | None) -> Steps | None:
        context = branch.context.branch(*facts, without=without)
        new = Branch(context, len(context.facts) - 1, branch.work, [], set(),
                     branch.splits - 1, 0, 0)  # fmt: skip
        return closed(new)

    inside = shown(negated(start), without=None)
    base = shown(negated(replaced(goal, name, first)), without=name)  # type: ignore[arg-type]
    if inside is None or base is None:
        return None
    later = negated(replaced(goal, name, ("+", n, "1")))  # type: ignore[arg-type]
    step = shown(start, goal, later, without=name)
    if step is None:
        return None
    return {"rule": "induction", "symbol": name, "first": int(first), "fact": goal,
            "inside": inside, "base": base, "step": step}  # fmt: skip


def _slopes(branch: Branch) -> bool:
    return by_slopes(branch, closed)


def _squares(branch: Branch) -> bool:
    return linear(branch, EFFORTS[2:3])


def _slow(branch: Branch) -> bool:
    return branch.slopes == SLOPES and linear(branch, EFFORTS[3:4])


def _slowest(branch: Branch) -> bool:
    return linear(branch, EFFORTS[3:])


SPOKEN_BY_LOGARITHMS = ("root", "exp", "pow", "log")
MOST_LOGARITHMS = 200


def _logarithms(branch: Branch) -> bool:
    """Logarithms of facts between products, added up."""
    below = Branch(branch.context.branch(), branch.start, branch.work, [],
                   set(branch.done), 0)  # fmt: skip
    context = below.context
    kinds = {context.table.atoms[atom][0] for atom in atoms_in(context)}
    high = any(power > 2 for i, f in enumerate(context.facts) if f[0] in ("<", "<=")
               for m in context.gap(i) for _, power in m)  # fmt: skip
    if not kinds & set(SPOKEN_BY_LOGARITHMS) and not high:
        return False
    for i, fact in enumerate(list(context.facts)):
        if fact[0] in ("<", "<=", "=") and len(context.facts) < MOST_LOGARITHMS:
            below.tried({"rule": "logarithm", "fact": i})
            _between_products(below, i)
    say_of_forms(below)
    if not below.steps or not linear(below, EFFORTS[:2]):
        return False
    return any([branch.apply(step) for step in below.steps])


def _between_products(branch: Branch, index: int) -> None:
    """What a fact says of its largest product against each of the smaller ones, in logarithms."""
    context = branch.context
    kind, gap = context.facts[index][0], context.gap(index)
    large = [m for m, value in gap.items() if value > 0]
    if len(large) != 1 or not 2 <= len(gap) <= 6:
        return
    top: Poly = {large[0]: gap[large[0]]}
    if context.normal.sign(top) != 2:
        return
    for monomial, value in gap.items():
        low: Poly = {monomial: -value}
        if value > 0 or context.normal.sign(low) != 2:
            continue
        relation: Relation = (kind if len(gap) == 2 else "<=", term_of(context.table, low),
                              term_of(context.table, top))  # fmt: skip
        proof = by_combination(branch, relation)
        if proof is None:
            continue
        branch.tried({"rule": "have", "fact": relation, "proof": proof})
        branch.tried({"rule": "logarithm", "fact": len(context.facts) - 1})


def _identities(branch: Branch) -> bool:
    return by_identities(branch, _logarithms)


def _tangent(branch: Branch) -> bool:
    return tangent(branch, closed)


def _moments(branch: Branch) -> bool:
    return moments(branch, closed)


def _unsummed(branch: Branch) -> bool:
    return unsummed(branch, closed)


def _bases(branch: Branch) -> bool:
    """A power whose base may be zero: where it is, and where it is positive."""
    context = branch.context
    for atom in sorted(atoms_in(context)) if branch.splits > 0 else []:
        kind = context.table.atoms[atom]
        if kind[0] != "pow" or ("base", atom) in branch.done:
            continue
        branch.done.add(("base", atom))
        base, power = (term_of(context.table, poly_of(key)) for key in kind[1:])  # type: ignore[arg-type]
        away: Relation = ("<", "0", base)
        zero = branch.below(negated(away))
        zero.tried({"rule": "axiom", "name": "power at zero", "terms": [base, power]})
        first = closed(zero)
        second = None if first is None else closed(branch.below(away))
        if first is not None and second is not None:
            return bool(
                branch.tried({"rule": "split", "on": away, "yes": second, "no": first})
            )
    return False


def _tangents(branch: Branch) -> bool:
    """Logarithms of the goal's products, and their tangents."""
    for i in range(branch.start, len(branch.context.facts)):
        if ("logs", i) not in branch.done and branch.context.facts[i][0] in ("<", "<="):
            branch.done.add(("logs", i))
            branch.tried({"rule": "logarithm", "fact": i})
            break
    return tangents_of_logarithms(branch)


def _inside(branch: Branch) -> bool:
    """The logarithm of the goal as a goal of its own: what exponents say of each other."""
    if "inside logarithms" in branch.done:
        return False
    below = Branch(branch.context.branch(), len(branch.context.facts), branch.work,
                   [], branch.done | {"inside logarithms"}, branch.splits)  # fmt: skip
    for i in range(branch.start, below.start):
        if branch.context.facts[i][0] in ("<", "<=") and _has_exponents(branch, i):
            below.tried({"rule": "logarithm", "fact": i})
    if not below.steps or closed(below) is None:
        return False
    return any([branch.apply(step) for step in below.steps])


def _has_exponents(branch: Branch, index: int) -> bool:
    """Whether both sides of a fact are powers or exponentials, with nothing added to them."""
    table, gap = branch.context.table, branch.context.gap(index)
    return len(gap) == 2 and all(
        any(table.atoms[atom][0] in ("exp", "pow") for atom, _ in product) for product in gap
    )


ROUTES: tuple[Callable[[Branch], bool], ...] = (
    _identities, _quick, by_squares, _cases, _unequal, _logarithms, _inside, _squares, boxes, _slow,
    by_gram, _induction, _bases, _slopes, _tangents, _slowest,
)  # fmt: skip
SHORT = (_quick, by_squares, tangents_of_logarithms, _cases, _unequal)  # of terms of a sum
NESTED = (_quick, by_squares, _unsummed, tangents_of_logarithms, _cases, _unequal)
OF_SUMS = (_quick, by_squares, _unsummed, tangents_of_logarithms, _tangent, squared, _moments,
           _cases, _unequal, _logarithms, _squares)  # fmt: skip
