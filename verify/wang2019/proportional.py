"""Section 6.2: dependence of the mean squared difference on lambda.

Setting    that of Theorem 1 with one training set, two ridge parameters, the second larger, both
           within the condition of Theorem 1.
Up to a constant  (b / s) times the norm is no more than a constant times E (f~ - f)^2, the half
           that an upper bound cannot give.
Decreasing the norm alone decreases in lambda.
"""

from sympy import And, Eq, log, sqrt

from boundcheck import Claim, Holds, UpToConstant
from boundcheck.expressions import form, parameter
from boundcheck.settings.random_features import (
    POSITIVE,
    E_features,
    E_test,
    Regression,
    b,
    delta,
    fixed,
    peak,
    ridge,
    s,
    x,
)

from . import NOTES

larger = parameter("larger", POSITIVE, units={"feature": 2}, latex=r"\lambda'")
other = Regression(fixed.n, fixed.X, fixed.y, larger)
norm, norm_larger = form(fixed.K, fixed.alpha), form(other.K, other.alpha)
CONDITIONS = [peak <= b, ridge >= 2 * b / sqrt(fixed.n) * sqrt(log(s / delta))]


def difference(at):
    """E over x' and the features of (f~ - f)^2."""
    return E_features(E_test((at.f_(x) - at.f(x)) ** 2))


printed = Claim(
    NOTES.at("Section 6.2"),
    Holds(
        And(Eq(difference(fixed) * norm_larger, difference(other) * norm), norm_larger <= norm)
    ),
    given=[*CONDITIONS, larger >= ridge],
    uses=("wang2019/theorem_1:printed",),
    reading="Proportional as lambda varies: one factor for both values of lambda.",
)
up_to_a_constant = Claim(
    NOTES.at("Section 6.2"),
    UpToConstant(b / s * norm <= difference(fixed)),
    given=CONDITIONS,
    reading="Proportional loosely, with factors between absolute multiples of b / s.",
)
decreasing = Claim(
    NOTES.at("Section 6.2"),
    Holds(norm_larger <= norm),
    given=[*CONDITIONS, larger >= ridge],
    uses=("wang2019/theorem_1:printed",),
)
