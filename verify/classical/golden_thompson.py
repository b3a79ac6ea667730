"""The Golden-Thompson inequality.

Setting    symmetric matrices A, B (and C).
Claim      tr e^(A + B) <= tr e^A e^B.
False      the reverse, and the version for three matrices, tr e^(A+B+C) <= |tr e^A e^B e^C|.
"""

from boundcheck import Claim, Holds
from boundcheck.quantities.matrices import exponential_trace, matrix_exponential
from boundcheck.quantities.operators import trace
from boundcheck.worlds import Integer, Space, Symmetric, symmetric_matrices

from . import GOLDEN_THOMPSON, left, right


def product_trace(A, B):
    """tr e^A e^B."""
    return trace(matrix_exponential(A) * matrix_exponential(B))


def triple_trace(A, B, C):
    """|tr e^A e^B e^C|."""
    product = matrix_exponential(A) * matrix_exponential(B) * matrix_exponential(C)
    return abs(trace(product))


PAIR = {
    "source": GOLDEN_THOMPSON.at("inequality"),
    "worlds": symmetric_matrices(bound=3),
    "measure": {left: lambda A, B: exponential_trace(A + B), right: product_trace},
}

printed = Claim(statement=Holds(left <= right), **PAIR)
reversed_ = Claim(statement=Holds(left >= right), **PAIR)
three_matrices = Claim(
    source=GOLDEN_THOMPSON.at("inequality, extended to three matrices"),
    statement=Holds(left <= right),
    worlds=Space(
        d=Integer(1, searched=2), A=Symmetric("d", searched=(-3, 3)),
        B=Symmetric("d", searched=(-3, 3)),
        C=Symmetric("d", searched=(-3, 3)),
    ),
    measure={left: lambda A, B, C: exponential_trace(A + B + C), right: triple_trace},
)  # fmt: skip
