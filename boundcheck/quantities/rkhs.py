"""Finite-dimensional RKHSs in exact rationals: features, kernels, norms, representers.

Shapes: features is n x p (row i is Phi(x_i)), gram is n x n with entries k(x_i, x_j), basis is
N x r (column j is a basis function on N points) with the r x r matrix of its inner products.
Vectors are tuples of rationals.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb, factorial
from typing import Any

from flint import arb, ctx, fmpq, fmpq_mat

from boundcheck.errors import Undefined
from boundcheck.exact import square_root
from boundcheck.quantities.base import facts, quantity
from boundcheck.quantities.operators import column, diagonal, dot, entries, identity, quadratic_form


def gram_of(features: fmpq_mat) -> fmpq_mat:
    """Kernel matrix of feature vectors: k(x_i, x_j) = <Phi(x_i), Phi(x_j)>.

    >>> gram_of(fmpq_mat(2, 1, [1, 2]))
    [1, 2]
    [2, 4]
    """
    return features * features.transpose()


def row(matrix: fmpq_mat, position: int) -> tuple[fmpq, ...]:
    """One row of a matrix as a tuple."""
    return tuple(matrix[position, j] for j in range(matrix.ncols()))


def apply(matrix: fmpq_mat, vector: Any) -> tuple[fmpq, ...]:
    """Matrix times tuple."""
    return entries(matrix * column(vector))


def submatrix(matrix: fmpq_mat, rows: Any, cols: Any) -> fmpq_mat:
    """Rows and columns picked by index, repeats allowed."""
    return fmpq_mat(len(rows), len(cols), [matrix[i, j] for i in rows for j in cols])


def row_space(features: fmpq_mat) -> fmpq_mat:
    """A basis of the span of the rows, as rows of a matrix of full rank (possibly no row)."""
    reduced, rank = features.rref()
    return submatrix(reduced, range(rank), range(features.ncols()))


@quantity(
    rank=1, units=lambda _, vector: vector, shape=lambda a, v: v,
    latex=r"\operatorname{{proj}}_{{{0}}} {1:b}",
)  # fmt: skip
def projection(features: fmpq_mat, vector: Any) -> tuple[fmpq, ...]:
    """Orthogonal projection of a vector of R^p on the span of the rows.

    >>> projection(fmpq_mat(1, 2, [3, 0]), (fmpq(1), fmpq(2)))
    (1, 0)
    """
    basis = row_space(features)
    if basis.nrows() == 0:
        return (fmpq(0),) * features.ncols()
    inner = (basis * basis.transpose()).inv()
    return entries(basis.transpose() * inner * basis * column(vector))


@quantity(
    rank=1, units=lambda matrix, values: values - matrix, shape=lambda a, v: (a[1],),
    latex=r"\left({0}\right)^{{-}} {1:b}",
)  # fmt: skip
def solve_consistent(matrix: fmpq_mat, values: Any) -> tuple[fmpq, ...]:
    """One exact solution of A x = b, free unknowns zero.

    Raises: Undefined if there is none: the function is outside the space.
    """
    size = matrix.ncols()
    table = [[*row(matrix, i), values[i]] for i in range(matrix.nrows())]
    reduced, rank = fmpq_mat(matrix.nrows(), size + 1, [e for r in table for e in r]).rref()
    found = [fmpq(0)] * size
    for i in range(rank):
        pivot = next(j for j in range(size + 1) if reduced[i, j] != 0)
        if pivot == size:
            raise Undefined("the function does not lie in the space")
        found[pivot] = reduced[i, size]
    return tuple(found)


def squared_norm(gram: fmpq_mat, weights: Any) -> fmpq:
    """||sum_i a_i k(., x_i)||^2 = a^T K a."""
    return quadratic_form(gram, weights)


def norm(gram: fmpq_mat, weights: Any) -> Any:
    """||sum_i a_i k(., x_i)||; rational if it is one."""
    return square_root(quadratic_form(gram, weights))


def float_least_norm(gram: Any, values: Any) -> Any:
    """Least squared norm of functions with these values, over a batch, in floats."""
    import numpy

    inverse = numpy.linalg.pinv(gram, rcond=1e-12, hermitian=True)
    return numpy.einsum("...i,...ij,...j->...", values, inverse, values)


@quantity(
    estimator=float_least_norm, units=lambda gram, values: 2 * values - gram, ranks=(2, 1),
    latex=r"\min_{{g = {1}}} \left\|g\right\|^2",
)  # fmt: skip
@facts("nonnegative")
def squared_norm_of_values(gram: fmpq_mat, values: Any) -> fmpq:
    """Least squared RKHS norm of a function with the given values on the points: f^T K^+ f.

    Raises: Undefined if no function of the space has these values.

    >>> squared_norm_of_values(fmpq_mat(2, 2, [1, 0, 0, 1]), (fmpq(1), fmpq(2)))
    5
    """
    return dot(solve_consistent(gram, values), values)


def _float_least_coefficients(features: Any, weights: Any, beta: Any) -> Any:
    import numpy

    root = numpy.sqrt(weights)
    synthesis = features * root[..., None, :]
    values = (synthesis @ (root * beta)[..., None])[..., 0]
    return float_least_norm(synthesis @ synthesis.swapaxes(-1, -2), values)


@quantity(
    estimator=_float_least_coefficients, units=lambda _, weights, beta: 2 * beta, ranks=(2, 1, 1),
    latex=r"\inf_\beta \left\|\beta\right\|^2", text=lambda shown: f"least_norm({shown[2]})",
)  # fmt: skip
@facts("nonnegative")
def least_coefficient_norm(features: fmpq_mat, weights: Any, beta: Any) -> fmpq:
    """Least sum_k w_k b_k^2 of coefficients with sum_k w_k b_k phi_k = sum_k w_k beta_k phi_k.

    What can be left out of beta is its part in the null space of the synthesis, orthogonal for the
    weights.

    >>> least_coefficient_norm(fmpq_mat(1, 2, [1, 1]), (fmpq(1, 2),) * 2, (fmpq(2), fmpq(0)))
    1
    """
    kept = [k for k, weight in enumerate(weights) if weight]
    metric = diagonal([weights[k] for k in kept])
    synthesis = submatrix(features, range(features.nrows()), kept) * metric
    left = [beta[k] for k in kept]
    null = null_space(synthesis)
    whole = quadratic_form(metric, left)
    if null.ncols() == 0:
        return whole
    shares = null.transpose() * metric * column(left)
    return whole - quadratic_form((null.transpose() * metric * null).inv(), entries(shares))


def null_space(matrix: fmpq_mat) -> fmpq_mat:
    """A basis of the kernel of a matrix, as columns."""
    reduced, rank = matrix.rref()
    size = matrix.ncols()
    pivots = [next(j for j in range(size) if reduced[i, j] != 0) for i in range(rank)]
    free = [j for j in range(size) if j not in pivots]
    found = fmpq_mat(size, len(free))
    for position, j in enumerate(free):
        found[j, position] = 1
        for i, pivot in enumerate(pivots):
            found[pivot, position] = -reduced[i, j]
    return found


@quantity(
    rank=2, ranks=(2, 2), shape=lambda basis, inner: (basis[0], basis[0]),
    latex=r"\sum_j e_j e_j^\top",
)  # fmt: skip
def orthonormal_kernel(basis: fmpq_mat, inner: fmpq_mat) -> fmpq_mat:
    """Kernel sum_j e_j e_j^T / <e_j, e_j> over an orthogonal basis (Gram-Schmidt).

    Args: basis: N x r, values of functions. inner: r x r, regular, their inner products.
    """
    size = basis.ncols()
    kept: list[tuple[tuple[fmpq, ...], fmpq]] = []
    for j in range(size):
        vector = tuple(fmpq(int(i == j)) for i in range(size))
        for other, length in kept:
            share = dot(other, apply(inner, vector)) / length
            vector = tuple(v - share * o for v, o in zip(vector, other, strict=True))
        kept.append((vector, quadratic_form(inner, vector)))
    total = fmpq_mat(basis.nrows(), basis.nrows())
    for vector, length in kept:
        function = column(apply(basis, vector))
        total = total + function * function.transpose() * (1 / length)
    return total


@quantity(
    units=lambda _, values: 2 * values, ranks=(2, 1),
    latex=r"\min_b \left\|{0:b} b - {1:b}\right\|_2^2",
)  # fmt: skip
@facts("nonnegative")
def least_squares_distance(features: fmpq_mat, values: Any) -> fmpq:
    """Squared Euclidean distance of a vector of values from the span of the columns."""
    nearest = projection(features.transpose(), values)
    return sum(((v - f) ** 2 for v, f in zip(values, nearest, strict=True)), fmpq(0))


def polynomial_features(point: Any, degree: int) -> list[tuple[int, fmpq]]:
    """Feature map of (1 + x^T x')^s: (squared coefficient, monomial) for every multi-index.

    The squared coefficient is the multinomial number; keeping it apart keeps the inner product
    rational: <Phi(x), Phi(x')> = sum c m(x) m(x').
    """
    extended = (fmpq(1), *point)
    found = []
    for picks in combinations_with_replacement(range(len(extended)), degree):
        weight, value = factorial(degree), fmpq(1)
        for index in set(picks):
            weight //= factorial(picks.count(index))
        for index in picks:
            value *= extended[index]
        found.append((weight, value))
    if len(found) != comb(len(point) + degree, degree):
        raise ValueError(f"{len(found)} monomials of degree {degree} in {len(point)} variables")
    return found


def weighted_inner(left: list[tuple[int, fmpq]], right: list[tuple[int, fmpq]]) -> fmpq:
    """Inner product of feature vectors given with squared coefficients."""
    return sum((c * a * b for (c, a), (_, b) in zip(left, right, strict=True)), fmpq(0))


@quantity(ranks=(1, 1, 0), latex=r"\langle \Phi_{{{2}}}({0}), \Phi_{{{2}}}({1}) \rangle")
def polynomial_kernel(x: Any, z: Any, degree: Any) -> fmpq:
    """<Phi(x), Phi(x')> over all monomials of degree at most s with multinomial coefficients."""
    return weighted_inner(polynomial_features(x, int(degree)), polynomial_features(z, int(degree)))


def _exp(values: Any) -> Any:
    import numpy

    return numpy.exp(values)


@quantity(
    estimator=lambda x, z: _exp(x * z - x * x / 2 - z * z / 2), units="none",
    latex=r"e^{{-{0:b}^2/2 - {1:b}^2/2}} \sum_n \frac{{1}}{{n!}} {0:b}^n {1:b}^n",
)  # fmt: skip
def gaussian_series(x: fmpq, z: fmpq) -> arb:
    """exp(-x^2/2 - z^2/2) sum_j (x z)^j / j!, with the tail enclosed.

    After degree m the tail is at most |xz|^(m+1)/(m+1)! e^|xz|, by Taylor's formula.
    """
    terms = _terms(x * z)
    total, term = arb(0), arb(1)
    for j in range(1, terms):
        total += term
        term = term * (x * z) / j
    return _enclosed(total, term, x, z)


@quantity(
    estimator=lambda x, z: _exp(x * z - x * x / 2 - z * z / 2), units="none",
    latex=r"\langle \Phi({0}), \Phi({1}) \rangle",
)  # fmt: skip
def gaussian_features(x: fmpq, z: fmpq) -> arb:
    """<Phi(x), Phi(x')>: products of features exp(-x^2/2) x^j / sqrt(j!), tail as above."""
    left, right, total = arb(1), arb(1), arb(0)
    for j in range(1, _terms(x * z)):
        total += left * right
        root = arb(j).sqrt()
        left, right = left * x / root, right * z / root
    return _enclosed(total, left * right, x, z)


def _terms(product: fmpq) -> int:
    """So many terms that the rest is below the precision: j! grows beyond |xz|^j."""
    return 9 * int(abs(product)) + ctx.prec


def _enclosed(total: arb, first: arb, x: fmpq, z: fmpq) -> arb:
    """A sum and the terms from `first` on, times exp(-x^2/2 - z^2/2)."""
    tail = (abs(first) * abs(arb(x * z)).exp()).abs_upper()
    return (total + arb(0, tail)) * (arb(-(x * x + z * z)) / 2).exp()


def ridge_weights(gram: fmpq_mat, y: Any, factor: Any) -> tuple[fmpq, ...]:
    """A minimiser a of (1/n)||K a - y||^2 + c a^T K a: (K + n c I) a = y, c > 0.

    Source: normal equations K ((K + n c I) a - y) = 0.
    """
    size = gram.nrows()
    return entries((gram + identity(size) * (size * fmpq(factor))).inv() * column(y))
