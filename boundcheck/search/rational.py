"""Rational solutions of linear systems and of polynomials in one unknown."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from flint import fmpq, fmpq_mat, fmpq_poly

LONGEST = 400  # bits of a number worth a look


def solutions(rows: list[list[fmpq]], asked: list[fmpq]) -> Iterator[list[fmpq]]:
    """Steps that solve a linear system: the shortest, then such that move few entries."""
    count = len(rows[0])
    kept, sides = _independent(rows, asked)
    if kept is None or not kept:
        return
    matrix = fmpq_mat(len(kept), count, [entry for row in kept for entry in row])
    gram = matrix * matrix.transpose()
    if gram.det():
        short = matrix.transpose() * gram.solve(fmpq_mat(len(kept), 1, sides))
        yield list(short.entries())
    for first in range(count if count > len(kept) else 0):
        chosen = [(first + place) % count for place in range(len(kept))]
        square = fmpq_mat(len(kept), len(kept), [row[c] for row in kept for c in chosen])
        if square.det():
            few = square.solve(fmpq_mat(len(kept), 1, sides)).entries()
            steps = [fmpq(0)] * count
            for place, step in zip(chosen, few, strict=True):
                steps[place] = step
            yield steps


def _independent(
    rows: list[list[fmpq]], asked: list[fmpq]
) -> tuple[list[list[fmpq]] | None, list[fmpq]]:
    """Independent rows of a system with their sides; None where it has no solution."""
    count = len(rows[0])
    flat = [entry for row, side in zip(rows, asked, strict=True) for entry in (*row, side)]
    reduced, rank = fmpq_mat(len(rows), count + 1, flat).rref()
    kept = [[reduced[i, j] for j in range(count)] for i in range(rank)]
    if any(not any(row) for row in kept):
        return None, []
    return kept, [reduced[i, count] for i in range(rank)]


def polynomial_through(values: list[fmpq]) -> fmpq_poly | None:
    """The polynomial with these values at 0, 1, 2, ... if one value more than needed fits it."""
    count = len(values)
    if count < 3:
        return None
    total, basis = fmpq_poly([0]), fmpq_poly([1])
    row, last = list(values), fmpq(0)
    for order in range(count):
        last = row[0]
        total += basis * last
        row = [(b - a) / (order + 1) for a, b in itertools.pairwise(row)]
        basis *= fmpq_poly([-order, 1])
    return total if not last and total.degree() > 0 else None


def rational_roots(line: fmpq_poly) -> list[fmpq]:
    """Rational roots, the smallest first."""
    _, factors = line.numer().factor()
    roots = [fmpq(-factor[0]) / fmpq(factor[1]) for factor, _ in factors if factor.degree() == 1]
    return sorted(roots, key=lambda root: (abs(root), root))


def is_short(number: Any) -> bool:
    """Whether a number has few enough digits for arithmetic to stay quick."""
    ratio = fmpq(number)
    return int(ratio.p).bit_length() + int(ratio.q).bit_length() <= LONGEST
