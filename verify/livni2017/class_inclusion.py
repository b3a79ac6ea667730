"""Section 4: functions with bounded weights against functions of bounded norm.

Setting    H_max: x -> <f, Phi(x)> with |f(w)| <= B for all w. H: the same with ||f|| < B.
Claim      H_max is contained in H, because |f(w)| < B gives E f(w)^2 < B^2. A function belongs to
           H iff the least norm among all f that represent it on the points is below B.
"""

from sympy import symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.online import inner
from boundcheck.quantities.online_comparators import least_norm
from boundcheck.worlds import Vector

from . import NOTES, POSITIVE, B, feature_space

largest, least, second_moment = symbols("largest least second_moment", real=True)


def weights(f, B):
    """Weights of a function, given in units of B."""
    return tuple(B * value for value in f)


setting = dict(
    worlds=feature_space(points=2, atoms=3).and_fields(f=Vector("K", -1, 1)),
    parameters={B: POSITIVE},
    measure={
        largest: lambda f, B: max(abs(value) for value in weights(f, B)),
        least: lambda psi, mu, f, B: least_norm(psi, mu, weights(f, B)),
        second_moment: lambda mu, f, B: inner(weights(f, B), weights(f, B), mu),
    },
    cost=3,
)

printed = Claim(
    source=NOTES.at("section 4, classes compared"),
    statement=Holds(least < B),
    given=[B > 0, largest <= B],
    uses=("livni2017/class_inclusion:step_note",),
    reading="Both classes as displayed: weights up to and including B, norms below B. The note "
    "before the inclusion is for weights below B.",
    **setting,
)

step_note = Claim(
    source=NOTES.at("section 4, classes compared"),
    statement=Holds(second_moment < B**2),
    given=[B > 0, largest < B],
    **setting,
)

repaired = Claim(
    source=NOTES.at("section 4, with a closed ball"),
    statement=Holds(least <= B),
    given=[B > 0, largest <= B],
    uses=("livni2017/class_inclusion:step_note",),
    **setting,
)
