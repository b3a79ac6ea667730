"""Tropp's tail of a matrix Rademacher series.

Setting    Hermitian d x d matrices A_i, fair signs xi_i, v = ||sum_i A_i^2||, t > 0.
"""

from sympy import exp

from boundcheck import Claim, Holds
from boundcheck.expressions import largest_eigenvalue, operator_norm, probability, total
from boundcheck.settings.concentration import i, n, signs, t
from boundcheck.settings.matrices import d, several
from boundcheck.worlds.kinds import Hermitian

from . import AT_ZERO, TROPP

A = several("A", n, kind=Hermitian(d))
v = operator_norm(total(A[i] ** 2, i))
tail = probability(largest_eigenvalue(total(signs[i] * A[i], i)) >= t, signs)

printed = Claim(
    TROPP.at("Theorem 1.2"),
    Holds(tail <= d * exp(-(t**2) / (2 * v))),
    given=[v > 0],
    reading=AT_ZERO,
)
twice = Claim(
    TROPP.at("Theorem 1.2, exponent doubled"), Holds(tail <= d * exp(-(t**2) / v)), given=[v > 0]
)
