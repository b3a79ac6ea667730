"""Section 4.4: difference of two inverses, quoted for the last equality before (19).

Setting    A, B invertible matrices of one size.
Claim      A^-1 - B^-1 = A^-1 (B - A) B.
Repaired   the last factor is B^-1.
"""

from sympy import Eq, Ne, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities import renamed
from boundcheck.worlds import Integer, Matrix, Space

from . import NOTES

A, B = symbols("A B", commutative=False)
det_A, det_B = symbols("det_A det_B", real=True)


def determinant(matrix):
    """Determinant of a square matrix."""
    return matrix.det()


DETERMINANTS = {det_A: renamed(determinant, matrix="A"), det_B: renamed(determinant, matrix="B")}
WORLDS = Space(d=Integer(1, searched=3), A=Matrix("d", "d", searched=(-2, 2)),
    B=Matrix("d", "d", searched=(-2, 2)))

printed = Claim(
    source=NOTES.at("Section 4.4"),
    statement=Holds(Eq(A**-1 - B**-1, A**-1 * (B - A) * B)),
    given=[Ne(det_A, 0), Ne(det_B, 0)],
    worlds=WORLDS,
    measure=DETERMINANTS,
)

repaired = Claim(
    source=NOTES.at("Section 4.4"),
    statement=Holds(Eq(A**-1 - B**-1, A**-1 * (B - A) * B**-1)),
    given=[Ne(det_A, 0), Ne(det_B, 0)],
    worlds=WORLDS,
    measure=DETERMINANTS,
)
