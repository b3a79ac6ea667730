"""Algorithm 2: estimating a scalar product from sampled features.

Setting    coefficients alpha, points x_1..x_N, a point x, m draws of an index i with probability
           |alpha_i| / ||alpha||_1 and of a feature w from mu.
Claim      (||alpha||_1 / m) sum_k sgn(alpha_i) psi(x_i; w) psi(x; w) has expectation
           <sum_i alpha_i Phi(x_i), Phi(x)>; for alpha = 0 the output is 0.
"""

from sympy import Eq

from boundcheck import Claim, Expected
from boundcheck.quantities.online import estimated_product, row
from boundcheck.worlds import Integer

from . import NOTES, Picks, combinations, estimate, m, product, product_of_given


def output(alpha, psi, x, i, w):
    """Algorithm 2 as printed, for the drawn indices i and features w."""
    rows = [row(psi, index) for index in range(psi.nrows())]
    return estimated_product(alpha, rows, x, list(zip(i, w, strict=True)))


printed = Claim(
    source=NOTES.at("Algorithm 2"),
    statement=Expected(Eq(estimate, product)),
    worlds=combinations(points=3, atoms=2),
    parameters={m: Integer(1, searched=3)},
    measure={estimate: output, product: product_of_given},
    draw=Picks(),
    cost=8,
)
