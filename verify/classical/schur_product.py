"""Schur's product theorem.

Setting    positive semi-definite A, B; u any vector; o is the entrywise product.
Claim      0 <= u^T (A o B) u.
False      A o B <= A B as quadratic forms; 0 <= u^T ((A - B) o A) u.
"""

from flint import fmpq_mat

from boundcheck import Claim, Holds
from boundcheck.quantities.operators import quadratic_form
from boundcheck.worlds import Gram, Integer, Space, Vector

from . import SCHUR, left, right


def entrywise(A, B):
    """The entrywise product."""
    pairs = zip(A.entries(), B.entries(), strict=True)
    return fmpq_mat(A.nrows(), A.ncols(), [a * b for a, b in pairs])


WORLDS = Space(d=Integer(1, searched=3), A=Gram("d"), B=Gram("d"), u=Vector("d"))

printed = Claim(
    source=SCHUR.at("Theorem VII"), statement=Holds(left >= 0), worlds=WORLDS,
    measure={left: lambda A, B, u: quadratic_form(entrywise(A, B), u)},
)  # fmt: skip
below_product = Claim(
    source=SCHUR.at("Theorem VII, against the matrix product"),
    statement=Holds(left <= right), worlds=WORLDS,
    measure={
        left: lambda A, B, u: quadratic_form(entrywise(A, B), u),
        right: lambda A, B, u: quadratic_form(A * B, u),
    },
)  # fmt: skip
difference_square = Claim(
    source=SCHUR.at("Theorem VII, applied to a difference"),
    statement=Holds(left >= 0), worlds=WORLDS,
    measure={left: lambda A, B, u: quadratic_form(entrywise(A - B, A), u)},
)  # fmt: skip
