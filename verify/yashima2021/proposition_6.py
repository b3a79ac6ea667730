"""Proposition 6: concentration of the averaged iterate of SGD around its mean.

Setting    as in Proposition 5; ||g_1|| <= (2 gamma_1 + 1/lambda) G R with gamma_1 never defined,
           eta_1 <= min(1/L, 1/(2 lambda)); in the conference edition L is the Lipschitz constant
           and the loss is only differentiable.
Claim      P(||average - E average|| >= e) <= 2 exp(-lambda^2 (2 gamma + T) e^2 / (2^6 3^2 G^2 R^2))
           over the training samples.
"""

from sympy import Min, Rational, Symbol, exp, log, sqrt

from boundcheck import Claim, WithProbability
from boundcheck.expressions import define, parameter
from boundcheck.settings.averaged_sgd import R, T, epsilon, gamma, lam
from boundcheck.settings.sgd_runs import BOUNDED, LONG, eta_1, spread, within
from boundcheck.worlds import Real

from . import AISTATS, ARXIV
from ._theorem_3 import LIPSCHITZ, G, L

gamma_1 = Symbol("gamma_1", real=True)
times = parameter(
    "times", Real(0, None, open_low=True, searched=(1, 4)),
    says="Deviation over the one at which the printed tail is 4/5.",
)  # fmt: skip


def proposition(place, G, cap, offset, reading, **options):
    """The statement with a Lipschitz constant, a cap on eta_1, and what stands for gamma_1."""
    tail = 2 * exp(-(lam**2) * (2 * gamma + T) / (2**6 * 3**2 * G**2 * R**2) * epsilon**2)
    at_four_fifths = 24 * sqrt(log(Rational(5, 2))) * G * R / (lam * sqrt(2 * gamma + T))
    return Claim(
        place,
        WithProbability(1 - tail, spread < epsilon),
        given=[BOUNDED, R > 0, eta_1 <= cap, within(offset, G)],
        domains={
            **LONG,
            gamma: Real(0, None, open_low=True, log=True, searched=(3, 1000)),
            epsilon: define("epsilon", times * at_four_fifths, latex=r"\epsilon"),
        },
        reading=reading,
        cost=25,
        **options,
    )


def printed_cap(L):
    return Min(1 / L, 1 / (2 * lam))


UNDEFINED = (
    "the text defines gamma but no gamma_1; Theorem 3 has eta_1 in its place, which is the claim "
    "with the suffix _eta"
)
TESTED = (
    "epsilon is any positive number, written as a multiple of the one at which the printed tail is "
    "4/5; runs of hundreds of steps are tried with fair labels and g_1 = 0, where E average = 0"
)
ETA = "gamma_1 read as eta_1, as in Theorem 3; " + TESTED

aistats = proposition(
    AISTATS.at("Proposition 6, Appendix E"), LIPSCHITZ, printed_cap(LIPSCHITZ), gamma_1, UNDEFINED,
    undefined={gamma_1},
)  # fmt: skip
arxiv = proposition(
    ARXIV.at("Proposition 6, (155)"), G, printed_cap(L), gamma_1, UNDEFINED, undefined={gamma_1}
)
aistats_eta = proposition(
    AISTATS.at("Proposition 6, Appendix E, eta_1 for gamma_1"), LIPSCHITZ, printed_cap(LIPSCHITZ),
    eta_1, ETA,
)  # fmt: skip
arxiv_eta = proposition(
    ARXIV.at("Proposition 6, (155), eta_1 for gamma_1"), G, printed_cap(L), eta_1,
    ETA + "; 1/L without R^2 as printed",
)  # fmt: skip
repaired = proposition(
    ARXIV.at("Proposition 6, (155), eta_1 for gamma_1 and 1/(L R^2)"), G,
    Min(1 / (L * R**2), 1 / (2 * lam)), eta_1, TESTED,
)  # fmt: skip
