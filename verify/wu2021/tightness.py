"""Section 4.1: the Lipschitz constant behind the bounds for the square loss.

Setting    differences of two functions with values in [-1, 1], which is where T(f) - f* lies.
Claim      t -> t^2 / 2 has Lipschitz constant at most one there.
Repair     at most two.
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
    reading="the narrowest range that the estimator allows; on the line the constant is infinite; "
    "the remark on fast rates names no condition and is not a claim",
    **shared,
)

repaired = Claim(
    source=NOTES.at("Section 4.1, repaired"),
    statement=Holds(Abs(t**2 / 2 - s**2 / 2) <= 2 * Abs(t - s)),
    **shared,
)
