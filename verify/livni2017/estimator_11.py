"""(11): the estimate of <f_t, Phi(x_t)> as displayed.

Setting    f_t = sum_i alpha_i Phi(x_i), m draws, a feature w from mu.
Claim      E_t = (||alpha||_1 / m) sum_{i=1}^m sgn(alpha_i) psi(x_i; w) psi(x_t; w) is unbiased for
           <f_t, Phi(x_t)>. The paragraph before names <Phi(x_i), Phi(x_t)> as what E_t estimates.
"""

from sympy import Eq, sign

from boundcheck import Claim, Expected
from boundcheck.expressions import index, total
from boundcheck.settings.sampled_features import (
    I,
    N,
    Phi,
    alpha,
    feature,
    inner,
    m,
    output,
    product,
    psi,
    size,
    x,
)

from . import NOTES

i = index("i", m)
displayed = size / m * total(sign(alpha[i]) * psi[i, feature] * x[feature], i)
HERE = NOTES.at("(11)")

printed = Claim(
    HERE,
    Expected(Eq(displayed, product)),
    reading="The sum index is the index of alpha_i and x_i, as displayed; the target is "
    "<f_t, Phi(x_t)>, which the paragraph sets out to estimate.",
)

step_defined = Claim(
    HERE,
    Expected(Eq(displayed, product)),
    given=[m <= N],
    reading="As displayed, where the sum has a value: no more draws than points.",
)

step_target = Claim(
    NOTES.at("section 5, before (11)"),
    Expected(Eq(output, inner(Phi(I[0]), x))),
    given=[size > 0],
    uses=("livni2017/algorithm_2:printed",),
    reading="The paragraph calls E_t the estimate of <Phi(x_i), Phi(x_t)>, i the index drawn; here "
    "the first of the m indices, all of which have one law.",
    cost=8,
)

# The index and the feature are drawn anew for each of the m terms, as in Algorithm 2.
repaired = Claim(
    HERE,
    Expected(Eq(output, product)),
    uses=("livni2017/algorithm_2:printed",),
    cost=8,
)
