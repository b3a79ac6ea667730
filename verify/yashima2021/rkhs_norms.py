"""RKHS norms as least norms of coefficients.

Setting    complex features; H holds the integrals of beta(w) phi(., w) over tau, H_M the sums of
           beta_i phi(., w_i) / sqrt(M).
Claim      ||g||_H and ||h||_{H_M} are the least L2(tau) and Euclidean norms of the coefficients.
           As a consequence the problem in H_M is one over real coefficients.
"""

from flint import fmpq, fmpq_mat
from sympy import And, Eq, Le, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.operators import column, diagonal, quadratic_form
from boundcheck.quantities.rkhs import (
    apply,
    least_squares_distance,
    squared_norm_of_values,
    submatrix,
)
from boundcheck.worlds import Indices, Integer, Vector, complex_feature_worlds

from . import ARXIV, M

norm, least, norm_M, least_M = symbols("norm least norm_M least_M", real=True)
coefficients, coefficients_M = symbols("coefficients coefficients_M", real=True)
remainder = symbols("remainder", real=True)


def realified(phi, psi):
    """The 2n x 2K real matrix of the complex n x K matrix phi + i psi."""
    n, size = phi.nrows(), phi.ncols()
    rows = [[phi[i, k] for k in range(size)] + [-psi[i, k] for k in range(size)] for i in range(n)]
    rows += [[psi[i, k] for k in range(size)] + [phi[i, k] for k in range(size)] for i in range(n)]
    return fmpq_mat(2 * n, 2 * size, [entry for line in rows for entry in line])


def null_space(matrix):
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


def least_coefficient_norm(features, weights, beta):
    """Least b^T W b over all b that give the same function as beta: project on the null space."""
    metric = diagonal(weights)
    null = null_space(features * metric)
    whole = quadratic_form(metric, beta)
    if null.ncols() == 0:
        return whole
    inner = null.transpose() * metric * column(beta)
    return whole - (inner.transpose() * (null.transpose() * metric * null).inv() * inner)[0, 0]


def rkhs_norm(features, weights, beta):
    """Squared norm in the RKHS of the kernel that the weighted features have."""
    synthesis = features * diagonal(weights)
    return squared_norm_of_values(synthesis * features.transpose(), apply(synthesis, beta))


def coefficient_norm(features, weights, beta):
    """b^T W b."""
    return quadratic_form(diagonal(weights), beta)


def in_population(measure):
    """A measure of the function with coefficients beta over the atoms of tau."""

    def of(phi, psi, tau, beta):
        features = realified(phi, psi)
        return measure(features, tuple(tau) * 2, beta[: features.ncols()])

    return of


def in_sample(measure):
    """The same over the draws: sqrt(M) beta_i as coefficient, weight 1/M."""

    def of(phi, psi, draws, beta):
        rows, size = range(phi.nrows()), len(draws)
        features = realified(submatrix(phi, rows, draws), submatrix(psi, rows, draws))
        return measure(features, (fmpq(1, size),) * (2 * size), beta[: 2 * size])

    return of


printed = Claim(
    source=ARXIV.at("Section 2.2, (7)-(10)"),
    statement=Holds(
        And(
            Eq(norm, least), Le(norm, coefficients),
            Eq(norm_M, least_M), Le(norm_M, coefficients_M),
        )
    ),
    worlds=complex_feature_worlds().and_fields(beta=Vector(6, searched=(-2, 2))),
    parameters={M: Integer(1, searched=3)},
    draw=Indices("draws", "tau", "M", over="the features"),
    measure={
        norm: in_population(rkhs_norm),
        least: in_population(least_coefficient_norm),
        coefficients: in_population(coefficient_norm),
        norm_M: in_sample(rkhs_norm),
        least_M: in_sample(least_coefficient_norm),
        coefficients_M: in_sample(coefficient_norm),
    },
    reading="coefficients are complex where the features are",
    cost=4,
)  # fmt: skip


def real_remainder(phi, psi, draws, point):
    """Distance of the real part of k_M(., x) from real combinations of the drawn features."""
    rows, x = range(phi.nrows()), point % phi.nrows()
    a, b = submatrix(phi, rows, draws), submatrix(psi, rows, draws)
    size, n = len(draws), phi.nrows()
    # With every feature its conjugate is drawn, as a symmetric spectrum gives: the kernel is real.
    values = [
        sum((a[i, k] * a[x, k] + b[i, k] * b[x, k] for k in range(size)), fmpq(0)) / size
        for i in range(n)
    ]
    stacked = [[a[i, k] for k in range(size)] * 2 for i in range(n)]
    stacked += [[b[i, k] for k in range(size)] + [-b[i, k] for k in range(size)] for i in range(n)]
    table = fmpq_mat(2 * n, 2 * size, [entry for line in stacked for entry in line])
    return least_squares_distance(table, tuple(values) + (fmpq(0),) * n)


fourier_reduction = Claim(
    source=ARXIV.at("Section 2.2, (11), for the features C e^{i w x} of the text"),
    statement=Holds(Eq(remainder, 0)),
    worlds=complex_feature_worlds().and_fields(point=Integer(0, 2)),
    parameters={M: Integer(1, searched=3)},
    draw=Indices("draws", "tau", "M", over="the features"),
    measure={remainder: real_remainder},
    uses=("yashima2021/rkhs_norms:printed",),
    reading=(
        "real coefficients as printed, features in conjugate pairs: the real function k_M(., x) "
        "of H_M is one of those minimised over"
    ),
    cost=2,
)
