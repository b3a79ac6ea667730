"""Matrix Bernstein for signed sums.

Setting    S = sum_i xi_i A_i with fair signs xi and symmetric d x d matrices A_i, ||A_i|| <= L,
           v = ||sum_i A_i^2||, t > 0.
Claim      P(lambda_max(S) >= t) <= d exp(-t^2 / (2 (v + L t / 3))).
False      without the dimension factor d.
"""

import itertools

from flint import fmpq
from sympy import exp, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.matrices import is_positive_definite
from boundcheck.quantities.operators import identity, operator_norm
from boundcheck.worlds import Integer, Real, Space, Symmetric, Tuples

from . import TROPP, d, t, tail

v, L = symbols("v L", real=True)


def tail_of(A, d, t):
    """P(lambda_max(S) >= t): the sum reaches t where t I - S is not positive definite."""
    hits = 0
    for signs in itertools.product((1, -1), repeat=len(A)):
        total = sum((a * s for a, s in zip(A, signs, strict=True)), A[0] * 0)
        hits += not is_positive_definite(identity(d) * t - total)
    return fmpq(hits, 2 ** len(A))


def spread(A):
    """v."""
    return operator_norm(sum((a * a for a in A), A[0] * 0))


def largest_norm(A):
    """L."""
    norms = [operator_norm(a) for a in A]
    top = norms[0]
    for norm in norms[1:]:
        top = top.max(norm)
    return top


SETTING = {
    "given": [t > 0, v > 0],
    "worlds": Space(n=Integer(1, searched=3), d=Integer(1, searched=3),
        A=Tuples("n", Symmetric("d"))),
    "parameters": {t: Real(0, 4)},
    "measure": {tail: tail_of, v: spread, L: largest_norm},
}
decay = exp(-(t**2) / (2 * (v + L * t / 3)))

printed = Claim(
    source=TROPP.at("Theorem 1.4"), statement=Holds(tail <= d * decay), **SETTING
)
without_dimension = Claim(
    source=TROPP.at("Theorem 1.4, dimension lost"), statement=Holds(tail <= decay), **SETTING
)
