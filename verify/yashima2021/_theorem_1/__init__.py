"""Theorem 1 in a display that does not depend on the units of features, margins and loss.

With a = G R / (lambda ||g_*||) and r^4 = 32 log(2 R^2 / (||T|| delta)) / M <= 1, the complete
statement at xi = R r says that sup |g_lambda - g_{M, lambda}| is at most R ||g_*|| times the
largest of 2^(p+1) C R^(-p) r^(1-p), (48 a r)^(1/2), (1152 a^3 r^3)^(1/4) and
(1152 a^2 r^2 L(g_*) / (lambda ||g_*||^2))^(1/4): the powers of 1/M are those of the print.
"""

from sympy import And, Le, Max, Min, Rational, log, sqrt

from boundcheck import Claim, Holds, WithProbability
from boundcheck.expressions import parameter
from boundcheck.settings.averaged_sgd import BOUNDED, WITH_BAYES_RULE, M, delta, gap, lam, p
from boundcheck.worlds import Integer, Real

from .. import ARXIV
from .._theorem_1_full import constants, letters

HERE = ARXIV.at("Theorem 1, (24)-(25), in a scale-invariant display")
STEP = "yashima2021/theorem_1:step_"


def terms(of):
    """C R^(-p), a^(1/2), (a^2 L(g_*) / (lambda ||g_*||^2))^(1/4), a^(3/4); times R ||g_*||."""
    R, star = of.R, of.norm_star
    a = of.G * R / (lam * star)
    of_risk = (a**2 * of.risk_star / (lam * star**2)) ** Rational(1, 4)
    return [R * star * each for each in (of.C / R**p, sqrt(a), of_risk, a ** Rational(3, 4))]


def level(of):
    return log(2 * of.R**2 / (of.norm_T * delta))


slowest = Min((1 - p) / 4, Rational(1, 8))
repaired = Claim(
    HERE,
    WithProbability(
        1 - 2 * delta,
        gap <= 12 * (level(constants) / M) ** slowest * sum(terms(constants)),
    ),
    given=[
        lam > 0, *BOUNDED, And(delta > 0, delta < Rational(1, 2)), constants.norm_star > 0,
        32 * level(constants) <= M,
    ],
    domains={**WITH_BAYES_RULE, M: Integer(1, wide=True, searched=10**9)},
    uses=("yashima2021/theorem_1_full:arxiv", STEP + "features", STEP + "terms", STEP + "powers"),
    reading="g_* minimises the expected loss and lies in H; G is the Lipschitz constant; M is at "
    "least 32 times the logarithm, below which the print says nothing either",
    cost=10,
)  # fmt: skip

r = parameter("r", Real(0, 1, open_low=True))
ell = parameter("ell", Real(0, None), says="The logarithm.")
step_features = Claim(
    HERE,
    Holds(Max(Rational(8, 3) / r**2, 32 / r**4) * ell <= M),
    given=[r**4 * M >= 32 * ell],
    domains={M: Integer(1, wide=True, searched=10**9)},
    reading="(101) at xi = R r.",
)
C, R, star, G, risk = letters.C, letters.R, letters.norm_star, letters.G, letters.risk_star
xi = R * r
printed_terms = [
    2 ** (p + 1) * C * star * xi ** (1 - p),
    R * sqrt(2**4 * 3 * G * xi / lam * star),
    R * (2**7 * 3**2 * G**2 * xi**2 / lam**3 * risk) ** Rational(1, 4),
    R * (2**7 * 3**2 * G**3 * xi**3 / lam**3 * star) ** Rational(1, 4),
]
powers = [r ** (1 - p), sqrt(r), sqrt(r), r ** Rational(3, 4)]
step_terms = Claim(
    HERE,
    Holds(
        And(*[
            Le(before, number * power * after)
            for number, before, power, after in zip(
                (4, 7, 6, 6), printed_terms, powers, terms(letters), strict=True
            )
        ])
    ),
    uses=("yashima2021/theorem_1_full:step_total",),
    reading="The four terms of (129)-(130) at xi = R r.",
)  # fmt: skip
step_powers = Claim(
    HERE,
    Holds(
        And(*[
            number * power <= 12 * (r**4 / 32) ** slowest
            for number, power in zip((4, 7, 6, 6), powers, strict=True)
        ])
    ),
    given=[p >= 0, p < 1],
    reading="The smallest exponent is that of M in the print.",
)  # fmt: skip
