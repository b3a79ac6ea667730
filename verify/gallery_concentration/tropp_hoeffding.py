"""Tropp's matrix Hoeffding inequality.

Setting    X_i independent Hermitian d x d matrices of mean zero, each with a law of its own, fixed
           A_i with X_i^2 below A_i^2, v = ||sum_i A_i^2||, t > 0.
"""

from sympy import exp

from boundcheck import Claim, Holds
from boundcheck.expressions import (
    greatest,
    indicator,
    largest_eigenvalue,
    operator_norm,
    smallest_eigenvalue,
    total,
)
from boundcheck.settings.concentration import t
from boundcheck.settings.matrices import several
from boundcheck.settings.random_matrices import P, atom, centred, d, deviation, i, n, owner, values
from boundcheck.worlds.kinds import Hermitian

from . import AT_ZERO, TROPP

HERE = TROPP.at("Theorem 1.3")
B = values("B", searched=(-1, 1))
A = several("A", n, kind=Hermitian(d, searched=(-3, 3)))
room = smallest_eigenvalue(A[owner(atom)] ** 2 - deviation(B, atom) ** 2)
v = operator_norm(total(A[i] ** 2, i))
tail = P(largest_eigenvalue(total(centred(B, i), i)) >= t)
BELOW = [greatest(indicator(room < 0), atom) <= 0, v > 0]

printed = Claim(
    HERE, Holds(tail <= d * exp(-(t**2) / (8 * v))), given=BELOW, reading=AT_ZERO
)
without_dimension = Claim(HERE, Holds(tail <= exp(-(t**2) / (8 * v))), given=BELOW)
