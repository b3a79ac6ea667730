"""Identities of elementary functions: both sides are written by few of their values.

What remains of a difference of logarithms is compared by its exponential.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

from boundcheck.certificates.branches import Branch, Steps, by_combination, evident, linear
from boundcheck.certificates.elementary import PARTS
from boundcheck.certificates.facts import Context, term_of
from boundcheck.certificates.linear import QUICK
from boundcheck.certificates.polynomials import Monomial, Poly, Table, added, scaled
from boundcheck.certificates.terms import COMPARISONS, Rejected, Relation, subterms

COST, PREMISES, PINNED = 5, 12, 3
PERIODIC = {"tanh", "sin", "cos"}
HEADS = PERIODIC | {"exp", "log"}


def by_identities(branch: Branch, logarithms: Callable[[Branch], bool]) -> bool:
    """Whether a fact of the goal contradicts an identity; the steps are then taken."""
    context = branch.context
    told = [i for i in range(branch.start, len(context.facts)) if _chosen(context.facts[i])]
    goals = [i for i, fact in enumerate(context.facts) if _heads(fact)
             and (i >= branch.start or (told and fact[0] == "!="))
             and ("elementary", fact, *told) not in branch.done]  # fmt: skip
    if not goals:
        return False
    branch.done |= {("elementary", context.facts[i], *told) for i in goals}
    branch.work.left -= COST * len(goals)
    known = [i for i, fact in enumerate(context.facts[: branch.start]) if _heads(fact) & PERIODIC]
    below = Branch(context.branch(), branch.start, branch.work, [], set(branch.done), 0)
    for i in known[:PREMISES]:
        _rewritten(below, i)
    chosen = [i for i, fact in enumerate(context.facts) if _chosen(fact)]
    chosen += _pinned(below, chosen) if told else []
    goals = [_put(below, i, chosen) for i in goals]
    places = [_rewritten(below, i) for i in goals]
    if evident(below) or any(place is not None and _compared(below, place) for place in places):
        return any([branch.apply(step) for step in below.steps])
    if told or not any(_heads(below.context.facts[i]) & PERIODIC for i in goals):
        return False
    below.done = set(branch.done)
    if linear(below, QUICK) or logarithms(below):
        return any([branch.apply(step) for step in below.steps])
    return False


def _chosen(fact: Relation) -> bool:
    """Whether a fact says which of its cases an absolute value or an extreme is."""
    return fact[0] == "=" and isinstance(fact[1], tuple) and fact[1][0] in ("abs", "max", "min")


def _put(branch: Branch, index: int, equations: list[int]) -> int:
    """The place of a fact in which the cases that are known are put in."""
    for equation in equations:
        facts = branch.context.facts
        what = facts[equation][1]
        if index != equation and any(part == what for part in subterms(facts[index])):
            branch.tried({"rule": "put", "fact": index, "equation": equation})
            index = len(facts) - 1
    return index


def _pinned(branch: Branch, chosen: list[int]) -> list[int]:
    """Places of equations of symbols that two opposite inequalities between members say."""
    context, facts = branch.context, branch.context.facts
    found: list[int] = []
    for _, whole, member in [facts[i] for i in chosen]:
        for side in whole[1:] if whole[0] in ("max", "min") else ():
            order = (side, member) if whole[0] == "max" else (member, side)
            proof = by_combination(branch, ("<=", *order)) if side != member else None
            if proof is not None:
                branch.tried({"rule": "have", "fact": ("<=", *order), "proof": proof})
    gaps = [(i, context.gap(i)) for i, fact in enumerate(facts) if fact[0] == "<="]
    for (i, gap), (j, other) in itertools.combinations(gaps, 2):
        if len(found) < PINNED and gap and not added(gap, other):
            found += _solved(branch, i, j, gap)
    return found


def _solved(branch: Branch, order: int, opposite: int, gap: Poly) -> list[int]:
    """The place of an equation of a symbol, told by an inequality whose opposite holds."""
    context = branch.context
    for monomial, value in gap.items():
        kind = context.table.atoms[monomial[0][0]] if monomial else ("",)
        if kind[0] != "x" or len(monomial) > 1 or monomial[0][1] != 1:
            continue
        rest = scaled({m: c for m, c in gap.items() if m != monomial}, -1 / value)
        here = len(context.facts)
        products = [["1", None, [here + 1]], ["1", None, [opposite]]]
        proof: Steps = [{"rule": "apart", "fact": here, "order": order},
                        {"rule": "combine", "products": products}]  # fmt: skip
        same = ("=", *context.facts[order][1:])
        branch.tried({"rule": "have", "fact": same, "proof": proof})
        told = ("=", ("x", str(kind[1])), term_of(context.table, rest))
        proof = [{"rule": "evident", "fact": here}]
        if branch.tried({"rule": "have", "fact": told, "proof": proof}) is not None:
            return [here + 1]
    return []


def _heads(fact: Relation) -> set[str]:
    """Elementary functions in a comparison."""
    if fact[0] not in COMPARISONS:
        return set()
    return {str(part[0]) for part in subterms(fact) if isinstance(part, tuple)} & HEADS


def _rewritten(branch: Branch, index: int) -> int | None:
    """The place of a fact with elementary functions rewritten, or None."""
    step = {"rule": "elementary", "fact": index, "parts": _parts(branch.context, index)}
    return None if branch.tried(step) is None else len(branch.context.facts) - 1


def _parts(context: Context, index: int) -> int:
    """The least common denominator of the arguments of a fact, if it is small."""
    found = 1
    for part in subterms(context.facts[index]):
        if isinstance(part, tuple) and part[0] in PERIODIC | {"exp"}:
            try:
                inner = context.normal.of(part[1])
            except Rejected:
                continue
            for monomial, value in inner.items():
                if not _logarithms(context.table, monomial):
                    value = 2 * value if part[0] == "tanh" else value
                    found = math.lcm(found, int(value.q))
    return found if found <= PARTS else 1


def _logarithms(table: Table, monomial: Monomial) -> int:
    return sum(power for atom, power in monomial if table.atoms[atom][0] == "log")


def _compared(branch: Branch, place: int) -> bool:
    """Whether what is said to differ is the same by its exponential, or by its logarithm."""
    context = branch.context
    gap = context.gap(place) if context.facts[place][0] == "!=" else {}
    whole = [value for m, value in gap.items() if _logarithms(context.table, m)]
    if any(len(m) > 1 and _logarithms(context.table, m) for m in gap):
        return False
    if whole:
        return _apart(branch, gap, math.lcm(*[int(value.q) for value in whole]), "exponential")
    rooted = any(context.table.atoms[atom][0] == "root" for m in gap for atom, _ in m)
    return rooted and _apart(branch, gap, 1, "logarithm")


def _apart(branch: Branch, gap: Poly, scale: int, rule: str) -> bool:
    """Whether both sides of gap != 0, what is subtracted apart, are the same by a rule."""
    context = branch.context
    small, large = [
        term_of(context.table, {m: c * sign * scale for m, c in gap.items() if c * sign > 0})
        for sign in (-1, 1)
    ]
    shown = len(context.facts)
    proof = [{"rule": "evident", "fact": shown}]
    branch.tried({"rule": "have", "fact": ("!=", small, large), "proof": proof})
    if branch.tried({"rule": rule, "fact": shown}) is None:
        return False
    place = _rewritten(branch, shown + 1)
    return place is not None and (evident(branch) or (
        rule == "logarithm" and _compared(branch, place)))  # fmt: skip
