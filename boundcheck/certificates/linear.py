"""Combinations of facts that add up to a contradiction, by linear programming and exact solution.

Products of a few facts, squares of binomials and multiples of equations are columns, monomials are
rows. A vertex found in floats names the columns; their weights are then solved for in rationals.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flint import fmpq, fmpq_mat

from boundcheck.certificates.facts import Context, term_of
from boundcheck.certificates.polynomials import Monomial, Poly, atoms_of, constant, degree, scaled
from boundcheck.certificates.terms import Rejected

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

COLUMNS, ROWS, BASIS, ITERATIONS = 2_500, 3_000, 20, 4_000


@dataclass(frozen=True)
class Column:
    """What may be added: a product of facts, with a square, or a multiple of an equation.

    Args: facts: their places. square: what is squared; factor: what an equation is multiplied by.
    """

    poly: Poly
    facts: tuple[int, ...]
    strict: bool
    square: Poly | None = None
    factor: Poly | None = None


@dataclass(frozen=True)
class Effort:
    """How far columns go.

    Args: products: facts in one. degree: highest, of a product. multipliers: degree of what an
    equation is multiplied by. squares: degree of the monomials whose sums are squared, 0 for none.
    """

    products: int
    degree: int
    multipliers: int = 0
    squares: int = 0


EFFORTS = (
    Effort(1, 6, 0), Effort(2, 8, 1), Effort(2, 8, 2, 1), Effort(3, 8, 3, 2), Effort(3, 12, 4, 3),
)  # fmt: skip
QUICK = EFFORTS[:2]


def relevant(context: Context, start: int) -> list[int]:
    """Comparisons that share atoms with facts from `start` on, directly or through others."""
    gaps = {i: context.gap(i) for i, fact in enumerate(context.facts)
            if fact[0] in ("<", "<=", "=")}  # fmt: skip
    reached = atoms_of(gaps[i] for i in gaps if i >= start)
    kept = {i for i in gaps if i >= start}
    for _ in range(len(gaps)):
        more = {i for i in set(gaps) - kept if atoms_of([gaps[i]]) & reached}
        if not more:
            break
        kept |= more
        reached |= atoms_of(gaps[i] for i in more)
    return sorted(i for i in kept if constant(gaps[i]) is None or i >= start)


def columns(context: Context, indices: Sequence[int], effort: Effort) -> Iterator[Column]:
    """Everything that may be added up, within an effort."""
    normal = context.normal
    kinds = {i: context.facts[i][0] for i in indices}
    gaps = {i: context.gap(i) for i in indices}
    ordered = [i for i in indices if kinds[i] != "=" and gaps[i]]
    high = {i: max((degree(m) for m in gaps[i]), default=0) for i in indices}
    found: dict[tuple[int, ...], Poly] = {}
    for count in range(1, effort.products + 1):
        for chosen in itertools.combinations_with_replacement(ordered, count):
            if sum(high[i] for i in chosen) > effort.degree and count > 1:
                continue
            poly = gaps[chosen[0]] if count == 1 else normal.product(
                found[chosen[:-1]], gaps[chosen[-1]]) if chosen[:-1] in found else None  # fmt: skip
            if poly is None:
                continue
            found[chosen] = poly
            yield Column(poly, chosen, all(kinds[i] == "<" for i in chosen))
    monomials = _monomials(list(found.values()) + [gaps[i] for i in indices])
    for i in indices:
        if kinds[i] == "=" and gaps[i]:
            for monomial in monomials:
                if degree(monomial) <= effort.multipliers:
                    factor: Poly = {monomial: fmpq(1)}
                    yield Column(normal.product(gaps[i], factor), (i,), False, factor=factor)
    if effort.squares:
        yield from _squares(context, monomials, ordered, effort)


def _monomials(polys: list[Poly]) -> list[Monomial]:
    return sorted({m for poly in polys for m in poly} | {()}, key=lambda m: (degree(m), m))


def _squares(
    context: Context, monomials: list[Monomial], ordered: list[int], effort: Effort
) -> Iterator[Column]:
    atoms = sorted({atom for m in monomials for atom, _ in m})
    whole = [tuple(sorted(Counter(chosen).items())) for count in range(effort.squares + 1)
             for chosen in itertools.combinations_with_replacement(atoms, count)]  # fmt: skip
    basis = whole if len(whole) <= BASIS else [
        m for m in monomials if degree(m) <= effort.squares][:BASIS]  # fmt: skip
    normal, gaps = context.normal, {i: context.gap(i) for i in ordered}
    low = [i for i in ordered if max(map(degree, gaps[i])) + 2 * effort.squares <= effort.degree]
    for left, right in itertools.combinations_with_replacement(basis, 2):
        for sign in (1, -1) if left != right else (0,):
            side: Poly = {left: fmpq(1)}
            if sign:
                side[right] = fmpq(sign)
            square = normal.product(side, side)
            yield Column(square, (), False, square=side)
            for i in low:
                yield Column(normal.product(square, gaps[i]), (i,), False, square=side)


@dataclass
class Work:
    """Columns that one search may still make: counted, so that no clock decides."""

    left: int


def combination(
    context: Context, indices: Sequence[int], effort: Effort, work: Work
) -> dict[str, object] | None:
    """A step that ends a branch by a combination of facts, or None within this effort."""
    try:
        found = list(itertools.islice(columns(context, indices, effort), COLUMNS))
    except Rejected:
        return None
    work.left -= len(found)
    found.append(Column({(): fmpq(1)}, (), True))
    weights = solved(found)
    return None if weights is None else _step(context, found, weights)


def solved(found: Sequence[Column]) -> dict[int, fmpq] | None:
    """Exact weights under which columns add up to zero, those of strict ones to one; or None."""
    import numpy
    from scipy.optimize import linprog
    from scipy.sparse import csr_matrix

    rows = {m: k for k, m in enumerate(_monomials([c.poly for c in found]))}
    if len(rows) > ROWS:
        return None
    i, j, v = _entries(found, rows)
    matrix = csr_matrix((v, (i, j)), shape=(len(rows) + 1, len(found)))
    target = numpy.zeros(len(rows) + 1)
    target[-1] = 1.0
    free = [(None, None) if c.factor is not None else (0, None) for c in found]
    cost = numpy.array([0.0 if c.factor is not None else 1.0 + len(c.facts) for c in found])
    result = linprog(cost, A_eq=matrix, b_eq=target, bounds=free, method="highs-ds",
                     options={"maxiter": ITERATIONS})  # fmt: skip
    if result.status != 0:
        return None
    for least in (1e-9, 1e-7, 1e-11):
        chosen = [k for k, value in enumerate(result.x) if abs(value) > least]
        weights = _exact(found, chosen)
        if weights is not None:
            return weights
    return None


def _entries(
    found: Sequence[Column], rows: Mapping[Monomial, int]
) -> tuple[NDArray[numpy.intp], NDArray[numpy.intp], NDArray[numpy.float64]]:
    """(row, column, value) of every coefficient, columns scaled to at most one; last, the row of
    strict columns.
    """
    import numpy

    i: list[int] = []
    j: list[int] = []
    v: list[float] = []
    for place, column in enumerate(found):
        values = [float(value) for value in column.poly.values()]
        scale = max(map(abs, values), default=1.0)
        i += [rows[m] for m in column.poly]
        j += [place] * len(values)
        v += [value / scale for value in values]
    strict = [place for place, column in enumerate(found) if column.strict]
    i, j, v = i + [len(rows)] * len(strict), j + strict, v + [1.0] * len(strict)
    return numpy.array(i), numpy.array(j), numpy.array(v)


def _exact(found: Sequence[Column], chosen: list[int]) -> dict[int, fmpq] | None:
    """Weights of some columns that add up exactly, nonnegative where they must be."""
    monomials = _monomials([found[k].poly for k in chosen])
    table = [[found[k].poly.get(m, fmpq(0)) for k in chosen] + [fmpq(0)] for m in monomials]
    table.append([fmpq(int(found[k].strict)) for k in chosen] + [fmpq(1)])
    reduced, rank = fmpq_mat(table).rref()
    weights = dict.fromkeys(chosen, fmpq(0))
    for row in range(rank):
        entries = [reduced[row, k] for k in range(len(chosen) + 1)]
        first = next(k for k, value in enumerate(entries) if value)
        if first == len(chosen):
            return None
        weights[chosen[first]] = entries[-1]
    if any(weights[k] < 0 and found[k].factor is None for k in chosen):
        return None
    return {k: value for k, value in weights.items() if value}


def _step(
    context: Context, found: Sequence[Column], weights: dict[int, fmpq]
) -> dict[str, object]:
    products: list[list[object]] = []
    equations: dict[int, list[Poly]] = {}
    for k, weight in weights.items():
        column = found[k]
        if column.factor is not None:
            equations.setdefault(column.facts[0], []).append(scaled(column.factor, weight))
        elif column.facts or column.square is not None:
            square = None if column.square is None else term_of(context.table, column.square)
            products.append([str(weight), square, list(column.facts)])
    rows = [[term_of(context.table, _total(parts)), i] for i, parts in equations.items()]
    return {"rule": "combine", "products": products, "equations": rows}


def _total(parts: list[Poly]) -> Poly:
    from boundcheck.certificates.polynomials import added

    return added(*parts)
