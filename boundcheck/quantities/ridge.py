"""Kernel ridge regression at all points of a finite design, with the kernel or drawn features.

phi (m x K) holds the values of K features at m points, tau (K) their weights, sample (n) the
training set as indices, y (n) targets; a table is an m x m kernel matrix of all points. The
penalty of the n x n system is n lambda.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

from flint import fmpq, fmpq_mat

from boundcheck.balls import solved
from boundcheck.quantities.operators import column, diagonal, identity


def table_of_counts(phi: Any, counts: Any) -> fmpq_mat:
    """(1/s) sum_l psi(x_a; v_l) psi(x_b; v_l) when feature k was drawn counts[k] times."""
    total = sum(counts)
    return phi * diagonal([fmpq(number, total) for number in counts]) * phi.transpose()


def block(table: Any, rows: Any, columns: Any) -> Any:
    """The part of a table at row and column indices, repeats allowed."""
    picked = [table[int(i), int(j)] for i in rows for j in columns]
    return type(table)(len(rows), len(columns), picked)


def shifted(gram: Any, lambda_: Any) -> Any:
    """gram + n lambda I."""
    size = gram.nrows()
    return gram + type(gram)(identity(size)) * (size * fmpq(lambda_))


def ridge_solution(gram: Any, y: Any, lambda_: Any) -> Any:
    """alpha = (gram + n lambda I)^-1 y (n x 1)."""
    return solved(shifted(gram, lambda_), column(y))


def ridge_norm(gram: Any, alpha: Any) -> Any:
    """||K^(1/2) alpha||^2 = alpha^T K alpha for alpha (n x 1)."""
    return (alpha.transpose() * gram * alpha)[0, 0]


def feature_draws(tau: Any, s: Any) -> Iterator[tuple[fmpq, tuple[int, ...]]]:
    """Probability and counts of every multiset of s independent features.

    >>> [(str(p), c) for p, c in feature_draws((fmpq(1, 2), fmpq(1, 2)), 2)]
    [('1/4', (2, 0)), ('1/2', (1, 1)), ('1/4', (0, 2))]
    """
    atoms = [k for k, weight in enumerate(tau) if weight]
    for chosen in itertools.combinations_with_replacement(atoms, int(s)):
        counts = tuple(chosen.count(k) for k in range(len(tau)))
        probability, left = fmpq(1), int(s)
        for k in atoms:
            probability *= math.comb(left, counts[k]) * fmpq(tau[k]) ** counts[k]
            left -= counts[k]
        yield probability, counts


def predictions(table: Any, sample: Any, y: Any, lambda_: Any) -> Any:
    """Ridge predictions at all m atoms from a table (m x 1)."""
    alpha = ridge_solution(block(table, sample, sample), y, lambda_)
    return block(table, range(table.nrows()), sample) * alpha
