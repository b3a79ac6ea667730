"""Cosine features at three places of a circle, ridge regression on points at two of them.

The features are c cos(2 pi (x + phase)), x and the phase in thirds of a turn, the phase uniform:
the mean over three phases is that of a uniform phase, and for c^2 = 2 they are unbiased for the
kernel cos(2 pi (x - x')). Half of the training points lie at each of two places; equal points share
their coefficient, so the n x n system is one of two unknowns with penalty 2 lambda.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb
from typing import Any

from flint import arb, fmpq

from boundcheck.arithmetic import is_exact
from boundcheck.errors import Undecided
from boundcheck.expressions import primitive
from boundcheck.expressions.lazy_imports import numpy

MOST_LISTED = 300  # features; s of them make (s + 1)(s + 2) / 2 counts of the three phases
MOST_EXACT = 12  # denominators of the terms have nothing in common: sums of many are long
KERNEL = (fmpq(1), fmpq(-1, 2))  # at one place and between two


@dataclass(frozen=True)
class Design:
    """What the sample says of the places.

    Args: targets: their mean at each of the two places. law: of the test point, over all three.
    """

    targets: tuple[fmpq, fmpq]
    law: tuple[fmpq, fmpq, fmpq]


def _phases(s: int) -> Iterator[tuple[int, tuple[int, int, int]]]:
    """How often each place has the feature with value 1 there, and in how many of 3^s draws."""
    for u in range(s + 1):
        for v in range(s - u + 1):
            yield comb(s, u) * comb(s - u, v), (u, v, s - u - v)


def _table(counts: tuple[Any, Any, Any], factor: Any) -> list[list[Any]]:
    """Kernel between the places and the two training places, from drawn features."""
    s = sum(counts)
    return [
        [
            (counts[a] + (s - counts[a]) * fmpq(1, 4) if a == b
             else (s - counts[a] - counts[b]) * fmpq(1, 4) - (counts[a] + counts[b]) * fmpq(1, 2))
            * factor
            for b in range(2)
        ]
        for a in range(3)
    ]  # fmt: skip


def _fitted(table: list[list[Any]], targets: Any, penalty: Any) -> tuple[list[Any], list[Any]]:
    """Predictions at the three places and the two shared coefficients."""
    (p, q), (_, r) = table[:2]
    p, r = p + penalty, r + penalty
    det = p * r - q * q
    weights = [
        (r * targets[0] - q * targets[1]) / det, (p * targets[1] - q * targets[0]) / det,
    ]  # fmt: skip
    return [row[0] * weights[0] + row[1] * weights[1] for row in table], weights


def _exact_table() -> list[list[Any]]:
    return [[KERNEL[a != b] for b in range(2)] for a in range(3)]


def _batched(design: Design, ridge: Any, s: Any, scale: Any) -> Any:
    ridge, s = numpy.broadcast_arrays(numpy.asarray(ridge, float), numpy.asarray(s, int))
    found = numpy.empty(ridge.shape)
    targets, law = (numpy.array([float(v) for v in part]) for part in (design.targets, design.law))
    for place in numpy.ndindex(ridge.shape):
        size, penalty = int(s[place]), 2 * float(ridge[place])
        if size > MOST_LISTED:
            raise Undecided(f"{size} features have too many draws to list")
        ways, counts = zip(*_phases(size), strict=True)
        drawn = numpy.array(counts, float).T
        table = [
            [(numpy.where(a == b, drawn[a] + (size - drawn[a]) / 4,
                          (size - drawn[a] - drawn[b]) / 4 - (drawn[a] + drawn[b]) / 2))
             * float(scale) / size for b in range(2)]
            for a in range(3)
        ]  # fmt: skip
        here = _fitted(table, targets, penalty)[0]
        there = _fitted(
            [[float(v) for v in row] for row in _exact_table()], targets, penalty
        )[0]  # fmt: skip
        squares = sum(weight * (f - g) ** 2 for weight, f, g in zip(law, here, there, strict=True))
        chances = numpy.array([way / 3**size for way in ways])
        found[place] = (chances * squares).sum()
    return found


@primitive(
    batch=_batched, facts=("nonnegative",), units="none",
    latex=r"\mathbb{{E}}\left[(\tilde{{f}}_\lambda-f_\lambda)^2\right]",
)
def difference(design: Design, ridge: Any, s: Any, scale: Any) -> Any:
    """E (f~ - f)^2 over s drawn features and the test point, for features of c^2 = scale.

    Rational for few features and a rational ridge, else a ball. Terms are rational for any number
    of features: where most draws agree with the kernel, balls would lose all digits.
    Raises: Undecided where the draws are too many to list.
    """
    size = int(s)
    if size > MOST_LISTED:
        raise Undecided(f"{size} features have too many draws to list")
    number = fmpq if is_exact(ridge) else arb
    penalty, factor = number(2 * ridge), number(scale) / size
    there = _fitted(_exact_table(), design.targets, penalty)[0]
    total: fmpq | arb = fmpq(0) if size <= MOST_EXACT else arb(0)
    for ways, counts in _phases(size):
        here = _fitted(_table(counts, factor), design.targets, penalty)[0]
        gaps = (
            weight * (f - g) ** 2
            for weight, f, g in zip(design.law, here, there, strict=True) if weight
        )  # fmt: skip
        total += sum(gaps, fmpq(0)) * ways
    return total / 3**size


def _batched_norm(design: Design, ridge: Any) -> Any:
    targets = [float(v) for v in design.targets]
    table = [[float(v) for v in row] for row in _exact_table()]
    penalty = 2 * numpy.asarray(ridge, float)
    fitted, weights = _fitted(table, targets, penalty)
    return fitted[0] * weights[0] + fitted[1] * weights[1]


@primitive(
    batch=_batched_norm, facts=("nonnegative",), units="none",
    latex=r"\left\|K^{{1/2}}(K+n\lambda I_n)^{{-1}}y\right\|_2^2",
)
def squared_norm(design: Design, ridge: Any) -> Any:
    """||K^(1/2) (K + n lambda I)^-1 y||^2 = alpha^T K alpha."""
    fitted, weights = _fitted(_exact_table(), design.targets, 2 * ridge)
    return fitted[0] * weights[0] + fitted[1] * weights[1]
