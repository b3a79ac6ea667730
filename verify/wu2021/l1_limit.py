"""Section 1.2: the continuum limit of l1-penalised random features.

Setting    n points with responses y, a law pi of w, features phi(x; w);
           discrete problem  min_b (1/n) sum_i (sum_{j<=m} b_j phi(x_i; w_j) - y_i)^2
                                   + (lambda/m) sum_j |b_j|,  w_1..w_m independent from pi;
           continuum problem min_b (1/n) sum_i (integral b phi(x_i; .) d pi - y_i)^2
                                   + lambda integral |b| d pi.
Claim      the second problem is the limit of the first as m grows: their values agree in the limit.
Proof of what is computed: for pi on finitely many atoms, all of them drawn, only the total
coefficient of each atom matters and equal signs are best, so the discrete problem is the lasso with
weight lambda/m and the continuum problem the lasso with weight lambda. The value of a lasso is
continuous in its weight, so the discrete value tends to that at weight zero: least squares.
(discrete_values) checks both steps at finite m: the value with all m columns is that of the merged
atoms, and it exceeds least squares by (lambda/m) ||b||_1 at most, b a least-squares solution.
Repair     divide the sum over j by m: the discrete problem is then the continuum problem.
"""

from itertools import product

from flint import fmpq, fmpq_mat
from sympy import And, Eq, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.operators import column, entries
from boundcheck.quantities.rkhs import least_squares_distance, solve_consistent, submatrix
from boundcheck.worlds import Integer, Matrix, Real, Space, Vector

from . import NOTES, penalty

limit, continuum, scaled = symbols("limit continuum scaled", real=True)
discrete, merged, excess = symbols("discrete merged excess", real=True)


def lasso_value(features: fmpq_mat, y, weight):
    """min_b (1/n) ||A b - y||^2 + weight ||b||_1, exactly: every support and sign pattern.

    A minimiser with independent active columns exists and satisfies the normal equations of its
    own signs; all other candidates only give upper bounds.
    """
    size, atoms = features.nrows(), features.ncols()
    best = sum((value**2 for value in y), fmpq(0)) / size
    for signs in product((-1, 0, 1), repeat=atoms):
        active = [k for k in range(atoms) if signs[k]]
        part = submatrix(features, range(size), active)
        if not active or part.rank() < len(active):
            continue
        inner = part.transpose() * part
        target = part.transpose() * column(y)
        shift = column([fmpq(signs[k]) * weight * size / 2 for k in active])
        b = entries(inner.inv() * (target - shift))
        residual = entries(part * column(b) - column(y))
        value = sum((r**2 for r in residual), fmpq(0)) / size
        best = min(best, value + weight * sum((abs(v) for v in b), fmpq(0)))
    return best


def discrete_limit(features, y):
    """Limit of the discrete value as m grows: the lasso at weight zero."""
    return least_squares_distance(features, y) / features.nrows()


def continuum_value(features, y, lambda_):
    return lasso_value(features, y, lambda_)


def repeated_atoms(features, copies):
    """The n x m matrix of a sample in which every atom is drawn `copies` times."""
    atoms = features.ncols()
    return submatrix(features, range(features.nrows()), list(range(atoms)) * copies)


def discrete_value(features, y, lambda_, copies):
    """The discrete problem as printed, over all m columns."""
    columns = repeated_atoms(features, copies)
    return lasso_value(columns, y, fmpq(lambda_) / columns.ncols())


def merged_value(features, y, lambda_, copies):
    """The same with one coefficient for every atom."""
    return lasso_value(features, y, fmpq(lambda_) / (features.ncols() * copies))


def largest_excess(features, y, lambda_, copies):
    """(lambda/m) ||b||_1 for a least-squares solution b."""
    normal = features.transpose() * features
    b = solve_consistent(normal, entries(features.transpose() * column(y)))
    return sum((abs(v) for v in b), fmpq(0)) * lambda_ / (features.ncols() * copies)


def scaled_value(features, y, lambda_, copies):
    """The discrete problem with (1/m) sum_j, every atom drawn `copies` times."""
    repeated = repeated_atoms(features, copies)
    m = repeated.ncols()
    # With m columns the coefficient b_j / m carries the weight lambda.
    return lasso_value(repeated * fmpq(1, m), y, fmpq(lambda_) / m)


shared = {
    "worlds": Space(
        n=Integer(1, searched=2), K=Integer(1, searched=2), features=Matrix("n", "K"),
        y=Vector("n", -1, 1),
        copies=Integer(1, searched=2),
    ),
    "given": [penalty > 0],
    "parameters": {penalty: Real(0, None, open_low=True)},
    "measure": {
        limit: discrete_limit,
        continuum: continuum_value,
        scaled: scaled_value,
        discrete: discrete_value,
        merged: merged_value,
        excess: largest_excess,
    },
}  # fmt: skip

printed = Claim(
    source=NOTES.at("Section 1.2"),
    statement=Holds(Eq(limit, continuum)),
    reading="problems agree in the limit if their least values do, whatever the scale of b_j",
    cost=1.0,
    **shared,
)

discrete_values = Claim(
    source=NOTES.at("Section 1.2, the discrete problem"),
    statement=Holds(And(Eq(discrete, merged), limit <= merged, merged <= limit + excess)),
    reading="the discrete problem as printed, every atom drawn equally often",
    cost=8.0,
    **shared,
)

repaired = Claim(
    source=NOTES.at("Section 1.2, repaired"),
    statement=Holds(Eq(scaled, continuum)),
    reading="(1/m) sum_j in the fit; every atom drawn equally often",
    cost=8.0,
    **shared,
)
