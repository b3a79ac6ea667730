"""Section 4.1: the Lipschitz constant behind the bounds for the square loss.

Setting    differences of two functions with values in [-1, 1], which is where T(f) - f* lies.
Repair     at most two. One is right only for differences within [-1, 1] (within_one).
"""

from sympy import Abs

from boundcheck import Claim, Holds
from boundcheck.expressions import parameter
from boundcheck.worlds import Real

from . import NOTES

t, s = (parameter(name, Real(-2, 2)) for name in ("t", "s"))
difference = Abs(t**2 / 2 - s**2 / 2)

printed = Claim(
    NOTES.at("Section 4.1"),
    Holds(difference <= Abs(t - s)),
    uses=("wu2021/theorem_4_3:step_lipschitz",),
    reading="the narrowest range that the estimator allows, as in the constant 2 (2 + sigma) for "
    "t^2 in the proof of Theorem 4.3; on the line the constant is infinite; the remark on fast "
    "rates names no condition and is not a claim",
    cost=0.3,
)
repaired = Claim(NOTES.at("Section 4.1, repaired"), Holds(difference <= 2 * Abs(t - s)), cost=0.3)
within_one = Claim(
    NOTES.at("Section 4.1"),
    Holds(difference <= Abs(t - s)),
    domains={t: Real(-1, 1), s: Real(-1, 1)},
    reading="differences that are at most one in modulus, which nothing in the setting grants",
    cost=0.3,
)
