"""Corollary 1: Theorem 3 for the Gaussian kernel with Fourier features and logistic loss.

Setting    R = G = 1, L = 1/4 (1 in the conference edition), p = 1/2, C(delta')^4 a multiple of
           1 + 1/delta', m = log((1 + 2 delta)/(1 - 2 delta)).
Claim      the displayed conditions and bound are those of Theorem 3 with these values:
           M >~ ((1 + 1/delta') ||g_*||^4 / (lambda^3 m^4))^2 log(1/delta'), the bound
           2 exp(-lambda^2 (2 gamma + t) m^2 / (2^12 9)); in the preprint also
           lambda <~ m^3 / ((2 + e^(R||g_*||) + e^(-R||g_*||)) ||g_*||^3) from Lemma 3 at 1/6.
           The displays without a hidden constant must agree exactly: bound, cap on eta_1 (in the
           preprint min(4, 1/(2 lambda))), radius for g_1, condition on T.
"""

from dataclasses import replace

from sympy import And, Eq, Le, Min, Rational, exp, log

from boundcheck import Claim, Holds, UpToConstant
from boundcheck.expressions import define
from boundcheck.settings.averaged_sgd import T, delta, delta_prime, gamma, lam, p, t
from boundcheck.settings.margin_losses import logistic
from boundcheck.worlds import Family, Real, doublings

from . import AISTATS, ARXIV
from ._theorem_3 import FREE

star = FREE.norm_star
m = log((1 + 2 * delta) / (1 - 2 * delta))
# The letters of Theorem 3 with the values of the corollary.
theorem = replace(
    FREE, R=define("R", 1), G=define("G", logistic.lipschitz),
    m=define("m", logistic.margin(delta)),
    C=define("C", (1 + 1 / delta_prime) ** Rational(1, 4)),
)  # fmt: skip
printed_features = ((1 + 1 / delta_prime) * star**4 / (lam**3 * m**4)) ** 2 * log(1 / delta_prime)
printed_bound = 2 * exp(-(lam**2 * (2 * gamma + t) / (2**12 * 9)) * m**2)
printed_lambda = m**3 / (2 + exp(star) + exp(-star)) / star**3


def of_lemma_3(mu):
    """The lambda of Lemma 3 at 1/6 for a strong convexity."""
    return mu * (theorem.m / (2 * star)) ** 3


MARGIN = Real(0, "1/2", open_low=True, open_high=True)
OPTIONS = {
    "given": [star >= m],
    "domains": {
        delta: MARGIN, delta_prime: MARGIN, p: define("p", Rational(1, 2)),
        gamma: Real(3, None, log=True, searched=(3, 10**6)),
    },
}  # fmt: skip
START = {"norm_star": 4, "delta": Rational(1, 4), "delta_prime": Rational(1, 4),
         "lambda": Rational(1, 100), "gamma": 500}  # fmt: skip


def along(name, **rates):
    def rule(size):
        changed = {key: rate(Rational(size)) for key, rate in rates.items()}
        return {key: Rational(value) for key, value in {**START, **changed}.items()} | {"t": 1000}

    return Family(name, rule, doublings(1, 8))


FAMILIES = (
    along("delta and the Bayes rule shrink", delta=lambda s: 1 / (8 * s),
          norm_star=lambda s: 1 / s),
    along("delta near 1/2", delta=lambda s: Rational(1, 2) - 1 / (8 * s), norm_star=lambda s: 30),
    along("delta' shrinks", delta_prime=lambda s: 1 / (4 * s)),
    along("lambda shrinks", **{"lambda": lambda s: 1 / (100 * s)}),
)  # fmt: skip
READING = (
    "the corollary as its proof has it: the displays of Theorem 3 at these values, constants that "
    "depend on the kernel and the domain left out; ||g_*|| is at least m, as |g_*| >= m and R = 1"
)
CONDITIONS = [Le(theorem.simplified(), printed_features), Le(theorem.bound(), printed_bound)]

aistats = Claim(
    AISTATS.at("Corollary 1"),
    UpToConstant(And(*CONDITIONS)),
    families=FAMILIES,
    uses=("yashima2021/theorem_3:aistats", "yashima2021/theorem_2_half:printed"),
    reading=READING,
    **OPTIONS,
)
arxiv = Claim(
    ARXIV.at("Corollary 1, (46)-(51) and (184)-(187)"),
    UpToConstant(
        And(
            *CONDITIONS,
            printed_lambda <= of_lemma_3(2 / (1 + exp(-star) + exp(star))),
            printed_lambda <= of_lemma_3(1 / (2 + exp(-star) + exp(star))),
        )
    ),
    families=FAMILIES,
    uses=(
        "yashima2021/theorem_3:arxiv",
        "yashima2021/theorem_2_half:printed",
        "yashima2021/lemma_3:arxiv",
        "yashima2021/assumption_8:arxiv",
    ),
    reading=READING + "; lambda from Lemma 3 with the strong convexity that the proof prints and "
    "with the true one",
    **OPTIONS,
)


def same_displays(place, of_theorem, printed, edition, note=""):
    """What the corollary prints without a hidden constant is Theorem 3 at the stated values."""
    first = 36 / (lam**2 * (2 * gamma + T)) - m**2 / 64
    pairs = [(theorem.bound(), printed_bound), (theorem.first() - theorem.threshold(), first)]
    return Claim(
        place,
        Holds(And(*[Eq(a, b) for a, b in [*pairs, *zip(of_theorem, printed, strict=True)]])),
        uses=(f"yashima2021/theorem_3:{edition}",),
        reading="the bound, the cap on eta_1, the radius for g_1 and the first part of the "
        "condition on T; the second part, over the distance of g_1, has no constants to "
        "substitute" + note,
        **OPTIONS,
    )


aistats_L, arxiv_L = define("L", logistic.lipschitz), define("L", logistic.smoothness)
aistats_constants = same_displays(
    AISTATS.at("Corollary 1, displays without a hidden constant"),
    [Min(1 / aistats_L, 1 / (2 * lam))],
    [Min(1, 1 / (2 * lam))],
    "aistats",
    "; the edition leaves L and R in the radius and the cap",
)
arxiv_constants = same_displays(
    ARXIV.at("Corollary 1, displays without a hidden constant"),
    [Min(1 / (arxiv_L * theorem.R**2), 1 / (2 * lam)), theorem.radius()],
    [Min(4, 1 / (2 * lam)), 2 * (2 / (lam * (gamma + 1))) + 1 / lam],
    "arxiv",
)
