"""Search for a sum whose terms are what a goal adds up.

A goal D >= 0 that is a sum over one index follows from its terms, each at least zero at any place.
Terms with a factor of known sign follow from the rest; what is left may be a sum again.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from flint import fmpq

from boundcheck.certificates.branches import Branch, Steps, linear, shown
from boundcheck.certificates.facts import atom_term, term_of
from boundcheck.certificates.linear import QUICK, Work
from boundcheck.certificates.means import INSIDE, Close, Mean, at_slot, by_weight, said, weighted
from boundcheck.certificates.polynomials import Monomial, Poly, key_of, scaled
from boundcheck.certificates.terms import Rejected, Relation, Term

DEPTHS, WAYS, LONGEST = 3, 12, 24
SHARE = 2  # of the work left, for this way
Kind = tuple[str, str | None]  # size and law


def unsummed(branch: Branch, close: Close) -> bool:
    """The goal from the terms of a sum that it is."""
    depth, shared = _depth(branch), branch.work
    if depth >= DEPTHS:
        return False
    branch.work = Work(shared.left if depth else shared.left // SHARE)
    before = branch.work.left
    try:
        return _tried(branch, depth, close)
    finally:
        shared.left -= before - branch.work.left
        branch.work = shared


def _tried(branch: Branch, depth: int, close: Close) -> bool:
    for place in range(branch.start, len(branch.context.facts)):
        fact = branch.context.facts[place]
        if fact[0] != "<" or ("unsummed", place) in branch.done:
            continue
        branch.done.add(("unsummed", place))
        goal = scaled(branch.context.gap(place), -1)
        less = _without_squares(branch, goal)
        for one in (goal, less) if less else (goal,):
            if 0 < len(one) <= LONGEST and _from_terms(branch, one, depth, close):
                return True
    return False


def _depth(branch: Branch) -> int:
    return max((int(mark[1]) for mark in branch.done
                if isinstance(mark, tuple) and mark[0] == "depth"), default=0)  # fmt: skip


def _from_terms(branch: Branch, goal: Poly, depth: int, close: Close) -> bool:
    index = f"u{depth}"
    for size, law in _kinds(branch, goal):
        for function in _functions(branch, goal, (size, law), index):
            if branch.exhausted():
                return False
            mean = Mean("0", size, law, function, index)
            closing = by_weight(mean, function, lambda below: factored(below, close))
            marks = {INSIDE, ("depth", depth + 1)}
            if said(branch, weighted(mean, function, index), closing, marks=marks):
                return linear(branch, QUICK)
    return False


def _without_squares(branch: Branch, goal: Poly) -> Poly:
    """A goal without squares of sums, which are said apart; empty if there are none."""
    normal, table = branch.context.normal, branch.context.table
    rest: Poly = {}
    for monomial, value in goal.items():
        part: Poly = {monomial: value}
        squares = any(table.atoms[a][0] == "sum" and p % 2 == 0 for a, p in monomial)
        if not squares or not normal.sign(part):
            rest[monomial] = value
    if len(rest) == len(goal):
        return {}
    for monomial in sorted(set(goal) - set(rest)):
        shown(branch, ("<=", "0", term_of(table, {monomial: goal[monomial]})))
    return rest


def _kinds(branch: Branch, goal: Poly) -> list[Kind]:
    """Sizes of sums in a goal, with the laws that weigh them."""
    found: dict[Kind, None] = {}
    table = branch.context.table
    for monomial in goal:
        for atom, _ in monomial:
            if table.atoms[atom][0] != "sum":
                continue
            _, sizes, factors = table.atoms[atom]
            for term, power in factors:  # type: ignore[attr-defined]
                law = term[1] if term[0] == "at" and len(term) == 3 and power == 1 else None
                if law in branch.context.signs.laws:
                    found[branch.context.signs.laws[law], law] = None
            for size in sizes:  # type: ignore[attr-defined]
                found[size, None] = None
    return sorted(found, key=lambda kind: kind[1] is None)


def _functions(branch: Branch, goal: Poly, kind: Kind, index: str) -> Iterator[Term]:
    """What a goal may be the sum of, over an index of a kind."""
    choices = [_bodies(branch, monomial, value, kind, index) for monomial, value in goal.items()]
    seen: set[object] = set()
    for chosen in itertools.islice(itertools.product(*choices), WAYS):
        try:
            poly = branch.context.normal.of(("+", *chosen))
        except Rejected:
            continue
        if poly and key_of(poly) not in seen:
            seen.add(key_of(poly))
            yield term_of(branch.context.table, poly)


def _bodies(
    branch: Branch, monomial: Monomial, value: fmpq, kind: Kind, index: str
) -> list[Term]:
    """The term of a sum that one product may be; a product of no such sum is shared out."""
    size, law = kind
    table, found = branch.context.table, []
    for atom, power in monomial:
        if table.atoms[atom][0] != "sum" or power != 1:
            continue
        rest = term_of(table, {tuple(p for p in monomial if p[0] != atom): value})
        _, sizes, factors = table.atoms[atom]
        each: Term
        for slot, each in enumerate(sizes):  # type: ignore[arg-type]
            weight: Term = ("at", law, f"#{slot}") if law else ""
            if each != size or (law and (weight, 1) not in factors):  # type: ignore[operator]
                continue
            kept = [(t, p) for t, p in factors if t != weight]  # type: ignore[attr-defined]
            found.append(("*", rest, at_slot(sizes, kept, slot, index)))  # type: ignore[arg-type]
    whole = term_of(table, {monomial: value})
    shared: Term = whole if law else ("*", whole, ("^", ("x", size), "-1"))
    return list(dict.fromkeys(found)) or [shared]


def factored(branch: Branch, close: Close) -> Steps | None:
    """Close 'product < 0' by the signs of its factors, else in any way."""
    context, place = branch.context, len(branch.context.facts) - 1
    poly = context.gap(place)
    common = _common(branch, scaled(poly, -1))
    if not common:
        return close(branch)
    square: Monomial = tuple((atom, power // 2) for atom, power in common)
    rest: Poly = {}
    for monomial, value in poly.items():
        powers = dict(monomial)
        left = {atom: powers[atom] - power for atom, power in common}
        rest[tuple(sorted((a, p) for a, p in {**powers, **left}.items() if p))] = -value
    left_over = term_of(context.table, rest)
    wanted: Relation = ("<=", "0", left_over)
    below = branch.below(("<", left_over, "0"))
    below.start = len(context.facts)
    steps = close(below)
    if steps is None:
        return None
    branch.tried({"rule": "have", "fact": wanted, "proof": steps})
    side = ("*", "1", *[_power(branch, atom, power) for atom, power in square])
    products = [["1", None, [place]], ["1", side, [len(branch.context.facts) - 1]]]
    ended = branch.tried({"rule": "combine", "products": products, "equations": []})
    return branch.steps if ended else None


def _common(branch: Branch, poly: Poly) -> list[tuple[int, int]]:
    """Even powers of atoms that all terms of a polynomial have."""
    first, *others = poly or {(): fmpq(0)}
    found = []
    for atom, power in first:
        least = min([power, *[dict(m).get(atom, 0) for m in others]])
        if least >= 2:
            found.append((atom, least - least % 2))
    return found


def _power(branch: Branch, atom: int, power: int) -> Term:
    term = atom_term(branch.context.table, atom)
    return term if power == 1 else ("^", term, str(power))
