"""Lemma 3.4: evaluation is continuous in an RKHS.

Setting    kernel on finitely many points, f, g in its RKHS, x a point.
"""

from sympy import Abs, sqrt

from boundcheck import Claim, Holds
from boundcheck.expressions import entry
from boundcheck.settings.rkhs import K, coefficients, least_squared_norm

from . import NOTES

gap = K * (coefficients("a") - coefficients("b"))

printed = Claim(
    NOTES.at("Lemma 3.4"),
    Holds(Abs(entry(gap, 0)) <= sqrt(K[0, 0]) * sqrt(least_squared_norm(K, gap))),
    uses=("wu2021/lemma_3_2:printed",),
    reading="continuity of a linear functional is stated with its norm, as the proof bounds it; "
    "on finitely many points",
    cost=0.6,
)
