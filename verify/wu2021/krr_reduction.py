"""(2.1) with square loss and r(t) = t^2 against (1.3) and (2.5).

Setting    features in R^p, responses y, lambda > 0;
           (2.1)  (1/(2n)) sum_i (<b, Phi(x_i)> - y_i)^2 + lambda ||b||^2,
           (1.3)  (1/n)    sum_i (<b, Phi(x_i)> - y_i)^2 + lambda ||b||^2,
           (2.5)  (1/n) ||K a - y||^2 + lambda a^T K a.
Claim      (2.1) is the problem (1.3), and it reduces to (2.5): all three have the same solution.
Repair     (1.3) and (2.5) have the same solution and the same least value.
"""

from flint import fmpq
from sympy import And, Eq, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.operators import column, dot, identity
from boundcheck.quantities.rkhs import combination, gram_of, ridge_weights, squared_norm
from boundcheck.worlds import Integer, Matrix, Real, Space, Vector

from . import NOTES, penalty

general, ridge, reduced = symbols("general ridge reduced", commutative=False)
least_ridge, least_reduced = symbols("least_ridge least_reduced", real=True)


def feature_ridge(features, y, fit_weight, lambda_):
    """Minimiser over b of fit_weight ||Phi b - y||^2 + lambda ||b||^2, as a column."""
    inner = features.transpose() * features * fit_weight
    target = features.transpose() * column(y) * fit_weight
    return (inner + identity(features.ncols()) * fmpq(lambda_)).inv() * target


def solution_of_general(features, y, n, lambda_):
    return feature_ridge(features, y, fmpq(1, 2 * n), lambda_)


def solution_of_ridge(features, y, n, lambda_):
    return feature_ridge(features, y, fmpq(1, n), lambda_)


def solution_of_reduced(features, y, lambda_):
    """sum_j a_j Phi(x_j) for a minimiser a of (2.5)."""
    return column(combination(features, ridge_weights(gram_of(features), y, lambda_)))


def residual(values, y):
    return sum(((f - t) ** 2 for f, t in zip(values, y, strict=True)), fmpq(0))


def least_value_of_ridge(features, y, n, ridge, lambda_):
    """(1.3) at its minimiser."""
    b = tuple(ridge.entries())
    return residual((features * ridge).entries(), y) / n + lambda_ * dot(b, b)


def least_value_of_reduced(features, y, n, lambda_):
    """(2.5) at its minimiser."""
    gram = gram_of(features)
    a = ridge_weights(gram, y, lambda_)
    return residual((gram * column(a)).entries(), y) / n + lambda_ * squared_norm(gram, a)


shared = {
    "worlds": Space(
        n=Integer(1, searched=3), p=Integer(1, searched=3), features=Matrix("n", "p"),
        y=Vector("n", -1, 1)
    ),
    "given": [penalty > 0],
    "parameters": {penalty: Real(0, None, open_low=True)},
    "measure": {
        general: solution_of_general,
        ridge: solution_of_ridge,
        reduced: solution_of_reduced,
        least_ridge: least_value_of_ridge,
        least_reduced: least_value_of_reduced,
    },
    "cost": 0.6,
}

printed = Claim(
    source=NOTES.at("(1.3), (2.1), (2.5)"),
    statement=Holds(And(Eq(general, ridge), Eq(ridge, reduced))),
    uses=("wu2021/theorem_2_1:printed", "wu2021/reduced_model:printed"),
    reading="one lambda throughout, as printed; problems agree if their solutions do",
    **shared,
)

repaired = Claim(
    source=NOTES.at("(1.3), (2.5)"),
    statement=Holds(And(Eq(ridge, reduced), Eq(least_ridge, least_reduced))),
    **shared,
)
