"""Proofs for the checker: the steps that close a branch, found by trying rules in order.

Every step is applied to a context of the checker itself, so that what is found is checked while it
is found. Nothing here is trusted.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from boundcheck.certificates.boxes import boxes
from boundcheck.certificates.branches import (
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
from boundcheck.certificates.linear import EFFORTS, QUICK
from boundcheck.certificates.polynomials import Poly
from boundcheck.certificates.statement import Problem
from boundcheck.certificates.terms import Rejected, Relation, negated
from boundcheck.certificates.vanishing import vanishing


def prove(problem: Problem, *, seconds: float = 10.0) -> list[Any] | None:
    """Proofs of all targets of a problem, one list of steps each, or None.

    Args: seconds: of processor time, after which the search gives up.
    """
    until = time.process_time() + seconds
    found: list[Any] = []
    try:
        context = problem.context()
        for target in problem.targets():
            steps = refute(context, negated(target), until)
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


def refute(context: Context, against: Relation, until: float) -> Steps | None:
    """Steps that show that some facts cannot hold with one more, or None."""
    branch = Branch(context.branch(against), len(context.facts), until)
    return closed(branch)


def closed(branch: Branch) -> Steps | None:
    """The steps that end a branch, or None."""
    if branch.out_of_time():
        return None
    try:
        if evident(branch):
            return branch.steps
        prepare(branch)
        for route in ROUTES:
            if branch.out_of_time():
                return None
            if route(branch):
                return branch.steps
    except Rejected:
        return None
    return None


def _quick(branch: Branch) -> bool:
    return linear(branch, QUICK)


def _cases(branch: Branch) -> bool:
    """The members of the first open disjunction, each apart."""
    if branch.splits <= 0:
        return False
    context = branch.context
    open_ = [i for i, fact in enumerate(context.facts)
             if fact[0] == "or" and ("cases", i) not in branch.done]  # fmt: skip
    for i in sorted(open_, key=lambda i: (i < branch.start, len(context.facts[i]))):
        branch.done.add(("cases", i))
        members = context.facts[i][1:]
        proofs: list[Steps] = []
        for member in members:
            below = branch.below(member)  # type: ignore[arg-type]
            below.start = branch.start
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
        second = closed(other) if first is not None else None
        if first is not None and second is not None:
            step = {"rule": "split", "on": ("<", fact[1], fact[2]), "yes": first, "no": second}
            return branch.apply(step)
    return False


def _slow(branch: Branch) -> bool:
    return linear(branch, EFFORTS[2:])


SPOKEN_BY_LOGARITHMS = ("root", "exp", "pow", "log")
MOST_LOGARITHMS = 200


def _logarithms(branch: Branch) -> bool:
    """Logarithms of facts between products, added up."""
    below = Branch(branch.context.branch(), branch.start, branch.until, [], set(branch.done), 0)
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


ROUTES: tuple[Callable[[Branch], bool], ...] = (
    _quick, _cases, _unequal, _logarithms, _slow, boxes,
)  # fmt: skip
