"""Traces of products of positive semi-definite matrices.

Setting    positive semi-definite A, B, C; any vector u.
Claim      tr (A B)^2 <= tr A^2 B^2 (Lieb-Thirring), and 0 <= tr A B.
False      0 <= tr A B C for symmetric products of three, and u^T (A B + B A) u >= 0.
"""

from boundcheck import Claim, Holds
from boundcheck.quantities.operators import quadratic_form, trace
from boundcheck.worlds import Gram, Integer, Space, Vector

from . import FOLKLORE, LIEB_THIRRING, left, right

PAIR = Space(d=Integer(1, searched=3), A=Gram("d"), B=Gram("d"))

printed = Claim(
    source=LIEB_THIRRING.at("Theorem 9"), statement=Holds(left <= right), worlds=PAIR,
    measure={left: lambda A, B: trace(A * B * A * B), right: lambda A, B: trace(A * A * B * B)},
)  # fmt: skip
three_factors = Claim(
    source=FOLKLORE.at("trace of three positive matrices"), statement=Holds(left >= 0),
    worlds=PAIR.and_fields(C=Gram("d")), measure={left: lambda A, B, C: trace(A * B * C)},
)  # fmt: skip
anticommutator = Claim(
    source=FOLKLORE.at("symmetrised product of positive matrices"), statement=Holds(left >= 0),
    worlds=PAIR.and_fields(u=Vector("d")),
    measure={left: lambda A, B, u: quadratic_form(A * B + B * A, u)},
)  # fmt: skip
