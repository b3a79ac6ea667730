"""Section 6: the toy data against the assumptions of section 2.

Setting    T = 200 points in R^D, D = 550, 600, ..., 800; entries max(0, g) with g standard normal;
           a feature is a uniform coordinate, psi(x; w) = x_w.
Claim      |psi(x; w)| < 1 for all w and x, the only assumption on features; and D > T, so that T
           features cannot reveal all coordinates.
"""

from sympy import Rational, erf, sqrt

from boundcheck import Claim, Holds
from boundcheck.expressions import parameter
from boundcheck.worlds import Choice

from . import NOTES
from ._experiment import TOY

D = parameter("D", Choice(TOY.dimensions), says="Number of coordinates.")
T = parameter("T", Choice((TOY.rounds,)), says="Number of points.")
entry_below_one = Rational(1, 2) * (1 + erf(1 / sqrt(2)))

printed = Claim(
    NOTES.at("section 6 against section 2"),
    Holds(entry_below_one ** (D * T) >= 1),
    reading="The assumption is on every feature value, so it must hold with probability one.",
)

step_dimension = Claim(
    NOTES.at("section 6"),
    Holds(D > T),
)
