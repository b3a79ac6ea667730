"""Quadratic polynomials as sums of squares: exact elimination, no solver.

A polynomial of degree two in some atoms is a form in these and 1. If it is nowhere negative, the
pivots of its elimination are squares with nonnegative rational weights.
"""

from __future__ import annotations

from collections.abc import Iterator

from flint import fmpq

from boundcheck.certificates.branches import Branch
from boundcheck.certificates.facts import term_of
from boundcheck.certificates.polynomials import ONE, Monomial, Poly, add_to, added, degree, scaled

ATOMS, HELPERS = 12, 12


def squares(poly: Poly) -> list[tuple[fmpq, Poly]] | None:
    """Weights and polynomials whose weighted squares add up to a polynomial, or None.

    >>> from boundcheck.certificates.polynomials import number
    >>> x = ((0, 1),)
    >>> [(str(w), {m: str(c) for m, c in p.items()}) for w, p in squares(
    ...     {((0, 2),): fmpq(1), x: fmpq(-2), (): fmpq(3)})]
    [('1', {((0, 1),): '1', (): '-1'}), ('2', {(): '1'})]
    >>> squares({((0, 2),): fmpq(1), x: fmpq(-2), (): fmpq(1, 2)}) is None
    True
    """
    found: list[tuple[fmpq, Poly]] = []
    rest = dict(poly)
    atoms = sorted({atom for monomial in rest for atom, _ in monomial})
    if len(atoms) > ATOMS or any(degree(m) > 2 or min((p for _, p in m), default=1) < 0
                                 for m in rest):  # fmt: skip
        return None
    for atom in atoms:
        pivot = rest.get(((atom, 2),), fmpq(0))
        linear: Poly = {_without(m, atom): c / 2 for m, c in rest.items() if dict(m).get(atom) == 1}
        if pivot < 0 or (not pivot and linear):
            return None
        if pivot:
            side = added({((atom, 1),): fmpq(1)}, scaled(linear, 1 / pivot))
            found.append((pivot, side))
            rest = added(rest, scaled(_squared(side), -pivot))
    value = rest.pop(ONE, fmpq(0))
    if rest or value < 0:
        return None
    return [*found, (value, {ONE: fmpq(1)})] if value else found


def _without(monomial: Monomial, atom: int) -> Monomial:
    return tuple(pair for pair in monomial if pair[0] != atom)


def _squared(side: Poly) -> Poly:
    total: Poly = {}
    for m, a in side.items():
        for k, b in side.items():
            joint: dict[int, int] = {}
            for atom, power in (*m, *k):
                joint[atom] = joint.get(atom, 0) + power
            add_to(total, {tuple(sorted(joint.items())): a * b})
    return total


def by_squares(branch: Branch) -> bool:
    """A strict fact of the goal and a multiple of another fact against a sum of squares."""
    context = branch.context
    for place in range(branch.start, len(context.facts)):
        if context.facts[place][0] != "<":
            continue
        against = scaled(context.gap(place), -1)
        for helper, weight in _helpers(branch, place, against):
            rest = against if helper is None else added(
                against, scaled(context.gap(helper), -weight))  # fmt: skip
            found = squares(rest)
            if found is None:
                continue
            products: list[list[object]] = [["1", None, [place]]]
            products += [[str(w), term_of(context.table, side), []] for w, side in found]
            if helper is not None:
                products.append([str(weight), None, [helper]])
            if branch.tried({"rule": "combine", "products": products, "equations": []}):
                return True
    return False


def _helpers(branch: Branch, place: int, against: Poly) -> Iterator[tuple[int | None, fmpq]]:
    """Facts that share a monomial, with the multiple that takes it away."""
    yield None, fmpq(0)
    context, count = branch.context, 0
    for i, fact in enumerate(context.facts):
        if i == place or fact[0] not in ("<", "<=") or count >= HELPERS:
            continue
        gap = context.gap(i)
        weights = {against[m] / c for m, c in gap.items() if m in against}
        count += bool(weights)
        yield from ((i, weight) for weight in sorted(weights) if weight > 0)
