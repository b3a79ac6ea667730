"""Section 2: the feature map of the Gaussian kernel on the line.

Setting    x, x' real, k(x, x') = exp(-(x - x')^2 / 2),
           Phi(x) = exp(-x^2/2) (1, x, x^2/sqrt(2!), ..., x^j/sqrt(j!), ...).
Claim      k(x, x') = exp(-x^2/2 - x'^2/2) e^{x x'}
           = exp(-x^2/2 - x'^2/2) sum_j (x x')^j / j! = <Phi(x), Phi(x')>.
"""

from sympy import And, Eq, exp, symbols

from boundcheck import Claim, Holds
from boundcheck.exact import square_root, to_ball
from boundcheck.quantities.rkhs import gaussian_series
from boundcheck.worlds import Real, Space

from . import NOTES

x, z, series, inner = symbols("x z series inner", real=True)


def feature_inner_product(x, z):
    """<Phi(x), Phi(x')>: products of features x^j / sqrt(j!), the tail enclosed as in the series.

    The features beyond the last one contribute at most the tail of e^|xz|.
    """
    terms = 3 * int(abs(x * z)) + 220
    left, right, total = to_ball(1), to_ball(1), to_ball(1)
    for j in range(1, terms):
        root = square_root(j)
        left, right = left * x / root, right * z / root
        total += left * right
    tail = (abs(left * right) * abs(to_ball(x * z)).exp()).abs_upper()
    prefactor = (to_ball(-(x * x)) / 2).exp() * (to_ball(-(z * z)) / 2).exp()
    return (total + type(total)(0, tail)) * prefactor


printed = Claim(
    source=NOTES.at("Section 2, Gaussian kernel"),
    statement=Holds(
        And(
            Eq(exp(-((x - z) ** 2) / 2), exp(-(x**2) / 2 - z**2 / 2) * exp(x * z)),
            Eq(exp(-(x**2) / 2 - z**2 / 2) * exp(x * z), series),
            Eq(series, inner),
        )
    ),
    worlds=Space(x=Real(-4, 4), z=Real(-4, 4)),
    measure={series: gaussian_series, inner: feature_inner_product},
    reading="the sum starts at j = 0",
    cost=4.0,
)
