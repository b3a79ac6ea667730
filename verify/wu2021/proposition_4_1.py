"""Proposition 4.1: Rademacher complexity of an RKHS ball.

Setting    kernel k, points x_1..x_n, ball of radius Q in the RKHS of k, fair signs xi.
"""

from sympy import sqrt

from boundcheck import Claim, Holds
from boundcheck.expressions import trace
from boundcheck.settings.rkhs import K, Q, n, rademacher_complexity

from . import NOTES

printed = Claim(
    NOTES.at("Proposition 4.1"),
    Holds(rademacher_complexity(K, Q) <= Q * sqrt(trace(K)) / n),
    uses=("wu2021/lemma_3_2:printed",),
)
