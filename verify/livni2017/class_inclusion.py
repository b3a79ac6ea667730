"""Section 4: functions with bounded weights against functions of bounded norm.

Setting    H_max: x -> <f, Phi(x)> with |f(w)| <= B for all w. H: the same with ||f|| < B.
Claim      H_max is contained in H, because |f(w)| < B gives E f(w)^2 < B^2. A function belongs to
           H iff the least norm among all f that represent it on the points is below B.
"""

from sympy import Abs

from boundcheck import Claim, Holds
from boundcheck.expressions import at, define, greatest, world
from boundcheck.settings.sampled_features import B, K, least_norm, mu, psi, squared_norm, w
from boundcheck.worlds import Integer, Vector

from . import NOTES

direction = world("direction", Vector(K, searched=(-1, 1)), says="f in units of B.")
f = define("f", B * direction)
largest = greatest(Abs(at(f, w)), w)
least = least_norm(psi, mu, f)
setting = dict(domains={K: Integer(1, searched=3)}, cost=3)

printed = Claim(
    NOTES.at("section 4, classes compared"),
    Holds(least < B),
    given=[B > 0, largest <= B],
    uses=("livni2017/class_inclusion:step_note",),
    reading="Both classes as displayed: weights up to and including B, norms below B. The note "
    "before the inclusion is for weights below B.",
    **setting,
)

step_note = Claim(
    NOTES.at("section 4, classes compared"),
    Holds(squared_norm(f) < B**2),
    given=[B > 0, largest < B],
    **setting,
)

repaired = Claim(
    NOTES.at("section 4, with a closed ball"),
    Holds(least <= B),
    given=[B > 0, largest <= B],
    uses=("livni2017/class_inclusion:step_note",),
    **setting,
)
