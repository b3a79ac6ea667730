"""Tropp's matrix Chernoff inequalities.

Setting    n positive semi-definite d x d matrices A_i, kept independently with probabilities q_i;
           X the sum of those kept, R >= lambda_max(A_i), m the extreme eigenvalue of E X.
Claim      P(lambda_max(X) >= (1 + s) m) <= d (e^s / (1 + s)^(1 + s))^(m / R) for s >= 0, and
           (lower) P(lambda_min(X) <= (1 - s) m) <= d (e^-s / (1 - s)^(1 - s))^(m / R), s < 1.
Without    the dimension (without_dimension), for comparison.
"""

from sympy import exp, log

from boundcheck import Claim, Holds
from boundcheck.expressions import (
    define,
    greatest,
    index,
    largest_eigenvalue,
    parameter,
    smallest_eigenvalue,
    total,
    world,
)
from boundcheck.settings.concentration import P, X, chances, n
from boundcheck.settings.matrices import d
from boundcheck.worlds import Gram, Real, Tuples

from . import TROPP

i = index("i", n)
A = world("A", Tuples(n, Gram(d)), units={"matrix": 1}, says="Positive semi-definite matrices.")
S = total(X[i] * A[i], i)
mean = total(chances[i, 1] * A[i], i)
R = define("R", greatest(largest_eigenvalue(A[i]), i))
high, low = largest_eigenvalue(mean), smallest_eigenvalue(mean)
s = parameter("s", Real(0, None, searched=(0, 4)))


def bound(m, sign):
    """(e^s / (1 + s)^(1 + s))^(m / R) at sign * s."""
    at = sign * s
    return exp((at - (1 + at) * log(1 + at)) * m / R)


printed = Claim(
    TROPP.at("Theorem 1.1"),
    Holds(P(largest_eigenvalue(S) >= (1 + s) * high) <= d * bound(high, 1)),
    given=[R > 0],
)
lower = Claim(
    TROPP.at("Theorem 1.1"),
    Holds(P(smallest_eigenvalue(S) <= (1 - s) * low) <= d * bound(low, -1)),
    given=[R > 0],
    domains={s: Real(0, 1, open_high=True)},
)
without_dimension = Claim(
    TROPP.at("Theorem 1.1, dimension lost"),
    Holds(P(largest_eigenvalue(S) >= (1 + s) * high) <= bound(high, 1)),
    given=[R > 0],
)
