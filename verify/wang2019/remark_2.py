"""Remark 2: that Theorem 1 matches Theorem 2 and cannot be improved.

Setting    that of Theorem 2 with at least two points, where b = 1, in the regime of its footnote,
           lambda >= n^(-1/2) as in Theorem 1 but for logarithms; alpha = (K + n lambda I)^-1 y.
Claim      up to one constant the upper bound (4/s) ||K^(1/2) alpha||^2 of Theorem 1 is at most the
           lower bound (1/s) ||(K - K^2 / n)^(1/2) alpha||^2 of Theorem 2 and at most
           E (f~ - f)^2.
Matching   the first half, the two bounds agree, for every lambda of Theorem 2.
High dimension  the second half for orthonormal points, the limit of growing dimension.
"""

from sympy import And, sqrt, symbols

from boundcheck import Claim, UpToConstant
from boundcheck.quantities.sign_features import lower_form, sign_difference, upper_form
from boundcheck.worlds import Choice, Integer, Real

from . import NOTES, mse, n, ridge, s
from ._sphere import FAMILIES, FOOTNOTE, WORLDS, separation

upper, lower, apart = symbols("upper lower apart", real=True)
MATCH = 4 / s * upper <= 1 / s * lower
ATTAINED = 4 / s * upper <= mse
# A single point is predicted without error by both methods up to shrinkage; it says nothing.
SEVERAL = WORLDS.and_fields(n=Integer(2, searched=3))
SETTING = {
    "worlds": SEVERAL,
    "parameters": {s: Integer(1, wide=True, searched=10**12), ridge: Real(0, None, open_low=True)},
    "cost": 8.0,
}
# Points coincide or are antipodal with probability zero.
ALLOWED = [s * ridge >= 1, apart > 0]
REGIME = [*ALLOWED, ridge >= 1 / sqrt(n), s >= sqrt(n)]

printed = Claim(
    source=NOTES.at("Remark 2"),
    statement=UpToConstant(And(MATCH, ATTAINED)),
    given=REGIME,
    measure={upper: upper_form, lower: lower_form, mse: sign_difference, apart: separation},
    families=FOOTNOTE,
    uses=("wang2019/theorem_1:printed", "wang2019/theorem_2:printed"),
    reading="Bounds match if they agree up to an absolute constant, and a bound is optimal if the "
    "example that is to show it, that of Theorem 2, attains it up to a constant; in a regime that "
    "both theorems cover up to logarithms. That terms can be taken off the bound at no price is "
    "the claim combination_23:sharpened.",
    **SETTING,
)

matching = Claim(
    source=NOTES.at("Remark 2"),
    statement=UpToConstant(MATCH),
    given=ALLOWED,
    measure={upper: upper_form, lower: lower_form, apart: separation},
    families=FAMILIES,
    reading="The two bounds compared with each other, whether they hold or not.",
    **SETTING,
)

high_dimension = Claim(
    source=NOTES.at("Remark 2"),
    statement=UpToConstant(ATTAINED),
    given=REGIME,
    measure={upper: upper_form, mse: sign_difference, apart: separation},
    families=tuple(family for family in FOOTNOTE if "orthonormal" in family.name),
    reading="Theorem 1 is of the right order for some data if it is attained on one family.",
    **{**SETTING, "worlds": SEVERAL.and_fields(design=Choice(("orthonormal",)))},
)
