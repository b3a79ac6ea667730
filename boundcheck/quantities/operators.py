"""Matrices and spectra: definitions by characteristic polynomials and balls, estimators by LAPACK.

Shapes: matrices are fmpq_mat or arb_mat (d x d or n x d) in definitions and float arrays
(..., d, d) in estimators. Vectors are tuples of rationals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

from flint import arb, arb_mat, fmpq, fmpq_mat

from boundcheck.arithmetic import midpoint, whole
from boundcheck.errors import ShapeMismatch, Undefined
from boundcheck.quantities.base import facts, quantity

NEARLY = 2**64  # times what a matrix lacks to a multiple of the identity, below that multiple


def diagonal(values: Any) -> fmpq_mat:
    """Diagonal matrix of a tuple of rationals."""
    n = len(values)
    return fmpq_mat(n, n, [values[i] if i == j else 0 for i in range(n) for j in range(n)])


def identity(size: int) -> fmpq_mat:
    """Identity matrix."""
    return diagonal((1,) * size)


def column(values: Any) -> Any:
    """A tuple of scalars as a column matrix, rational if every entry is."""
    if any(isinstance(value, arb) for value in values):
        return arb_mat(len(values), 1, list(values))
    return fmpq_mat(len(values), 1, [fmpq(value) for value in values])


def entries(matrix: Any) -> tuple[Any, ...]:
    """Entries of a matrix, row by row."""
    return tuple(matrix.entries())


def dot(left: Any, right: Any) -> Any:
    """Inner product of two tuples."""
    if len(left) != len(right):
        raise ShapeMismatch(f"inner product of vectors of lengths {len(left)} and {len(right)}")
    return sum((a * b for a, b in zip(left, right, strict=True)), fmpq(0))


def quadratic_form(matrix: Any, vector: Any) -> Any:
    """v^T A v for a square matrix and a tuple."""
    if (matrix.nrows(), matrix.ncols()) != (len(vector),) * 2:
        raise ShapeMismatch(f"form of {matrix.nrows()} x {matrix.ncols()} at {len(vector)} numbers")
    return dot(vector, entries(matrix * column(vector)))


def trace(matrix: Any) -> Any:
    """Sum of the diagonal."""
    _square(matrix, "trace")
    return sum((matrix[i, i] for i in range(matrix.nrows())), fmpq(0))


def places(found: Sequence[Any], size: int) -> list[int]:
    """Indices below a size. Raises: Undefined for one beyond it."""
    places = [whole(place) for place in found]
    for place in places:
        if not 0 <= place < size:
            raise Undefined(f"the entry {place} of {size}, counted from zero")
    return places


def _square(matrix: Any, what: str = "spectrum") -> None:
    if matrix.nrows() != matrix.ncols():
        raise ShapeMismatch(f"{what} of a {matrix.nrows()} x {matrix.ncols()} matrix")


def eigenvalues(matrix: Any) -> list[arb]:
    """Eigenvalues of a symmetric matrix, ascending, as certified balls with multiplicity.

    Rational matrices: isolated roots of the characteristic polynomial. Ball matrices: the
    midpoint's eigenvalues, each widened by the Frobenius norm of the radii (Weyl).
    Source: Weyl, Mathematische Annalen 71 (1912) 441-479.

    >>> [float(v) for v in eigenvalues(fmpq_mat(2, 2, [2, 1, 1, 2]))]
    [1.0, 3.0]
    """
    _square(matrix)
    if isinstance(matrix, arb_mat):
        return _ball_eigenvalues(matrix)
    d, found = matrix.nrows(), list[arb]()
    if d and abs((centre := matrix[0, 0]) - matrix[d - 1, d - 1]) * NEARLY < abs(centre):
        rest = matrix - diagonal((centre,) * d)  # roots that nearly meet are told apart in minutes
        if 0 < (spread := max(map(abs, rest.entries()))) * NEARLY < abs(centre):
            return [centre + spread * value for value in eigenvalues(rest / spread)]
    for root, multiplicity in matrix.charpoly().complex_roots():
        if not root.imag.is_zero():
            raise Undefined("a matrix with complex eigenvalues, which no symmetric one has")
        found += [root.real] * multiplicity
    return _ascending(found)


def _ascending(found: list[arb]) -> list[arb]:
    """Balls around the same numbers in ascending order; of balls that meet, their hull."""
    lows, highs = sorted(found, key=arb.lower), sorted(found, key=arb.upper)
    return [low if low is high else low.union(high) for low, high in zip(lows, highs, strict=True)]


def _ball_eigenvalues(matrix: arb_mat) -> list[arb]:
    # Midpoints on a grid: exact roots tell eigenvalues that differ by roundings apart in minutes.
    d, middle = matrix.nrows(), [entry.mid() for entry in matrix.entries()]
    step = reduce(arb.max, (64 * e.rad() for e in matrix.entries() if e.is_finite()), arb(0))
    unit = step if step > 0 else arb(1)  # so that entries of 2^(10^9) are numbers of few bits
    at = [midpoint((e / unit + fmpq(1, 2)).floor() if step > 0 else e) for e in middle]
    symmetric = [(at[i * d + j] + at[j * d + i]) / 2 for i in range(d) for j in range(d)]
    pairs = zip(matrix.entries(), symmetric, strict=True)
    squares = sum(((entry - unit * centre).abs_upper() ** 2 for entry, centre in pairs), arb(0))
    radius = squares.sqrt().abs_upper()
    exact = eigenvalues(fmpq_mat(d, d, symmetric))
    return [unit * value + arb(0, radius) for value in exact]


def _extreme(matrix: Any, of_two: Callable[[arb, arb], arb]) -> arb:
    if not (found := eigenvalues(matrix)):
        raise Undefined("an eigenvalue of a matrix without rows")
    return reduce(of_two, found)


def largest_eigenvalue(matrix: Any) -> arb:
    """Largest eigenvalue of a symmetric matrix."""
    return _extreme(matrix, arb.max)


@quantity(estimator=lambda matrix: _numpy().linalg.eigvalsh(matrix)[..., 0])
def smallest_eigenvalue(matrix: Any) -> arb:
    """Smallest eigenvalue of a symmetric matrix; non-negative iff it is positive semi-definite."""
    return _extreme(matrix, arb.min)


def _numpy() -> Any:
    import numpy

    return numpy


def batched_operator_norm(matrix: Any) -> Any:
    """Largest singular values of a stack (..., n, d); symmetric stacks go the faster way."""
    numpy = _numpy()
    flipped = numpy.swapaxes(matrix, -1, -2)
    if matrix.shape[-1] == matrix.shape[-2] > 0 and numpy.array_equal(matrix, flipped):
        spectrum = numpy.linalg.eigvalsh(matrix)
        return numpy.maximum(spectrum[..., -1], -spectrum[..., 0])
    return numpy.linalg.norm(matrix, ord=2, axis=(-2, -1))


@quantity(estimator=batched_operator_norm)
@facts("nonnegative")
def operator_norm(matrix: Any) -> arb:
    """Largest singular value of any matrix; zero without rows or columns.

    >>> float(operator_norm(fmpq_mat(1, 2, [3, 4])))
    5.0
    """
    rows, cols = matrix.nrows(), matrix.ncols()
    if not rows or not cols:
        return arb(0)
    if rows == cols and _is_symmetric(matrix):
        return reduce(arb.max, map(abs, eigenvalues(matrix)))
    inner = matrix * matrix.transpose() if rows <= cols else matrix.transpose() * matrix
    return largest_eigenvalue(inner).nonnegative_part().sqrt()


def _is_symmetric(matrix: Any) -> bool:
    return isinstance(matrix, fmpq_mat) and matrix == matrix.transpose()


@quantity(estimator=lambda matrix: _numpy().linalg.norm(matrix, axis=(-2, -1)))
@facts("nonnegative")
def frobenius_norm(matrix: Any) -> arb:
    """Square root of the sum of squared entries."""
    squares = sum((arb(entry) ** 2 for entry in matrix.entries()), arb(0))
    return squares.nonnegative_part().sqrt()


def is_positive_semidefinite(matrix: fmpq_mat) -> bool:
    """Exact: symmetric, and the characteristic polynomial has no negative root (sign pattern)."""
    _square(matrix)
    if not _is_symmetric(matrix):
        return False
    # All eigenvalues are real; none is negative iff the coefficients alternate in sign weakly.
    coefficients = matrix.charpoly().coeffs()
    degree = len(coefficients) - 1
    return all(value * (-1) ** (degree - power) >= 0 for power, value in enumerate(coefficients))
