"""Section 5: for given directions, sqrt(s) Psi as a random sign matrix.

Setting    directions v_1..v_s given, x uniform on the unit circle, entries sgn(x^T v_l).
Claim      the entries of a row are independent fair signs: each of the 2^s sign patterns has
           probability 2^-s.
"""

from sympy import Eq

from boundcheck import Claim, Holds
from boundcheck.expressions import world
from boundcheck.settings.sign_features import pattern_probability, separation
from boundcheck.worlds import Choice, Integer, Tuples, Vector

from . import NOTES

s = world("s", Integer(1, searched=4), says="Number of directions.")
directions = world("directions", Vector(s, 0, 1), says="Directions in turns.")
pattern = world("pattern", Tuples(s, Choice((1, -1))), rank=1, says="A pattern of signs.")

printed = Claim(
    NOTES.at("Section 5, after (28)"),
    Holds(Eq(pattern_probability(directions, pattern), 2 ** (-s))),
    # Directions coincide or are antipodal with probability zero.
    given=[separation(directions) > 0],
    reading="Rows are independent, so a row decides. On the circle, directions in turns; a pair of "
    "directions spans a plane, onto which a uniform point of any sphere projects uniformly, so "
    "what fails for s = 2 fails in every dimension.",
)
