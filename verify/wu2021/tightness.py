"""Section 4.1: the Lipschitz constant behind the bounds for the square loss.

Setting    differences of two functions with values in [-1, 1], which is where T(f) - f* lies.
Claim      t -> t^2 / 2 has Lipschitz constant at most one there.
Repair     at most two. One is right only for differences within [-1, 1] (within_one).
"""

from sympy import Abs, symbols

from boundcheck import Claim, Holds
from boundcheck.worlds import Real

from . import NOTES

t, s = symbols("t s", real=True)

shared = {
    "given": [t >= -2, t <= 2, s >= -2, s <= 2],
    "parameters": {t: Real(-2, 2), s: Real(-2, 2)},
    "cost": 0.3,
}

printed = Claim(
    source=NOTES.at("Section 4.1"),
    statement=Holds(Abs(t**2 / 2 - s**2 / 2) <= Abs(t - s)),
    uses=("wu2021/theorem_4_3:step_lipschitz",),
    reading="the narrowest range that the estimator allows, as in the constant 2 (2 + sigma) for "
    "t^2 in the proof of Theorem 4.3; on the line the constant is infinite; the remark on fast "
    "rates names no condition and is not a claim",
    **shared,
)

repaired = Claim(
    source=NOTES.at("Section 4.1, repaired"),
    statement=Holds(Abs(t**2 / 2 - s**2 / 2) <= 2 * Abs(t - s)),
    **shared,
)

within_one = Claim(
    source=NOTES.at("Section 4.1"),
    statement=Holds(Abs(t**2 / 2 - s**2 / 2) <= Abs(t - s)),
    given=[t >= -1, t <= 1, s >= -1, s <= 1],
    parameters={t: Real(-1, 1), s: Real(-1, 1)},
    reading="differences that are at most one in modulus, which nothing in the setting grants",
    cost=0.3,
)
