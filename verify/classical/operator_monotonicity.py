"""Operator monotonicity of the square root and of the square.

Setting    positive semi-definite A and B = A + P with P positive semi-definite; any vector u.
Claim      u^T A^(1/2) u <= u^T B^(1/2) u: the root keeps the order.
False      u^T A^2 u <= u^T B^2 u: the square does not.
"""

from boundcheck import Claim, Holds
from boundcheck.quantities.matrices import matrix_square_root
from boundcheck.quantities.operators import quadratic_form
from boundcheck.worlds import Gram, Integer, Space, Vector

from . import LOEWNER, left, right

SETTING = {
    "worlds": Space(d=Integer(1, searched=3), A=Gram("d"), P=Gram("d"), u=Vector("d")),
    "statement": Holds(left <= right),
}

root = Claim(
    source=LOEWNER.at("square root"),
    measure={
        left: lambda A, u: quadratic_form(matrix_square_root(A), u),
        right: lambda A, P, u: quadratic_form(matrix_square_root(A + P), u),
    },
    cost=4.0, **SETTING,
)  # fmt: skip
square = Claim(
    source=LOEWNER.at("square"),
    measure={
        left: lambda A, u: quadratic_form(A * A, u),
        right: lambda A, P, u: quadratic_form((A + P) * (A + P), u),
    },
    **SETTING,
)  # fmt: skip
