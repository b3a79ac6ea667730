"""Tropp's Freedman inequality for matrix martingales.

Setting    Y_k the sum of real symmetric d x d martingale differences X_i that the past may shape,
           lambda_max(X_i) <= R; W_k the sum of E[X_i^2 | the past]; t, v > 0.
"""

from sympy import And, exp

from boundcheck import Claim, Holds
from boundcheck.expressions import greatest, largest_eigenvalue, operator_norm
from boundcheck.settings.adapted import (
    P,
    adapted_matrices,
    deviation,
    edge,
    ever,
    j,
    martingale,
    variation,
)
from boundcheck.settings.matrices import d
from boundcheck.settings.scalar_laws import t

from . import AT_ZERO, TROPP_FREEDMAN
from .freedman import v

HERE = TROPP_FREEDMAN.at("Theorem 1.2")
X = adapted_matrices("X")
R = greatest(largest_eigenvalue(deviation(X, edge)), edge)
Y, W = martingale(X, j + 1), variation(X, j + 1)
tail = P(ever(And(largest_eigenvalue(Y) >= t, operator_norm(W) <= v)))

printed = Claim(
    HERE,
    Holds(tail <= d * exp(-(t**2) / 2 / (v + R * t / 3))),
    reading=f"real symmetric matrices, where the theorem has Hermitian ones; {AT_ZERO}",
)
without_range = Claim(HERE, Holds(tail <= d * exp(-(t**2) / 2 / v)))
