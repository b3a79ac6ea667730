"""Remark 2: that Theorem 1 matches Theorem 2 and cannot be improved.

Setting    that of Theorem 2, where b = 1.
Claim      the upper bound (4/s) ||K^(1/2) alpha||^2 of Theorem 1 is at most a constant times the
           lower bound (1/s) ||(K - K^2 / n)^(1/2) alpha||^2, alpha = (K + n lambda I)^-1 y.
Optimal    in the setting of Theorem 2 it is at most a constant times E (f~ - f)^2.
"""

from sympy import symbols

from boundcheck import Claim, UpToConstant
from boundcheck.quantities.sign_features import lower_form, sign_difference, upper_form
from boundcheck.worlds import Integer, Real

from . import NOTES, mse, ridge, s
from ._sphere import FAMILIES, WORLDS, separation

upper, lower, apart = symbols("upper lower apart", real=True)
SETTING = {
    # Points coincide or are antipodal with probability zero.
    "given": [s * ridge >= 1, apart > 0],
    "worlds": WORLDS,
    "parameters": {s: Integer(1, 10**12, wide=True), ridge: Real(0, None, open_low=True)},
    "families": FAMILIES,
    "cost": 8.0,
}

printed = Claim(
    source=NOTES.at("Remark 2"),
    statement=UpToConstant(4 / s * upper <= 1 / s * lower),
    measure={upper: upper_form, lower: lower_form, apart: separation},
    uses=("wang2019/theorem_1:printed", "wang2019/theorem_2:printed"),
    reading="Matching bounds are bounds that agree up to an absolute constant.",
    **SETTING,
)

optimal = Claim(
    source=NOTES.at("Remark 2"),
    statement=UpToConstant(4 / s * upper <= mse),
    measure={upper: upper_form, mse: sign_difference, apart: separation},
    uses=("wang2019/theorem_2:printed",),
    reading="A bound that cannot be improved is met up to a constant by the example of Theorem 2.",
    **SETTING,
)
