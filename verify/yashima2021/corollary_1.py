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

from flint import fmpq
from sympy import And, Eq, Le, Min, exp, log, symbols

from boundcheck import Claim, Holds, UpToConstant
from boundcheck.exact import exponential, power
from boundcheck.quantities.losses import margin_threshold
from boundcheck.worlds import Family, Integer, Real, doublings

from . import AISTATS, ARXIV, C, G, L, R, T, delta, delta_prime, gamma, lam, m, p, t
from .theorem_3 import norm_star, simplified

strong_convexity, true_convexity = symbols("strong_convexity true_convexity", real=True)
log_odds = log((1 + 2 * delta) / (1 - 2 * delta))

of_corollary = ((1 + 1 / delta_prime) * norm_star**4 / (lam**3 * log_odds**4)) ** 2 * log(
    1 / delta_prime
)
bound_of_theorem = 2 * exp(-(lam**2) * (2 * gamma + t) * m**2 / (2**12 * 9 * G**2 * R**4))
bound_of_corollary = 2 * exp(-(lam**2 * (2 * gamma + t) / (2**12 * 9)) * log_odds**2)
lambda_of_lemma = strong_convexity * (m / (2 * norm_star)) ** 3
lambda_of_logistic = true_convexity * (m / (2 * norm_star)) ** 3
lambda_of_corollary = (
    log_odds**3 / (2 + exp(R * norm_star) + exp(-R * norm_star)) / norm_star**3
)
SUBSTITUTED = {
    R: lambda: fmpq(1),
    G: lambda: fmpq(1),
    p: lambda: fmpq(1, 2),
    C: lambda delta_prime: power(1 + 1 / delta_prime, fmpq(1, 4)),
    m: lambda delta: margin_threshold("logistic", fmpq(1), fmpq(1), delta),
}


def printed_convexity(norm_star):
    """mu(U) = 2 / (1 + e^-U + e^U) at U = ||g_*||, as the proof has it."""
    return 2 / (1 + exponential(-norm_star) + exponential(norm_star))


def least_curvature(norm_star):
    """The least second derivative of the logistic loss on [-U, U] at U = ||g_*||."""
    return 1 / (2 + exponential(-norm_star) + exponential(norm_star))


GIVEN = [
    And(delta > 0, 2 * delta < 1),
    And(delta_prime > 0, 2 * delta_prime < 1),
    lam > 0,
    norm_star >= log_odds,
]
PARAMETERS = {
    norm_star: Real(0, None, open_low=True),
    delta: Real(0, "1/2", open_low=True, open_high=True),
    delta_prime: Real(0, "1/2", open_low=True, open_high=True),
    lam: Real(0, 1, open_low=True, log=True),
    gamma: Real(3, 10**6, log=True),
    t: Integer(1, wide=True, searched=10**9),
}


def at(size, **changes):
    """One setting with some values changed."""
    values = {
        "norm_star": fmpq(4), "delta": fmpq(1, 4), "delta_prime": fmpq(1, 4),
        "lambda": fmpq(1, 100), "gamma": fmpq(500), "t": 1000,
    }  # fmt: skip
    values.update(changes)
    return values


FAMILIES = (
    Family("delta and the Bayes rule shrink",
           lambda size: at(size, delta=fmpq(1, 8 * size), norm_star=fmpq(1, size)),
           doublings(1, 8)),
    Family("delta near 1/2", lambda size: at(size, delta=fmpq(1, 2) - fmpq(1, 8 * size),
                                             norm_star=fmpq(30)), doublings(1, 8)),
    Family("delta' shrinks", lambda size: at(size, delta_prime=fmpq(1, 4 * size)),
           doublings(1, 8)),
    Family("lambda shrinks", lambda size: at(size, **{"lambda": fmpq(1, 100 * size)}),
           doublings(1, 8)),
)  # fmt: skip
READING = (
    "the corollary as its proof has it: the displays of Theorem 3 at these values, constants that "
    "depend on the kernel and the domain left out"
)

aistats = Claim(
    source=AISTATS.at("Corollary 1"),
    statement=UpToConstant(
        And(Le(simplified(G), of_corollary), Le(bound_of_theorem, bound_of_corollary))
    ),
    given=GIVEN,
    parameters=PARAMETERS,
    measure=SUBSTITUTED,
    families=FAMILIES,
    uses=("yashima2021/theorem_3:aistats", "yashima2021/theorem_2_half:printed"),
    reading=READING,
)

arxiv = Claim(
    source=ARXIV.at("Corollary 1, (46)-(51) and (184)-(187)"),
    statement=UpToConstant(
        And(
            Le(simplified(G), of_corollary),
            Le(bound_of_theorem, bound_of_corollary),
            Le(lambda_of_corollary, lambda_of_lemma),
            Le(lambda_of_corollary, lambda_of_logistic),
        )
    ),
    given=GIVEN,
    parameters=PARAMETERS,
    measure={
        **SUBSTITUTED,
        strong_convexity: printed_convexity,
        true_convexity: least_curvature,
    },
    families=FAMILIES,
    uses=(
        "yashima2021/theorem_3:arxiv",
        "yashima2021/theorem_2_half:printed",
        "yashima2021/lemma_3:arxiv",
        "yashima2021/assumption_8:arxiv",
    ),
    reading=READING + "; lambda from Lemma 3 with the strong convexity that the proof "
    "prints and with the true one",
)

first_part, first_printed = (
    36 * G**2 * R**2 / (lam**2 * (2 * gamma + T)) - m**2 / (64 * R**2),
    36 / (lam**2 * (2 * gamma + T)) - log_odds**2 / 64,
)
start_radius = (2 * (2 / (lam * (gamma + 1))) + 1 / lam) * G * R


def same_displays(step_cap, printed_cap, printed_radius):
    """What the corollary prints without a hidden constant is Theorem 3 at the stated values."""
    return Holds(
        And(
            Eq(bound_of_theorem, bound_of_corollary),
            Eq(first_part, first_printed),
            Eq(step_cap, printed_cap),
            Eq(start_radius, printed_radius),
        )
    )


WITHOUT_CONSTANT = {**PARAMETERS, T: Integer(1, wide=True, searched=10**9)}
CONSTANTS_READING = (
    "the bound, the cap on eta_1, the radius for g_1 and the first part of the condition on T; "
    "the second part, over the distance of g_1, has no constants to substitute"
)

aistats_constants = Claim(
    source=AISTATS.at("Corollary 1, displays without a hidden constant"),
    statement=same_displays(Min(1 / L, 1 / (2 * lam)), Min(1, 1 / (2 * lam)), start_radius),
    given=GIVEN,
    parameters=WITHOUT_CONSTANT,
    measure={**SUBSTITUTED, L: lambda: fmpq(1)},
    uses=("yashima2021/theorem_3:aistats",),
    reading=CONSTANTS_READING + "; the edition leaves L and R in the radius and the cap",
)

arxiv_constants = Claim(
    source=ARXIV.at("Corollary 1, displays without a hidden constant"),
    statement=same_displays(
        Min(1 / (L * R**2), 1 / (2 * lam)),
        Min(4, 1 / (2 * lam)),
        2 * (2 / (lam * (gamma + 1))) + 1 / lam,
    ),
    given=GIVEN,
    parameters=WITHOUT_CONSTANT,
    measure={**SUBSTITUTED, L: lambda: fmpq(1, 4)},
    uses=("yashima2021/theorem_3:arxiv",),
    reading=CONSTANTS_READING,
)
