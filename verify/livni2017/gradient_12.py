"""(12): the gradient estimate as displayed.

Setting    x_t a point, E_t the output of Algorithm 2 for <f_t, Phi(x_t)>.
Claim      (E_t - y_t) x_t is an unbiased estimate of the gradient (<f_t, Phi(x_t)> - y_t) Phi(x_t).
"""

from sympy import Eq, symbols

from boundcheck import Claim, Expected
from boundcheck.quantities.operators import column
from boundcheck.worlds import Integer, Real, Vector

from . import NOTES, Estimates, combinations, m, product_of_given

d, K = symbols("d K", real=True)
noisy, gradient = symbols("noisy gradient", commutative=False)


def along(vector, scale):
    """A multiple of a vector, as a column."""
    return column(tuple(scale * value for value in vector))


setting = dict(
    source=NOTES.at("(12)"),
    statement=Expected(Eq(noisy, gradient)),
    worlds=combinations().and_fields(
        d=Integer(1, searched=3), coordinates=Vector("d", searched=(-5, 5)), y=Real(-1, 1)
    ),
    parameters={m: Integer(1, searched=3)},
    draw=Estimates(),
    uses=("livni2017/algorithm_2:printed", "livni2017/loss_gradient:printed"),
    cost=3,
)


def exact_gradient(alpha, psi, x, mu, y):
    """(9) at f = sum_i alpha_i Phi(x_i)."""
    return along(x, product_of_given(alpha, psi, x, mu) - y)


printed = Claim(
    measure={
        noisy: lambda coordinates, estimate, y: along(coordinates, estimate - y),
        gradient: exact_gradient,
    },
    reading="Points are vectors with coordinates of their own; x is the values of Phi(x_t).",
    **setting,
)

step_same_length = Claim(
    measure=printed.measure,
    given=[Eq(d, K)],
    reading="As displayed, for points with as many coordinates as there are features.",
    **setting,
)

repaired = Claim(
    measure={noisy: lambda x, estimate, y: along(x, estimate - y), gradient: exact_gradient},
    **setting,
)
