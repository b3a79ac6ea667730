"""Functions of symmetric matrices in balls, and norms of products.

Matrices are fmpq_mat or arb_mat, d x d; results are balls (arb, arb_mat) unless said otherwise.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

from flint import acb_mat, arb, arb_mat, ctx, fmpq, fmpq_mat

from boundcheck.errors import Undecided, Undefined
from boundcheck.quantities.operators import frobenius_norm, is_positive_semidefinite


def spectral_radius(matrix: Any) -> arb:
    """Largest modulus of an eigenvalue, any square matrix.

    Raises: Undecided where balls do not tell the eigenvalues from each other.
    """
    return reduce(arb.max, map(abs, _spectrum(matrix)), arb(0))


def _spectrum(matrix: Any) -> list[Any]:
    if isinstance(matrix, fmpq_mat):
        roots: Any = matrix.charpoly().complex_roots()
        return [root for root, _ in roots]
    try:
        return list(acb_mat(matrix).eig(multiple=True))
    except ValueError as error:  # flint certifies nothing
        raise Undecided("the spectrum of a matrix of balls") from error


def matrix_square_root(matrix: fmpq_mat) -> arb_mat:
    """The positive semi-definite root of a positive semi-definite rational matrix.

    An approximate root X = Z Z^T is certified by its residual E = X^2 - A: the true root lies
    within sqrt(||E||) of X, and within ||E|| / s if X >= s > 0.
    Raises: Undefined for a symmetric matrix with a negative eigenvalue.
    Source: van Hemmen and Ando, Communications in Mathematical Physics 76 (1980) 143-148.
    """
    if not is_positive_semidefinite(matrix):
        symmetric = isinstance(matrix, fmpq_mat) and matrix == matrix.transpose()
        kind = Undefined if symmetric else Undecided  # other roots of others are not looked at
        raise kind("the square root of a matrix that is not positive semi-definite")
    size = matrix.nrows()
    if not size:
        return arb_mat(0, 0)
    factor = _approximate_factor(matrix)
    approximate = factor * factor.transpose()
    gap = approximate * approximate - matrix
    error = arb(frobenius_norm(gap)).upper()
    radius = error.sqrt()
    # The diagonal dominates a lower bound of the spectrum cheaply: 1 / ||X^-1||_F.
    if approximate.det() != 0:
        least = 1 / arb(frobenius_norm(approximate.inv()))
        radius = radius.min(error / least)
    ball = arb(0, radius.upper())
    return arb_mat(size, size, [arb(entry) + ball for entry in approximate.entries()])


def _approximate_factor(matrix: fmpq_mat) -> fmpq_mat:
    """Z with (Z Z^T)^2 close to the matrix, rounded to the current precision."""
    import mpmath

    size, bits = matrix.nrows(), ctx.prec + 20
    with mpmath.workprec(bits):
        table = mpmath.matrix(size, size)
        for i in range(size):
            for j in range(size):
                table[i, j] = mpmath.mpf(int(matrix[i, j].p)) / int(matrix[i, j].q)
        values, vectors = mpmath.eigsy(table)
        quarter = [mpmath.root(max(value, 0), 4) for value in values]
        entries = [
            _rational(vectors[i, j] * quarter[j], bits) for i in range(size) for j in range(size)
        ]
    return fmpq_mat(size, size, entries)


def _rational(value: Any, bits: int) -> fmpq:
    return fmpq(int(value * 2**bits), 2**bits)
