"""Boxes: a compact domain cut into pieces, found with the balls of the checker."""

from __future__ import annotations

import flint
from flint import arb, fmpq

from boundcheck.certificates import balls, checker
from boundcheck.certificates.branches import Branch
from boundcheck.certificates.facts import Context
from boundcheck.certificates.terms import Rejected, symbols

MOST_BOXES, DEEPEST = 3_000, 40


def boxes(branch: Branch) -> bool:
    """A compact box cut into pieces, most promising first, until some fact fails on each."""
    context = branch.context
    wanted = {name for fact in context.facts[branch.start :] for name in symbols(fact)}
    ends: dict[str, tuple[fmpq, fmpq]] = {}
    rows: list[list[object]] = []
    for name in sorted(wanted):
        found = _ends(context, name)
        if found is None:
            return False
        rows.append([name, *found[1]])
        ends[name] = found[0]
    tree = _cut(branch, ends) if ends else None
    return tree is not None and bool(branch.tried({"rule": "boxes", "ends": rows, "tree": tree}))


Ends = tuple[fmpq, fmpq]


def _ends(context: Context, name: str) -> tuple[Ends, tuple[int, int]] | None:
    """The tightest numbers between which facts put a symbol, and the places of those facts."""
    low: list[tuple[fmpq, int]] = []
    high: list[tuple[fmpq, int]] = []
    for i, fact in enumerate(context.facts):
        if symbols(fact) != {name}:
            continue
        for side, found in ((1, low), (-1, high)):
            try:
                found.append((checker.end_of(context, name, i, side), i))
            except Rejected:
                continue
    if not low or not high:
        return None
    (a, i), (b, j) = max(low), min(high)
    return ((a, b), (i, j)) if a <= b else None


def _cut(branch: Branch, ends: dict[str, Ends]) -> object | None:
    facts = [(i, f) for i, f in enumerate(branch.context.facts) if symbols(f) <= set(ends)]
    facts.sort(key=lambda item: item[0] < branch.start)
    widths = {name: high - low for name, (low, high) in ends.items() if high > low}
    left = MOST_BOXES

    def piece(here: dict[str, Ends], depth: int) -> object | None:
        nonlocal left
        left -= 1
        if left < 0 or depth > DEEPEST or branch.exhausted():
            return None
        values = {name: arb(low).union(arb(high)) for name, (low, high) in here.items()}
        for i, fact in facts:
            if balls.truth(fact, values) is False:
                return i
        if not widths:
            return None
        name = max(widths, key=lambda n: (here[n][1] - here[n][0]) / widths[n])
        low, high = here[name]
        middle = (low + high) / 2
        first = piece({**here, name: (low, middle)}, depth + 1)
        second = None if first is None else piece({**here, name: (middle, high)}, depth + 1)
        return None if second is None else [name, first, second]

    before, flint.ctx.prec = flint.ctx.prec, checker.BITS
    try:
        return piece(ends, 0)
    finally:
        flint.ctx.prec = before
