"""Tropp's Azuma inequality for adapted sequences of matrices.

Setting    real symmetric d x d martingale differences X_i that the past may shape, fixed A_i with
           X_i^2 below A_i^2, v = ||sum_i A_i^2||, t > 0.
"""

from sympy import exp

from boundcheck import Claim, Holds
from boundcheck.expressions import (
    define,
    indicator,
    largest_eigenvalue,
    operator_norm,
    smallest_eigenvalue,
    total,
)
from boundcheck.settings.adapted import (
    P,
    adapted_matrices,
    before_edge,
    deviation,
    edge,
    i,
    martingale,
    n,
    of_round,
)
from boundcheck.settings.matrices import d, several
from boundcheck.settings.scalar_laws import t

from . import AT_ZERO, TROPP

HERE = TROPP.at("Theorem 7.1")
X = adapted_matrices("X", (-1, 1))
A = several("A", n, (-3, 3))
below = smallest_eigenvalue(A[i] ** 2 - deviation(X, edge) ** 2)
excess = define(
    "excess",
    total(of_round(i, before_edge(edge)) * indicator(below < 0), i, edge),
    says="Edges on which X_i^2 is not below A_i^2.",
)
v = operator_norm(total(A[i] ** 2, i))
tail = P(largest_eigenvalue(martingale(X)) >= t)

printed = Claim(
    HERE,
    Holds(tail <= d * exp(-(t**2) / (8 * v))),
    given=[excess <= 0, v > 0],
    reading=f"real symmetric matrices, where the theorem has Hermitian ones; {AT_ZERO}",
)
eightfold = Claim(HERE, Holds(tail <= d * exp(-(t**2) / v)), given=[excess <= 0, v > 0], cost=0.25)
