"""Lemma 5: second moment of the approximate kernel vector over the features.

Setting    fixed training set and test point, s independent features with psi^2 <= b.
Claim      E_V[(k~' - k')(k~' - k')^T] <= (b/s) K - (1/s) k' k'^T in the order of semi-definite
           matrices; stated through the quadratic forms at every vector w.
Step       (16)-(17) with the column psi_:p = (1/s) (psi(x_i; v_p))_i that the proof recalls.
Repaired   the column carries the factor 1/sqrt(s), as in the proof of Lemma 4.
"""

from sympy import And, Eq, sqrt

from boundcheck import Claim, Expected
from boundcheck.expressions import form, inner, outer, world
from boundcheck.settings.random_features import E_feature, b, fixed_features, peak, psi, s, test, v
from boundcheck.worlds import Vector

from . import NOTES

K, k, k_ = fixed_features.K, fixed_features.k(test), fixed_features.k_(test)
w = world("w", Vector(fixed_features.n), says="Any vector.")

printed = Claim(
    NOTES.at("Lemma 5"),
    Expected(inner(k_ - k, w) ** 2 <= b / s * form(K, w) - inner(k, w) ** 2 / s),
    given=[peak <= b],
    uses=("wang2019/lemma_5:step_second_moment",),
)


def chain(column):
    """(16), (17) and the line after it, psi_:p being the given column."""
    moment = outer(column, column)
    return And(
        Eq(outer(k_ - k, k_ - k), outer(k_, k_) - outer(k, k)),
        Eq(
            outer(k_, k_),
            (s**2 - s) / s**2 * outer(k, k) + 1 / s * (s * E_feature(psi[test, v] ** 2 * moment)),
        ),
        inner(k_, w) ** 2 <= (s - 1) / s * inner(k, w) ** 2 + b / s * form(K, w),
        Eq(b / s * (s * E_feature(moment)), b / s * K),
    )


step_second_moment = Claim(
    NOTES.at("(16)-(17)"),
    Expected(chain(fixed_features.column(v) / sqrt(s))),
    given=[peak <= b],
    reading="The column recalled before (17) carries 1/s, and (17) is read with it.",
)
second_moment_repaired = Claim(
    NOTES.at("(16)-(17)"),
    Expected(chain(fixed_features.column(v))),
    given=[peak <= b],
    cost=3.0,
)
