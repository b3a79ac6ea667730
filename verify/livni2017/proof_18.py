"""(18): the last term of (16) under the proof's choice of step and samples.

Setting    eta = B / (2 sqrt(T)), m = ((16 B + 1) B)^2 T log(gamma), gamma as in section 5.1,
           B_T < (16 B + 1) eta T a bound on all ||f_t||.
Claim      m > (3 eta t)^2 log(gamma) for every t <= T, gamma > (B + B_T)^2 / eta^2; with the bound
           P_t <= 2 exp(-m / (3 eta t)^2) of Lemma 2, ((B_T + B)^2 / eta) sum_t P_t <= eta T.
"""

from sympy import And, Sum, exp, log, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities import renamed
from boundcheck.quantities.online import DESCENT, PRINTED
from boundcheck.worlds import Integer, Real, Vector

from . import (
    AT_LEAST_ONE,
    B_T,
    NOTES,
    B,
    T,
    comparator,
    eta,
    f_star,
    largest_norm_of,
    m,
    norm_of,
    penalties,
    penalties_of,
    proof_samples,
    proof_step,
    runs,
    star_norm,
    t,
)
from .proof_third_term import gamma, samples, size

share = symbols("share", real=True)
lemma_2_sum = Sum(2 * exp(-samples / (3 * eta * t) ** 2), (t, 1, T))

printed = Claim(
    source=NOTES.at("(18)"),
    statement=Holds(
        And(
            samples > (3 * eta * T) ** 2 * log(gamma),
            gamma > (B + B_T) ** 2 / eta**2,
            (B_T + B) ** 2 / eta * lemma_2_sum <= eta * T,
        )
    ),
    given=[B >= 1, size > B_T],
    parameters={B: AT_LEAST_ONE, T: Integer(1, 200, wide=True), share: Real(0, 1)},
    measure={eta: proof_step, B_T: lambda share, B, eta, T: share * (16 * B + 1) * eta * T},
    uses=("livni2017/lemma_2:printed", "livni2017/lemma_5:printed"),
    reading="What follows from the choice of m and the bound that Lemma 2 states; whether Lemma 2 "
    "and (18) hold for the algorithm as printed are claims of their own.",
    cost=8,
)

run = dict(
    statement=Holds((B_T + B) ** 2 / eta * penalties <= eta * T),
    given=[B >= 1, star_norm < B],
    worlds=runs(rounds=6, points=2, atoms=1).and_fields(direction=Vector("K", -1, 1)),
    parameters={B: AT_LEAST_ONE},
    cost=12,
)


def measures(update):
    """The exact sides of (18) on a run of Algorithm 1."""
    return {
        eta: proof_step,
        m: proof_samples,
        f_star: comparator,
        star_norm: renamed(norm_of, f="f_star"),
        penalties: penalties_of(update),
        B_T: largest_norm_of(update),
    }


step_run = Claim(
    source=NOTES.at("(18), on Algorithm 1 as printed"),
    measure=measures(PRINTED),
    uses=("livni2017/proof_18:printed", "livni2017/algorithm_1:printed"),
    reading="P_t is that of Lemma 1, B_T the largest norm on any path, m rounded up.",
    **run,
)

repaired = Claim(
    source=NOTES.at("(18), on Algorithm 1 with a descent step"),
    measure=measures(DESCENT),
    uses=("livni2017/lemma_2:repaired",),
    **run,
)
