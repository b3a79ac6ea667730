"""Section 4.4: difference of two inverses, quoted for the last equality before (19).

Setting    A, B invertible matrices of one size.
Repaired   the last factor is B^-1.
"""

from sympy import Eq, Ne

from boundcheck import Claim, Holds
from boundcheck.expressions import determinant
from boundcheck.settings.matrices import square

from . import NOTES

A, B = square("A"), square("B")
INVERTIBLE = [Ne(determinant(A), 0), Ne(determinant(B), 0)]

printed = Claim(
    NOTES.at("Section 4.4"),
    Holds(Eq(A**-1 - B**-1, A**-1 * (B - A) * B)),
    given=INVERTIBLE,
)
repaired = Claim(
    NOTES.at("Section 4.4"),
    Holds(Eq(A**-1 - B**-1, A**-1 * (B - A) * B**-1)),
    given=INVERTIBLE,
)
