"""The number of features: xi of (157) from Theorem 1, and the simplified display."""

from sympy import And, Eq, Le, Rational

from boundcheck import Claim, Holds, UpToConstant
from boundcheck.settings.averaged_sgd import delta_prime, lam, p
from boundcheck.worlds import Family, Real, doublings

from .. import ARXIV
from .._theorem_3 import FREE
from . import STEP

terms = zip(FREE.accuracies(FREE.m / 4), FREE.printed_accuracies(), strict=True)

step_xi = Claim(
    ARXIV.at("proof of Theorem 3, (157) against (100); AISTATS Appendix E"),
    Holds(And(*[Eq(of_theorem_1, printed) for of_theorem_1, printed in terms])),
    uses=("yashima2021/theorem_1_full:arxiv",),
    reading="L of (100) is the Lipschitz constant, called G in (157)",
)


def scaled(**changes):
    """One world of constants, all hypotheses of the theorem met, with some of them changed."""
    values = {
        "m": 1, "C": 2, "norm_star": 2, "risk_star": Rational(1, 2), "lambda": Rational(1, 100),
        "R": 1, "G": 1, "p": 0, "norm_T": Rational(1, 4), "delta_prime": Rational(1, 10),
    }  # fmt: skip
    return {name: Rational(value) for name, value in {**values, **changes}.items()}


def along(name, **rates):
    return Family(
        name, lambda s: scaled(**{key: rate(Rational(s)) for key, rate in rates.items()}),
        doublings(1, 8),
    )  # fmt: skip


FAMILIES = (
    along("features grow by s, lambda by s^2, norms by 1/s", R=lambda s: s,
          norm_star=lambda s: 2 / s, norm_T=lambda s: s**2 / 4, **{"lambda": lambda s: s**2 / 100}),
    along("margins shrink by s: m, g_* by 1/s, slope by s, lambda by s^2", m=lambda s: 1 / s,
          norm_star=lambda s: 2 / s, G=lambda s: s, **{"lambda": lambda s: s**2 / 100}),
    along("the low-noise margin shrinks with the Bayes rule, lambda fixed", m=lambda s: 1 / s,
          norm_star=lambda s: 2 / s),
    along("lambda shrinks", **{"lambda": lambda s: 1 / (100 * s)}),
)  # fmt: skip


# sup |f| >= ||f||_2, and sup |f| >= (k + k_M)(x, x) = ||f||^2 for f = (k + k_M)(., x): no smaller
# constant of Assumption 3 is one.
ADMISSIBLE = FREE.C >= FREE.norm_T ** (p / 2)


def simplify(where, reading, *conditions):
    return Claim(
        ARXIV.at(where),
        UpToConstant(Le(FREE.features(delta_prime), FREE.simplified())),
        given=[
            FREE.norm_T <= FREE.R**2, FREE.m <= FREE.R * FREE.norm_star, ADMISSIBLE, *conditions,
        ],
        domains={delta_prime: Real(0, "1/2", open_low=True)},
        families=FAMILIES,
        uses=(STEP + "xi",),
        reading=reading,
    )  # fmt: skip


step_simplify = simplify(
    "Theorem 3, (43) against (156); AISTATS Theorem 3 against Appendix E",
    "the log is read with delta', for which both editions print delta in the complete statement",
)
step_simplify_normalised = simplify(
    "Theorem 3, (43) against (156), features bounded by R >= 1",
    "as before, where the logarithm of the simplified display is at least log 2",
    FREE.R >= 1,
)
repaired_simplify = Claim(
    ARXIV.at("Theorem 3, (43) against (156), free of units"),
    Holds(FREE.features(delta_prime) <= FREE.scale_free()),
    given=[
        p >= 0, p < 1, FREE.norm_T <= FREE.R**2, FREE.m <= FREE.R * FREE.norm_star,
        lam * FREE.m <= 2 * FREE.G * FREE.R**2,
    ],
    domains={delta_prime: Real(0, "1/2", open_low=True)},
    uses=(STEP + "xi",),
    reading="that many features serve in (156) with delta' in its logarithm; as lambda "
    "||g_lambda|| <= G R and |g_lambda| >= m/2 somewhere, lambda m <= 2 G R^2",
)  # fmt: skip
