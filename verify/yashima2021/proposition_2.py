"""Proposition 2: Bernstein's inequality for sums of random self-adjoint operators.

Setting    X takes the values A_k with weights tau, minus the mean; any positive S with
           E X^2 <= S; ||X||_op <= B almost surely; n independent copies.
"""

from sympy import log, sqrt

from boundcheck import Claim, WithProbability
from boundcheck.expressions import (
    define,
    greatest,
    index,
    named,
    operator_norm,
    outcome,
    parameter,
    total,
    trace,
    world,
)
from boundcheck.settings.averaged_sgd import delta
from boundcheck.settings.matrices import semidefinite, several
from boundcheck.worlds import Choice, Counts, Integer, Real, Weights

from . import ARXIV

K = world("K", Integer(1, searched=4), says="Number of values of X.")
tau = world("tau", Weights(K), says="Their law.")
A, excess = several("A", K, searched=(-1, 1)), semidefinite("excess")
share = world("share", Choice((0, 0, 1)), says="Whether S exceeds E X^2.")
B = parameter("B", Real(0, None), units={"matrix": 1})
n = parameter("n", Integer(1, wide=True, searched=10**9), says="Number of operators.")
counts = outcome("counts", Counts("counts", tau, n, over="the operators"))
i, k = index("i", K), index("k", K)

X = named("X_k", A[k] - total(tau[i] * A[i], i))
S = named("S", total(tau[k] * X**2, k) + share * excess)
norm_S = define("norm_S", operator_norm(S), latex=r"\|S\|_{op}")
beta = log(2 * trace(S) / (norm_S * delta))
deviation = operator_norm(total(counts[k] / n * X, k))

printed = Claim(
    ARXIV.at("Proposition 2, (65); AISTATS Appendix A"),
    WithProbability(1 - delta, deviation <= 2 * B * beta / (3 * n) + sqrt(2 * norm_S * beta / n)),
    given=[B > 0, greatest(operator_norm(X), k) <= B, norm_S > 0],
    reading="a positive operator S is not zero; S is E X^2 plus anything positive",
    cost=10,
)
