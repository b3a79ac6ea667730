"""Rademacher complexity of an RKHS ball: a definition beside its estimator.

Setting    kernel k, points x_1..x_n, ball of radius Q in the RKHS of k, fair signs xi.
Claim      E_xi sup_{||f|| <= Q} (1/n) sum_i xi_i f(x_i) <= (Q/n) sqrt(sum_i k(x_i, x_i)).
"""

from flint import fmpq
from sympy import sqrt, symbols

from boundcheck import Claim, Expected
from boundcheck.claim import Rescaling
from boundcheck.exact import square_root
from boundcheck.quantities import facts, quantity
from boundcheck.worlds import Real, Signs, gram_matrices

from . import WORK, Q, n

norm, trace = symbols("norm trace", real=True)


def _norm(gram, Q, xi):
    from numpy import einsum, maximum, sqrt

    return Q * sqrt(maximum(einsum("...i,...ij,...j->...", xi, gram, xi), 0)) / gram.shape[-1]


@quantity(estimator=_norm)
def largest_mean(gram, Q, xi):
    """sup over the ball of (1/n) sum_i xi_i f(x_i), which is Q ||sum_i xi_i k(., x_i)|| / n."""
    size = gram.nrows()
    form = sum(xi[i] * xi[j] * gram[i, j] for i in range(size) for j in range(size))
    return Q * square_root(fmpq(form)) / size


@facts("nonnegative")
def kernel_trace(gram):
    """sum_i k(x_i, x_i)."""
    return sum((gram[i, i] for i in range(gram.nrows())), fmpq(0))


printed = Claim(
    source=WORK.at("Proposition 3"),
    statement=Expected(norm <= Q * sqrt(trace) / n),
    given=[Q > 0],
    worlds=gram_matrices(),
    parameters={Q: Real(0, None)},
    measure={norm: largest_mean, trace: kernel_trace},
    draw=Signs("xi", "n", over="the signs"),
    rescalings=(Rescaling("kernels by s^2, Q by s^-1", {"gram": 2, "Q": -1}),),
    uses=("first_version/khintchine:printed",),
)
