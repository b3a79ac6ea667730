"""Inequalities from one end and the sign of a slope, as often as needed.

What touches at an end of its domain has no room for boxes there; its derivatives do. A bound by an
exponential is taken to logarithms first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from boundcheck.certificates.branches import Branch, Steps
from boundcheck.certificates.facts import Context, term_of
from boundcheck.certificates.polynomials import scaled
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
)

CURVED = ("exp", "log", "sin", "cos", "tanh", "^")
COST, LONGEST = 500, 600  # of one derivative, in columns; parts of one
Close = Callable[[Branch], Steps | None]


def by_slopes(branch: Branch, close: Close) -> bool:
    """Whether a fact of the goal is refuted from an end; the steps are then taken."""
    if branch.slopes <= 0:
        return False
    fact = branch.context.facts[branch.start]
    if fact[0] not in ("<", "<="):
        return False
    return any(
        _from_some_end(branch, index, name, close)
        for index in dict.fromkeys((_in_logarithms(branch), branch.start))
        for name in _curved_in(branch.context.facts[index])
    )


def _in_logarithms(branch: Branch) -> int:
    """The place of the goal's fact, or of its logarithm if it is a bound by an exponential."""
    fact = branch.context.facts[branch.start]
    bound = fact[1] if fact[0] in ("<", "<=") else ""
    if isinstance(bound, tuple) and bound[0] == "exp" and (
        branch.tried({"rule": "logarithm", "fact": branch.start}) is False
    ):
        return len(branch.context.facts) - 1
    return branch.start


def _curved_in(fact: Relation) -> list[str]:
    """Symbols of a comparison that stand where polynomials end, the most frequent first."""
    found: dict[str, int] = {}
    for part in subterms(fact):
        if isinstance(part, str) or part[0] not in CURVED:
            continue
        if part[0] == "^" and isinstance(part[2], str):
            continue
        for name in symbols(part):
            found[name] = found.get(name, 0) + 1
    return sorted(found, key=lambda name: (-found[name], name))[:2]


def _from_some_end(branch: Branch, index: int, name: str, close: Close) -> bool:
    ends = list(_ends(branch.context, name))
    for end, side, others in ends:
        step = _step(branch, index, name, end, side, others, close)
        if step is not None and branch.tried(step) is False:
            place = len(branch.context.facts) - 1
            weak = {"rule": "combine", "equations": [],
                    "products": [["1", None, [index]], ["1", None, [place]]]}  # fmt: skip
            return bool(branch.tried(weak))
    if ends or branch.splits <= 0:
        return False
    return _apart_at_zero(branch, name, close)


def _apart_at_zero(branch: Branch, name: str, close: Close) -> bool:
    relation: Relation = ("<=", "0", ("x", name))
    proofs: list[Steps] = []
    for member in (relation, negated(relation)):
        steps = close(branch.below(member))
        if steps is None:
            return False
        proofs.append(steps)
    return bool(branch.tried({"rule": "split", "on": relation, "yes": proofs[0], "no": proofs[1]}))


def _ends(context: Context, name: str) -> Iterator[tuple[Term, str, list[int]]]:
    """Ends of the domain of a symbol: (end, side, places of facts on the other side)."""
    x: Term = ("x", name)
    low = [i for i, f in enumerate(context.facts) if f[0] in ("<", "<=") and f[2] == x]
    high = [i for i, f in enumerate(context.facts) if f[0] in ("<", "<=") and f[1] == x]
    for side, here, there, place in (("from", low, high, 1), ("to", high, low, 2)):
        seen: set[Term] = set()
        for i in here:
            end = context.facts[i][place]
            others = [j for j in there if name not in symbols(context.facts[j][3 - place])]
            if name not in symbols(end) and end not in seen and isinstance(end, str):
                seen.add(end)
                yield end, side, others


def _step(
    branch: Branch, index: int, name: str, end: Term, side: str, others: list[int], close: Close
) -> dict[str, object] | None:
    """The step that a fact's reverse, weakly, follows from an end; or None."""
    context = branch.context
    branch.work.left -= COST
    f = term_of(context.table, scaled(context.gap(index), -1))
    x: Term = ("x", name)
    here: Relation = ("<=", end, x) if side == "from" else ("<=", x, end)

    def shown(below: Context, *relations: Relation) -> Steps | None:
        start = len(below.facts)
        new = Branch(below.branch(*relations), start, branch.until, branch.work, [], set(),
                     branch.splits - 1, branch.slopes - 1)  # fmt: skip
        return close(new)

    try:
        apart = context.branch(here, *[context.facts[i] for i in others], without=name)
        base = shown(context, ("<", replaced(f, name, end), "0"))
        inside = shown(context, negated(here)) if base is not None else None
        if base is None or inside is None:
            return None
        conditions = []
        for relation in (*needs(f), *regular(f, name)):
            proof = shown(apart, negated(relation))
            if proof is None:
                return None
            conditions.append(proof)
            apart.add(relation)
        slope = derivative(f, name)
        if sum(1 for _ in subterms(slope)) > LONGEST:
            return None
        falls: Relation = ("<", slope, "0") if side == "from" else ("<", "0", slope)
        proof = shown(apart, falls)
    except Rejected:
        return None
    if proof is None:
        return None
    return {"rule": "monotone", "symbol": name, "term": f, "end": end, "side": side,
            "other": others, "base": base, "inside": inside, "regular": conditions,
            "slope": proof}  # fmt: skip
