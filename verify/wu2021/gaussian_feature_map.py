"""Section 2: the feature map of the Gaussian kernel on the line.

Setting    x, x' real, k(x, x') = exp(-(x - x')^2 / 2),
           Phi(x) = exp(-x^2/2) (1, x, x^2/sqrt(2!), ..., x^j/sqrt(j!), ...).
"""

from sympy import And, Eq, exp

from boundcheck import Claim, Holds
from boundcheck.expressions import world
from boundcheck.quantities.rkhs import gaussian_features, gaussian_series
from boundcheck.worlds import Real

from . import NOTES

x, z = (world(name, Real(None, None, searched=(-4, 4))) for name in "xz")

printed = Claim(
    NOTES.at("Section 2, Gaussian kernel"),
    Holds(
        And(
            Eq(exp(-((x - z) ** 2) / 2), exp(-(x**2) / 2 - z**2 / 2) * exp(x * z)),
            Eq(exp(-(x**2) / 2 - z**2 / 2) * exp(x * z), gaussian_series(x, z)),
            Eq(gaussian_series(x, z), gaussian_features(x, z)),
        )
    ),
    reading="the sum starts at j = 0",
    cost=4.0,
)
