"""(11): the estimate of <f_t, Phi(x_t)> as displayed.

Setting    f_t = sum_i alpha_i Phi(x_i), m draws, a feature w from mu.
Claim      E_t = (||alpha||_1 / m) sum_{i=1}^m sgn(alpha_i) psi(x_i; w) psi(x_t; w) is unbiased for
           <f_t, Phi(x_t)>. The paragraph before names <Phi(x_i), Phi(x_t)> as what E_t estimates.
"""

from flint import fmpq
from sympy import Eq, symbols

from boundcheck import Claim, Expected
from boundcheck.errors import Undefined
from boundcheck.quantities.online import inner, l1_norm, row, sign
from boundcheck.worlds import Integer, Listed

from . import NOTES, Picks, combinations, estimate, m, product, product_of_given
from .algorithm_2 import output
from .setup import features


def displayed(alpha, psi, x, m, w):
    """(11): the sum runs over the first m coefficients, with one feature for all of them."""
    if m > len(alpha):
        raise Undefined(f"x_{m} is not among the {len(alpha)} points of f_t")
    terms = [sign(alpha[i]) * psi[i, w] * x[w] for i in range(m)]
    return l1_norm(alpha) / m * sum(terms)


def kernel_of_first(alpha, psi, x, mu, i):
    """<Phi(x_i), Phi(x_t)> for the first index drawn; 0 where none is, for alpha = 0."""
    return inner(row(psi, i[0]), x, mu) if i else fmpq(0)


setting = dict(source=NOTES.at("(11)"), statement=Expected(Eq(estimate, product)))
literal = dict(
    worlds=combinations(points=3),
    parameters={m: Integer(1, searched=3)},
    measure={estimate: displayed, product: product_of_given},
    draw=Listed(("w",), features, over="the feature"),
)
N, kernel = symbols("N kernel", real=True)

printed = Claim(
    **literal,
    reading="The sum index is the index of alpha_i and x_i, as displayed; the target is "
    "<f_t, Phi(x_t)>, which the paragraph sets out to estimate.",
    **setting,
)

step_defined = Claim(
    given=[m <= N],
    **literal,
    reading="As displayed, where the sum has a value: no more draws than points.",
    **setting,
)

step_target = Claim(
    source=NOTES.at("section 5, before (11)"),
    statement=Expected(Eq(estimate, kernel)),
    worlds=combinations(points=3),
    parameters={m: Integer(1, searched=2)},
    measure={estimate: output, kernel: kernel_of_first},
    draw=Picks(),
    uses=("livni2017/algorithm_2:printed",),
    reading="The paragraph calls E_t the estimate of <Phi(x_i), Phi(x_t)>, i the index drawn; here "
    "the first of the m indices, all of which have one law.",
    cost=8,
)

# The index and the feature are drawn anew for each of the m terms, as in Algorithm 2.
repaired = Claim(
    worlds=combinations(points=3),
    parameters={m: Integer(1, searched=3)},
    measure={estimate: output, product: product_of_given},
    draw=Picks(),
    uses=("livni2017/algorithm_2:printed",),
    cost=8,
    **setting,
)
