"""Matrix Bernstein for signed sums.

Setting    S = sum_i xi_i A_i with fair signs xi and symmetric d x d matrices A_i, ||A_i|| <= L,
           v = ||sum_i A_i^2||, t > 0.
Claim      P(lambda_max(S) >= t) <= d exp(-t^2 / (2 (v + L t / 3))).
False      without the dimension factor d.
"""

from sympy import exp

from boundcheck import Claim, Holds
from boundcheck.expressions import greatest, largest_eigenvalue, operator_norm, probability, total
from boundcheck.settings.concentration import i, n, signs, t
from boundcheck.settings.matrices import d, several

from . import TROPP

A = several("A", n)
S = total(signs[i] * A[i], i)
L = greatest(operator_norm(A[i]), i)
v = operator_norm(total(A[i] ** 2, i))
tail = probability(largest_eigenvalue(S) >= t, signs)
decay = exp(-(t**2) / (2 * (v + L * t / 3)))

printed = Claim(TROPP.at("Theorem 1.4"), Holds(tail <= d * decay), given=[v > 0])
without_dimension = Claim(
    TROPP.at("Theorem 1.4, dimension lost"), Holds(tail <= decay), given=[v > 0]
)
