"""Is lambda of section 5 small enough for Proposition 4?

Setting    the data law of section 5, logistic loss, Gaussian kernel, lambda = 1/1000.
Wide kernels  not so for diagonal squares and widths of 2/5 and more, by a bound for the law itself.
"""

from sympy import Rational, log

from boundcheck import Claim, Holds
from boundcheck.expressions import define, parameter
from boundcheck.settings import four_squares as law
from boundcheck.worlds import Real

from . import ARXIV
from ._experiment import LAMBDA, WIDTHS

NODES = 7
least_distance = define("least_distance", law.least_distance.of(LAMBDA, NODES, *WIDTHS))
width = parameter("width", Real("2/5", None), says="Of the kernel.")
distance = define("distance", law.corner_distance(width, LAMBDA))

printed = Claim(
    ARXIV.at("section 5 under Proposition 4; AISTATS section 5"),
    Holds(least_distance <= log(4) / 2),
    uses=("yashima2021/proposition_4:printed",),
    reading="The width of the kernel and the two squares are not printed, so the claim is given "
    "the most favourable ones. A quadrature law speaks against it at every width tried, which is "
    "no proof for the law of the text; `wide_kernels` is one.",
    cost=200,
)

wide_kernels = Claim(
    ARXIV.at("section 5 under Proposition 4, diagonal squares, widths from 2/5"),
    Holds(distance > log(4) / 2),
    given=[width >= Rational(2, 5)],
    reading="The converse of `printed` where it can be shown, at lambda = 1/1000.",
    cost=20,
)
