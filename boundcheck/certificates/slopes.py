"""Inequalities from one end and the sign of a slope, as often as needed.

What touches at an end of its domain has no room for boxes there; its derivatives do. Where both
sides meet inside, both sides of that place are shown; what is concave, from its two ends. A bound
by an exponential is taken to logarithms first.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

from boundcheck.certificates.branches import Branch, Steps
from boundcheck.certificates.contacts import contacts, negative_somewhere, points_of, value
from boundcheck.certificates.facts import Context, term_of
from boundcheck.certificates.polynomials import atoms_of, scaled
from boundcheck.certificates.terms import (
    Rejected,
    Relation,
    Term,
    derivative,
    needs,
    negated,
    regular,
    replaced,
    subterms,
    symbols,
    whole_number,
)

CURVED = ("exp", "log", "sin", "cos", "tanh", "^")
COST, LONGEST, CONTACTS = 500, 600, 3  # of a derivative, in columns; parts of one; places tried
Close = Callable[[Branch], Steps | None]


def by_slopes(branch: Branch, close: Close) -> bool:
    """Whether a fact of the goal is refuted from an end; the steps are then taken."""
    if branch.slopes <= 0 or branch.context.facts[branch.start][0] not in ("<", "<="):
        return False
    return any(
        _from_some_end(branch, index, name, close)
        for index in _ways(branch)
        for name in _curved_in(branch.context, index)
    )


def _ways(branch: Branch) -> list[int]:
    """Places of the goal's fact: in logarithms, as it is, without denominators."""
    context = branch.context
    cleared = [i for i in range(branch.start + 1, len(context.facts))
               if ("clear", context.facts[branch.start]) in branch.done
               and ("clear", context.facts[i]) in branch.done
               and context.facts[i][:2] == (context.facts[branch.start][0], "0")]  # fmt: skip
    return list(dict.fromkeys((_in_logarithms(branch), branch.start, *cleared[:1])))


def _in_logarithms(branch: Branch) -> int:
    """The place of the goal's fact, or of its logarithm if it compares products of powers."""
    context = branch.context
    fact, gap = context.facts[branch.start], context.gap(branch.start)
    atoms = {context.table.atoms[atom][0] for atom in atoms_of([gap])}
    bound = fact[1] if fact[0] in ("<", "<=") else ""
    outer = isinstance(bound, tuple) and bound[0] == "exp"
    if (outer or (len(gap) == 2 and "exp" in atoms)) and (
        branch.tried({"rule": "logarithm", "fact": branch.start}) is False
    ):
        return len(context.facts) - 1
    return branch.start


def _curved_in(context: Context, index: int) -> list[str]:
    """Symbols of a comparison that stand where polynomials end, the most frequent first."""
    found: dict[str, int] = {}
    for part in subterms(term_of(context.table, context.gap(index))):
        if isinstance(part, str) or part[0] not in CURVED:
            continue
        if part[0] == "^" and whole_number(part[2]) is not None:
            continue
        for name in symbols(part):
            found[name] = found.get(name, 0) + 1
    return sorted(found, key=lambda name: (-found[name], name))[:2]


def _from_some_end(branch: Branch, index: int, name: str, close: Close) -> bool:
    ends = list(_ends(branch.context, name))
    for end, side, others in ends:
        if _taken(branch, index, _step(branch, index, name, end, side, others, close)):
            return True
    if _taken(branch, index, _between_ends(branch, index, name, close)):
        return True
    return branch.splits > 0 and _from_contact(branch, index, name, close)


def _taken(branch: Branch, index: int, step: dict[str, object] | None) -> bool:
    """Whether a step shows the reverse of a fact, weakly, and so ends the branch."""
    if step is None or branch.tried(step) is not False:
        return False
    place = len(branch.context.facts) - 1
    products = [["1", None, [index]], ["1", None, [place]]]
    return bool(branch.tried({"rule": "combine", "products": products, "equations": []}))


def _from_contact(branch: Branch, index: int, name: str, close: Close) -> bool:
    """Both sides of a place at which the two sides of a fact meet, or of zero."""
    context = branch.context
    f = term_of(context.table, scaled(context.gap(index), -1))
    try:
        slope = derivative(f, name)
    except Rejected:
        return False
    points = points_of(context, ("+", f, slope), branch.start)
    branch.work.left -= COST
    for place in contacts(f, slope, name, points)[:CONTACTS]:
        sides = [[p for p in points if (gap := value(_minus(("x", name), place), p)) is not None
                  and gap * side > 0] for side in (1, -1)]  # fmt: skip
        if any(negative_somewhere(slope, found, side)
               for found, side in zip(sides, (1, -1), strict=True)):  # fmt: skip
            continue
        if _both_sides(branch, index, name, place, close):
            return True
    return False


def _minus(left: Term, right: Term) -> Term:
    return ("+", left, ("*", "-1", right))


def _both_sides(branch: Branch, index: int, name: str, place: Term, close: Close) -> bool:
    relation: Relation = ("<=", place, ("x", name))
    proofs: list[Steps] = []
    for member, side in ((relation, "from"), (negated(relation), "to")):
        try:
            below = branch.below(member)
        except Rejected:
            return False
        others = [other for end, way, other in _ends(below.context, name) if way == side]
        step = _step(below, index, name, place, side, others[0] if others else
                     _others(below.context, name, side), close)  # fmt: skip
        if not _taken(below, index, step):
            return False
        proofs.append(below.steps)
    return bool(branch.tried({"rule": "split", "on": relation, "yes": proofs[0], "no": proofs[1]}))


def _ends(context: Context, name: str) -> Iterator[tuple[Term, str, list[int]]]:
    """Ends of the domain of a symbol: (end, side, places of facts on the other side)."""
    for side, place in (("from", 1), ("to", 2)):
        seen: set[Term] = set()
        for i in _bounds(context, name, side):
            end = context.facts[i][place]
            if end not in seen and (isinstance(end, str) or end[0] == "x"):
                seen.add(end)
                yield end, side, _others(context, name, side)


def _bounds(context: Context, name: str, side: str) -> list[int]:
    """Facts that bound a symbol from below ("from") or above ("to") by what it is not in."""
    x: Term = ("x", name)
    own, other = (2, 1) if side == "from" else (1, 2)
    return [i for i, f in enumerate(context.facts)
            if f[0] in ("<", "<=") and f[own] == x and name not in symbols(f[other])]  # fmt: skip


def _others(context: Context, name: str, side: str) -> list[int]:
    return _bounds(context, name, "to" if side == "from" else "from")


def _between_ends(
    branch: Branch, index: int, name: str, close: Close
) -> dict[str, object] | None:
    """The step that a fact's reverse, weakly, follows from both ends of a concave expression."""
    context, x = branch.context, ("x", name)
    ends = {side: [end for end, way, _ in _ends(context, name) if way == side]
            for side in ("from", "to")}  # fmt: skip
    if not ends["from"] or not ends["to"]:
        return None
    f = term_of(context.table, scaled(context.gap(index), -1))
    branch.work.left -= COST
    for low, high in itertools.product(ends["from"][:2], ends["to"][:2]):
        between: list[Relation] = [("<=", low, x), ("<=", x, high)]
        try:
            curve = derivative(derivative(f, name), name)
            apart = context.branch(*between, without=name)
            found = _shape(branch, apart, f, name, curve, ("<", "0", curve), close)
            if found is None:
                continue
            proofs = [_shown(branch, context, close, wrong) for wrong in (
                *map(negated, between), *[("<", replaced(f, name, end), "0") for end in (low, high)]
            )]  # fmt: skip
        except Rejected:
            continue
        if None not in proofs:
            return {"rule": "concave", "symbol": name, "term": f, "low": low, "high": high,
                    "inside": proofs[:2], "ends": proofs[2:], "regular": found[:-1],
                    "slope": found[-1]}  # fmt: skip
    return None


def _shown(branch: Branch, context: Context, close: Close, *wrong: Relation) -> Steps | None:
    start = len(context.facts)
    new = Branch(context.branch(*wrong), start, branch.work, [], set(),
                 branch.splits - 1, branch.slopes - 1)  # fmt: skip
    return close(new)


def _shape(
    branch: Branch, apart: Context, f: Term, name: str, slope: Term, wrong: Relation, close: Close
) -> list[Steps] | None:
    """Proofs that f is differentiable, and that a derivative has a sign; None without one."""
    if sum(1 for _ in subterms(slope)) > LONGEST:
        return None
    if negative_somewhere(slope, points_of(apart, slope), 1 if wrong[1] == slope else -1):
        return None
    proofs: list[Steps] = []
    for relation in (*needs(f), *regular(f, name)):
        proof = _shown(branch, apart, close, negated(relation))
        if proof is None:
            return None
        proofs.append(proof)
        apart.add(relation)
    last = _shown(branch, apart, close, wrong)
    return None if last is None else [*proofs, last]


def _step(
    branch: Branch, index: int, name: str, end: Term, side: str, others: list[int], close: Close
) -> dict[str, object] | None:
    """The step that a fact's reverse, weakly, follows from an end; or None."""
    context = branch.context
    branch.work.left -= COST
    f = term_of(context.table, scaled(context.gap(index), -1))
    x: Term = ("x", name)
    here: Relation = ("<=", end, x) if side == "from" else ("<=", x, end)
    try:
        slope = derivative(f, name)
        falls: Relation = ("<", slope, "0") if side == "from" else ("<", "0", slope)
        apart = context.branch(here, *[context.facts[i] for i in others], without=name)
        if negative_somewhere(slope, points_of(apart, slope), 1 if side == "from" else -1):
            return None
        base = _shown(branch, context, close, ("<", replaced(f, name, end), "0"))
        inside = _shown(branch, context, close, negated(here)) if base is not None else None
        if base is None or inside is None:
            return None
        found = _shape(branch, apart, f, name, slope, falls, close)
    except Rejected:
        return None
    if found is None:
        return None
    return {"rule": "monotone", "symbol": name, "term": f, "end": end, "side": side,
            "other": others, "base": base, "inside": inside, "regular": found[:-1],
            "slope": found[-1]}  # fmt: skip
