"""Tropp's matrix Chernoff inequalities.

Setting    X_i independent positive semi-definite Hermitian d x d matrices, each with a law of its
           own, lambda_max(X_i) <= R; m the largest (lower: smallest) eigenvalue of sum_i E X_i.
"""

from sympy import exp, log

from boundcheck import Claim, Holds
from boundcheck.expressions import (
    define,
    greatest,
    largest_eigenvalue,
    parameter,
    smallest_eigenvalue,
    total,
)
from boundcheck.settings.random_matrices import P, atom, d, drawn, i, mean, positive_values
from boundcheck.worlds import Real

from . import TROPP

HERE = TROPP.at("Theorem 1.1")
A = positive_values("A")
S, expected = total(drawn(A, i), i), total(mean(A, i), i)
R = define("R", greatest(largest_eigenvalue(A[atom]), atom))
high, low = largest_eigenvalue(expected), smallest_eigenvalue(expected)
s = parameter("s", Real(0, None, searched=(0, 20)))
above = P(largest_eigenvalue(S) >= (1 + s) * high)
below = P(smallest_eigenvalue(S) <= (1 - s) * low)

BELOW_ONE = {s: Real(0, 1, open_high=True)}


def bound(m, sign):
    """(e^s / (1 + s)^(1 + s))^(m / R) at sign * s."""
    at = sign * s
    return exp((at - (1 + at) * log(1 + at)) * m / R)


printed = Claim(HERE, Holds(above <= d * bound(high, 1)), given=[R > 0])
lower = Claim(
    HERE, Holds(below <= d * bound(low, -1)), given=[R > 0], domains=BELOW_ONE
)
without_dimension = Claim(HERE, Holds(above <= bound(high, 1)), given=[R > 0])
lower_without_dimension = Claim(
    HERE, Holds(below <= bound(low, -1)), given=[R > 0], domains=BELOW_ONE
)
