"""Proposition 4.1: Rademacher complexity of an RKHS ball.

Setting    kernel k, points x_1..x_n, ball of radius Q in the RKHS of k, fair signs xi.
Claim      E_xi sup_{||f|| <= Q} (1/n) sum_i xi_i f(x_i) <= (Q/n) sqrt(sum_i k(x_i, x_i)).
"""

from sympy import sqrt, symbols

from boundcheck import Claim, Expected
from boundcheck.quantities.complexity import kernel_trace, rademacher_complexity
from boundcheck.worlds import Real, gram_matrices

from . import NOTES, Q, n

complexity, trace = symbols("complexity trace", real=True)

printed = Claim(
    source=NOTES.at("Proposition 4.1"),
    statement=Expected(complexity <= Q * sqrt(trace) / n),
    given=[Q > 0],
    worlds=gram_matrices(),
    parameters={Q: Real(0, None)},
    measure={complexity: rademacher_complexity, trace: kernel_trace},
    uses=("wu2021/lemma_3_2:printed",),
)
