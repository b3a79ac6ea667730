"""The Golden-Thompson inequality.

Setting    real symmetric matrices A, B (and C).
"""

from sympy import Abs

from boundcheck import Claim, Holds
from boundcheck.expressions import exponential as e, trace as tr
from boundcheck.settings.matrices import d, symmetric
from boundcheck.worlds import Integer

from . import GOLDEN_THOMPSON

A, B, C = (symmetric(name, searched=(-3, 3)) for name in "ABC")

printed = Claim(
    GOLDEN_THOMPSON.at("inequality"),
    Holds(tr(e(A + B)) <= tr(e(A) * e(B))),
    reading="real symmetric matrices, where the inequality has Hermitian ones",
)
reversed_ = Claim(GOLDEN_THOMPSON.at("inequality"), Holds(tr(e(A + B)) >= tr(e(A) * e(B))))
three_matrices = Claim(
    GOLDEN_THOMPSON.at("inequality, extended to three matrices"),
    Holds(tr(e(A + B + C)) <= Abs(tr(e(A) * e(B) * e(C)))),
    domains={d: Integer(1, searched=2)},
)
