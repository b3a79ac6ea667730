"""Section 1.3: the main bound (2) and the order of lambda that goes with it.

Setting    that of Theorem 1, whose condition is lambda >= (2 b / sqrt(n)) sqrt(log(s / delta)).
Bound      (2) at lambda of that order: E (f~ - f)^2 <= (4 b / s) ||K^(1/2) (K + n lambda)^-1 y||^2.
Repaired   the order is 1 / sqrt(n) up to logarithms, as in Section 7.
"""

from sympy import And, Rational, log, sqrt

from boundcheck import Claim, UpToConstant, WithProbability
from boundcheck.settings.random_features import b, delta, drawn, peak, ridge, s
from boundcheck.worlds import Integer, Space
from boundcheck.worlds.families import growing, size_symbol

from . import NOTES
from .theorem_1 import CONDITIONS, bound

n = drawn.n
least = CONDITIONS[1].rhs
logarithms = log(n + 2) ** 2 * log(s / delta)
SETTING = {
    "given": [s >= 2],
    "domains": {n: Integer(1, wide=True, searched=10**9), s: Integer(1, wide=True, searched=10**6)},
    "families": (
        growing(
            Space(), tuple(4**k for k in range(3, 13)), name="n grows, s = 100, delta = 1/10",
            n=size_symbol(), s=100, b=1, delta=Rational(1, 10),
        ),
    ),
}  # fmt: skip


def of_order(rate):
    """The least lambda is of this order, powers of logarithms allowed."""
    return UpToConstant(And(rate <= least * logarithms, rate * logarithms >= least))


printed = Claim(
    NOTES.at("(2) and the order of lambda, Section 1.3"),
    of_order(b * sqrt(n)),
    reading="The sentence reports the condition of Theorem 1, so its order is compared with that "
    "condition; powers of logarithms are allowed. The display alone is the claim `bound`.",
    **SETTING,
)
repaired = Claim(
    NOTES.at("(2) and the order of lambda, Section 1.3"), of_order(b / sqrt(n)), **SETTING
)
bound = Claim(
    NOTES.at("(2)"),
    WithProbability(1 - delta, bound),
    given=[peak <= b, ridge >= b * sqrt(n) / 2],
    uses=("wang2019/theorem_1:printed",),
    reading="lambda of the order sqrt(n), with the constant b / 2.",
    cost=3.0,
)
