"""Remark 2: that Theorem 1 matches Theorem 2 and cannot be improved.

Setting    that of Theorem 2 with at least two points, where b = 1, in the regime of its footnote,
           lambda >= n^(-1/2) as in Theorem 1 but for logarithms; alpha = (K + n lambda I)^-1 y.
Claim      up to one constant the upper bound (4/s) ||K^(1/2) alpha||^2 of Theorem 1 is at most the
           lower bound (1/s) ||(K - K^2 / n)^(1/2) alpha||^2 of Theorem 2 and at most
           E (f~ - f)^2.
Matching   the first half, the two bounds agree, for every lambda of Theorem 2.
High dimension  the second half for orthonormal points, the limit of growing dimension.
"""

from sympy import And

from boundcheck import Claim, UpToConstant
from boundcheck.settings.sign_features import angles, design, n, ridge, s, upper_norm, y
from boundcheck.worlds import Integer

from . import NOTES
from ._sphere import FAMILIES, FOOTNOTE
from .theorem_2 import ALLOWED, ORTHONORMAL, REGIME, mse, norm, of_kind

upper = upper_norm(design, angles, y, ridge)
matches, attained = 4 / s * upper <= 1 / s * norm, 4 / s * upper <= mse
# A single point is predicted without error by both methods up to shrinkage; it says nothing.
SEVERAL = {n: Integer(2, searched=3)}

printed = Claim(
    NOTES.at("Remark 2"),
    UpToConstant(And(matches, attained)),
    given=REGIME,
    domains=SEVERAL,
    families=FOOTNOTE,
    uses=("wang2019/theorem_1:printed", "wang2019/theorem_2:printed"),
    reading="Bounds match if they agree up to an absolute constant, and a bound is optimal if the "
    "example that is to show it, that of Theorem 2, attains it up to a constant; in a regime that "
    "both theorems cover up to logarithms, and for points as even as in theorem_2, two at least, "
    "as at one point the two predictions agree and the lower bound is zero. That terms can be "
    "taken off the bound at no price is the claim combination_23:sharpened.",
    cost=8.0,
)
matching = Claim(
    NOTES.at("Remark 2"),
    UpToConstant(matches),
    given=ALLOWED,
    domains=SEVERAL,
    families=FAMILIES,
    reading="The two bounds compared with each other, whether they hold or not, for points as "
    "even as in theorem_2, two at least: at one point the lower one is zero.",
    cost=8.0,
)
high_dimension = Claim(
    NOTES.at("Remark 2"),
    UpToConstant(attained),
    given=REGIME,
    domains={**SEVERAL, **ORTHONORMAL},
    families=of_kind("orthonormal", FOOTNOTE),
    reading="Theorem 1 is of the right order for some data if it is attained on one family; two "
    "points at least.",
    cost=8.0,
)
