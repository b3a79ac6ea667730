"""Section 5: for given directions, sqrt(s) Psi as a random sign matrix.

Setting    directions v_1..v_s given, x uniform on the unit circle, entries sgn(x^T v_l).
Claim      the entries of a row are independent fair signs: each of the 2^s sign patterns has
           probability 2^-s.
"""

from flint import fmpq
from sympy import Eq, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities import renamed
from boundcheck.quantities.features import circle_patterns
from boundcheck.worlds import Choice, Integer, Space, Tuples, Vector

from . import NOTES, s
from ._sphere import separation

probability, apart = symbols("probability apart", real=True)


def pattern_probability(directions, pattern):
    """P(sgn(x^T v_l) = pattern_l for all l), x uniform on the circle."""
    law = circle_patterns(directions)
    return sum((weight for weight, signs in law if signs == pattern), fmpq(0))


WORLDS = Space(
    s=Integer(1, searched=4),
    directions=Vector("s", 0, 1),
    pattern=Tuples("s", Choice((1, -1))),
)

printed = Claim(
    source=NOTES.at("Section 5, after (28)"),
    statement=Holds(Eq(probability, 2 ** (-s))),
    # Directions coincide or are antipodal with probability zero.
    given=[apart > 0],
    worlds=WORLDS,
    measure={
        probability: pattern_probability,
        apart: renamed(separation, angles="directions"),
    },
    reading="Rows are independent, so a row decides. On the circle, directions in turns; a pair of "
    "directions spans a plane, onto which a uniform point of any sphere projects uniformly, so "
    "what fails for s = 2 fails in every dimension.",
)
