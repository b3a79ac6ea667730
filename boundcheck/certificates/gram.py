"""Positivstellensatz refutations: squares times products of facts that add up to a contradiction.

A semidefinite program gives Gram matrices in floats. What is singular is reduced to the face it
lies on, said in rationals, until the rest has room; then the numbers are rounded, moved exactly
onto the equations, and their squares read off by elimination. The checker sees the sum alone.

Source: Parrilo, Mathematical Programming 96 (2003) 293-320; Peyrl and Parrilo, Theoretical
Computer Science 409 (2008) 269-281.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from flint import fmpq

from boundcheck.certificates.branches import Branch
from boundcheck.certificates.facts import Context, term_of
from boundcheck.certificates.linear import relevant
from boundcheck.certificates.polynomials import Monomial, Poly, added, atoms_of, degree, scaled
from boundcheck.certificates.rounding import exact_point, face, squares_of
from boundcheck.certificates.semidefinite import Program, matrices, solve
from boundcheck.certificates.terms import Rejected, Relation, negated

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

FACTS, ATOMS, HIGHEST = 8, 6, 12
COST = 2  # of an unknown, in columns of linear programs
ENTRIES, ROWS, FACES, BITS = 1_200, 300, 4, (12, 24, 40)
PRODUCTS = 12_000  # of monomials, before any is known to cancel
ROOM = 1e-9  # least eigenvalue against the largest entry, before squares are read off
SMALLEST = (1e-4, 1e-6, 1e-3)  # eigenvalues taken for zero, against the largest
LEVELS = ((2, 0), (3, 2))  # facts in a product, degree beyond the highest fact
AWAY, AT_ZERO = ((2, 2), (3, 2)), ((2, 0),)
UNIT: Poly = {(): fmpq(1)}


@dataclass(frozen=True)
class Block:
    """What a product of facts is multiplied by: squares over a basis, or a positive number.

    Args: facts: their places. poly: their product. weight: whether it is a number, and the
    product positive; these numbers add up to one.
    """

    facts: tuple[int, ...]
    poly: Poly
    basis: tuple[Poly, ...]
    weight: bool = False


@dataclass(frozen=True)
class Sought:
    """A sum that is to vanish: blocks, and products of equations with monomials."""

    context: Context
    blocks: tuple[Block, ...]
    equations: tuple[tuple[int, Poly, Poly], ...]

    def columns(self) -> list[Poly]:
        """What every unknown is multiplied by."""
        return [poly for block in self.blocks for poly in _triangle(self.context, block)] + [
            product for _, _, product in self.equations]  # fmt: skip

    def sizes(self) -> tuple[int, ...]:
        """Of the Gram matrices."""
        return tuple(len(block.basis) for block in self.blocks)


def by_gram(branch: Branch) -> bool:
    """Whether squares times facts add up to a contradiction; the step is then taken.

    What vanishes at zero is tried away from it too, and zero apart.
    """
    if ("gram",) in branch.done:
        return False
    branch.done.add(("gram",))
    return any(_at(branch, level) for level in LEVELS) or _apart_at_zero(branch)


def _at(branch: Branch, level: tuple[int, int]) -> bool:
    if branch.exhausted():
        return False
    try:
        sought = _sought(branch, *level)
        step = None if sought is None else _refutation(branch, sought)
    except Rejected:
        return False
    return step is not None and bool(branch.tried(step))


def _apart_at_zero(branch: Branch) -> bool:
    context, gaps = branch.context, _gaps(branch)
    goals = [gap for i, gap in gaps.items() if i >= branch.start]
    atoms = sorted(atoms_of(gaps.values()))
    if branch.splits <= 0 or not goals or len(atoms) > ATOMS or any(() in gap for gap in goals):
        return False
    if any(context.normal.atom_sign(atom) == 2 for atom in atoms):
        return False
    size = term_of(context.table, {((atom, 2),): fmpq(1) for atom in atoms})
    away: Relation = ("<", "0", size)
    sides = branch.below(away), branch.below(negated(away))
    if not all(any(_at(side, level) for level in found)
               for side, found in zip(sides, (AWAY, AT_ZERO), strict=True)):  # fmt: skip
        return False
    yes, no = sides[0].steps, sides[1].steps
    return bool(branch.tried({"rule": "split", "on": away, "yes": yes, "no": no}))


# What may be added.


def _sought(branch: Branch, products: int, more: int) -> Sought | None:
    context = branch.context
    gaps = _gaps(branch)
    if not gaps:
        return None
    atoms = sorted(atoms_of(gaps.values()))
    high = max(max(map(degree, gap)) for gap in gaps.values())
    even = all(len({degree(m) for m in gap}) == 1 for gap in gaps.values())
    top = high + more + (0 if even else high % 2)
    if len(atoms) > ATOMS or top > HIGHEST:
        return None
    kinds = {i: str(context.facts[i][0]) for i in gaps}
    blocks: list[Block] = []
    for chosen, poly in _products(context, gaps, kinds, products, top):
        if all(kinds[i] == "<" for i in chosen):
            blocks.append(Block(chosen, poly, (UNIT,), True))
        left = top - max(map(degree, poly))
        basis = tuple({m: fmpq(1)} for m in _monomials(atoms, left // 2)
                      if not even or 2 * degree(m) == left)  # fmt: skip
        if basis:
            blocks.append(Block(chosen, poly, basis))
    equations = [
        (i, {m: fmpq(1)}, context.normal.product(gap, {m: fmpq(1)}))
        for i, gap in gaps.items() if kinds[i] == "="
        for m in _monomials(atoms, top - max(map(degree, gap)))
    ]
    if sum(len(b.basis) * (len(b.basis) + 1) * len(b.poly) for b in blocks) > PRODUCTS:
        return None
    found = _trimmed(Sought(context, tuple(blocks), tuple(equations)))
    unknowns = sum(n * (n + 1) // 2 for n in found.sizes()) + len(equations)
    return found if unknowns <= ENTRIES else None


def _gaps(branch: Branch) -> dict[int, Poly]:
    """Facts about polynomials that matter to the goal, the goal's own first."""
    context = branch.context
    places = relevant(context, branch.start)
    places.sort(key=lambda i: (i < branch.start, i))
    found: dict[int, Poly] = {}
    for i in places:
        gap = context.gap(i)
        plain = all(power > 0 for m in gap for _, power in m)
        if gap and plain and gap not in found.values() and len(found) < FACTS:
            found[i] = gap
    return found if any(i >= branch.start for i in found) else {}


def _products(
    context: Context, gaps: dict[int, Poly], kinds: dict[int, str], most: int, top: int
) -> Iterator[tuple[tuple[int, ...], Poly]]:
    yield (), UNIT
    places = [i for i in gaps if kinds[i] != "="]
    for count in range(1, most + 1):
        for chosen in itertools.combinations(places, count):
            if sum(max(map(degree, gaps[i])) for i in chosen) > top:
                continue
            poly = UNIT
            for i in chosen:
                poly = context.normal.product(poly, gaps[i])
            yield chosen, poly


def _monomials(atoms: Sequence[int], most: int) -> list[Monomial]:
    return [tuple(sorted(Counter(chosen).items())) for count in range(most + 1)
            for chosen in itertools.combinations_with_replacement(atoms, count)]  # fmt: skip


def _trimmed(sought: Sought) -> Sought:
    """Without monomials whose square nothing else could cancel, as Newton polytopes tell."""
    while True:
        signs: dict[Monomial, set[int]] = {}
        for block in sought.blocks:
            for i, j, poly in _pairs(sought.context, block):
                for m, c in poly.items():
                    signs.setdefault(m, set()).update({1, -1} if i != j else {1 if c > 0 else -1})
        for _, _, poly in sought.equations:
            for m in poly:
                signs.setdefault(m, set()).update({1, -1})
        alone = {m for m, found in signs.items() if len(found) == 1}
        blocks = [_without(sought.context, block, alone) for block in sought.blocks]
        kept = tuple(block for block in blocks if block.basis)
        if kept == sought.blocks:
            return sought
        sought = replace(sought, blocks=kept)


def _without(context: Context, block: Block, alone: set[Monomial]) -> Block:
    kept = tuple(b for b in block.basis
                 if not alone & set(_product(context, block.poly, b, b)))  # fmt: skip
    return replace(block, basis=kept)


def _product(context: Context, *polys: Poly) -> Poly:
    total = UNIT
    for poly in polys:
        total = context.normal.product(total, poly)
    return total


def _pairs(context: Context, block: Block) -> Iterator[tuple[int, int, Poly]]:
    for i, left in enumerate(block.basis):
        part = context.normal.product(block.poly, left)
        for j in range(i + 1):
            yield i, j, context.normal.product(part, block.basis[j])


def _triangle(context: Context, block: Block) -> list[Poly]:
    return [scaled(poly, 1 if i == j else 2) for i, j, poly in _pairs(context, block)]


# Solving, reducing, rounding.


def _refutation(branch: Branch, sought: Sought) -> dict[str, object] | None:
    """A step with exact squares, or None."""
    for least in SMALLEST:
        reduced: Sought | None = sought
        for _ in range(FACES):
            if reduced is None or branch.exhausted():
                break
            columns = reduced.columns()
            branch.work.left -= COST * len(columns)
            program, rows, right = _equations(reduced, columns)
            values = None if program is None else solve(program)
            if values is None:
                break
            for bits in BITS:
                point = exact_point(rows, right, [float(v) for v in values], bits)
                step = None if point is None else _step(reduced, point)
                if step is not None:
                    return step
            reduced = _reduced(reduced, matrices(reduced.sizes(), values), least)
        if values is None and reduced is sought:
            return None
    return None


def _equations(
    sought: Sought, columns: list[Poly]
) -> tuple[Program | None, list[tuple[tuple[int, fmpq], ...]], list[fmpq]]:
    """The program in floats and the same equations in rationals."""
    table: dict[Monomial, list[tuple[int, fmpq]]] = {}
    for k, poly in enumerate(columns):
        for m, c in poly.items():
            table.setdefault(m, []).append((k, c))
    weights, start = [], 0
    for block in sought.blocks:
        if block.weight:
            weights.append((start, fmpq(1)))
        start += len(block.basis) * (len(block.basis) + 1) // 2
    rows = [tuple(table[m]) for m in sorted(table)] + [tuple(weights)]
    right = [fmpq(0)] * len(table) + [fmpq(1)]
    if not weights or len(rows) > ROWS:
        return None, rows, right
    entries = tuple((i, k, float(c)) for i, row in enumerate(rows) for k, c in row)
    program = Program(
        sought.sizes(), len(sought.equations), entries, tuple(float(b) for b in right)
    )
    return program, rows, right


def _reduced(
    sought: Sought, grams: Sequence[NDArray[numpy.float64]], least: float
) -> Sought | None:
    """The same on the faces on which the Gram matrices lie; None if nothing is smaller."""
    import numpy

    largest = max(float(numpy.abs(gram).max()) for gram in grams)
    blocks: list[Block] = []
    for block, gram in zip(sought.blocks, grams, strict=True):
        span = face(gram, least * largest)
        if span is None:
            blocks.append(block)
            continue
        basis = tuple(
            added(*[scaled(b, c) for b, c in zip(block.basis, vector, strict=True)])
            for vector in span
        )
        if basis:
            blocks.append(replace(block, basis=basis))
    smaller = replace(sought, blocks=tuple(blocks))
    return smaller if sum(smaller.sizes()) < sum(sought.sizes()) else None


def _step(sought: Sought, point: list[fmpq]) -> dict[str, object] | None:
    """The step that a point says, None where a Gram matrix has no room in floats."""
    import numpy

    floats = numpy.array([float(x) for x in point])
    if any(_least(gram) <= ROOM * abs(gram).max() for gram in matrices(sought.sizes(), floats)):
        return None
    return _combination(sought, point)


def _least(gram: NDArray[numpy.float64]) -> float:
    import numpy

    return float(numpy.linalg.eigvalsh(gram)[0])


def _combination(sought: Sought, point: list[fmpq]) -> dict[str, object] | None:
    table = sought.context.table
    products: list[list[object]] = []
    start = 0
    for block in sought.blocks:
        n = len(block.basis)
        gram = [[point[start + max(i, j) * (max(i, j) + 1) // 2 + min(i, j)] for j in range(n)]
                for i in range(n)]  # fmt: skip
        start += n * (n + 1) // 2
        found = squares_of(gram)
        if found is None:
            return None
        for weight, vector in found:
            side = added(*[scaled(b, c) for b, c in zip(block.basis, vector, strict=True)])
            square = None if block.weight else term_of(table, side)
            products.append([str(weight), square, list(block.facts)])
    by: dict[int, Poly] = {}
    for (place, factor, _), value in zip(sought.equations, point[start:], strict=True):
        by[place] = added(by.get(place, {}), scaled(factor, value))
    rows = [[term_of(table, poly), place] for place, poly in by.items() if poly]
    return {"rule": "combine", "products": products, "equations": rows}
