"""Tropp's matrix Bernstein inequality.

Setting    X_i independent Hermitian d x d matrices of mean zero, each with a law of its own,
           lambda_max(X_i) <= R, sigma^2 = ||sum_i E X_i^2||, t > 0.
"""

from sympy import exp

from boundcheck import Claim, Holds
from boundcheck.expressions import greatest, largest_eigenvalue, operator_norm, total
from boundcheck.settings.concentration import t
from boundcheck.settings.random_matrices import P, atom, centred, d, deviation, i, values, variance

from . import AT_ZERO, TROPP

HERE = TROPP.at("Theorem 1.4")
A = values("A")
R = greatest(largest_eigenvalue(deviation(A, atom)), atom)
v = operator_norm(variance(A))
tail = P(largest_eigenvalue(total(centred(A, i), i)) >= t)
decay = exp(-(t**2) / 2 / (v + R * t / 3))

printed = Claim(HERE, Holds(tail <= d * decay), given=[v > 0], reading=AT_ZERO)
without_dimension = Claim(HERE, Holds(tail <= decay), given=[v > 0])
without_range = Claim(HERE, Holds(tail <= d * exp(-(t**2) / 2 / v)), given=[v > 0])
