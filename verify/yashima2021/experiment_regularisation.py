"""Is lambda of section 5 small enough for Proposition 4?

Setting    the data law of section 5, logistic loss, Gaussian kernel, lambda = 1/1000.
Claim      ||g_lambda - g_*||_inf <= m(delta)/2 with m = log 4, for some kernel width.
Wide kernels  not so for diagonal squares and widths of 2/5 and more, by a bound for the law itself.
"""

from functools import cache

from flint import fmpq
from sympy import Rational, log, symbols

from boundcheck import Claim, Holds
from boundcheck.errors import Undecided
from boundcheck.quantities.four_cells import LAYOUTS, corner_distance, regularisation_distance
from boundcheck.worlds import Real

from . import ARXIV
from ._experiment import LAMBDA, WIDTHS

least_distance, distance, width = symbols("least_distance distance width", real=True)
NODES = 7


@cache
def least_on_nodes():
    """The least distance over layouts and widths, for a law on 14 x 14 nodes."""
    return min(
        float(regularisation_distance(layout, value, LAMBDA, NODES).mid())
        for layout in LAYOUTS
        for value in WIDTHS
    )


def most_favourable():
    """The least distance over layouts and widths: not certified for the law itself."""
    raise Undecided(
        f"for a law on {2 * NODES} x {2 * NODES} nodes the least distance over {len(WIDTHS)} "
        f"widths and both layouts is {least_on_nodes():.3f}; for the law itself it is not certified"
    )


def distance_at_corner(width):
    """Lower bound of the distance, diagonal squares."""
    return corner_distance(fmpq(width), LAMBDA)


printed = Claim(
    source=ARXIV.at("section 5 under Proposition 4; AISTATS section 5"),
    statement=Holds(least_distance <= log(4) / 2),
    measure={least_distance: most_favourable},
    uses=("yashima2021/proposition_4:printed",),
    reading="The width of the kernel and the two squares are not printed, so the claim is given "
    "the most favourable ones. A quadrature law speaks against it at every width tried, which is "
    "no proof for the law of the text; `wide_kernels` is one.",
    cost=200,
)

wide_kernels = Claim(
    source=ARXIV.at("section 5 under Proposition 4, diagonal squares, widths from 2/5"),
    statement=Holds(distance > log(4) / 2),
    given=[width >= Rational(2, 5)],
    parameters={width: Real("2/5", None)},
    measure={distance: distance_at_corner},
    reading="The converse of `printed` where it can be shown, at lambda = 1/1000.",
    cost=20,
)
