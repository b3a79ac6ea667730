"""(18): the last term of (16) under the proof's choice of step and samples.

Setting    eta = B / (2 sqrt(T)), m = ((16 B + 1) B)^2 T log(gamma), gamma as in section 5.1,
           B_T < (16 B + 1) eta T a bound on all ||f_t||.
Claim      m > (3 eta t)^2 log(gamma) for every t <= T, gamma > (B + B_T)^2 / eta^2; with the bound
           P_t <= 2 exp(-m / (3 eta t)^2) of Lemma 2, ((B_T + B)^2 / eta) sum_t P_t <= eta T.
"""

from sympy import And, Sum, exp, log, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities import renamed
from boundcheck.quantities.online import PRINTED
from boundcheck.worlds import Choice, Integer, Real, Vector

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

choice = dict(
    given=[B >= 1, size > B_T],
    parameters={B: AT_LEAST_ONE, T: Integer(1, wide=True, searched=200), share: Real(0, 1)},
    measure={eta: proof_step, B_T: lambda share, B, eta, T: share * (16 * B + 1) * eta * T},
    cost=8,
)


def follows(bounds):
    """Both inequalities on m and gamma, and (18) with a sum of bounds for that of the P_t."""
    return Holds(
        And(
            samples > (3 * eta * T) ** 2 * log(gamma),
            gamma > (B + B_T) ** 2 / eta**2,
            (B_T + B) ** 2 / eta * bounds <= eta * T,
        )
    )


printed = Claim(
    source=NOTES.at("(18)"),
    statement=follows(lemma_2_sum),
    uses=("livni2017/lemma_2:printed", "livni2017/lemma_5:printed"),
    reading="What follows from the choice of m and the bound that Lemma 2 states; whether Lemma 2 "
    "and (18) hold for the algorithm as printed are claims of their own.",
    **choice,
)

# P_t is at most P(|E - <f, Phi>| >= 8 B) in the round before, bounded with Hoeffding's constants.
hoeffding_sum = Sum(2 * exp(-samples * (8 * B) ** 2 / (2 * (size / T * t) ** 2)), (t, 1, T))

repaired = Claim(
    source=NOTES.at("(18), with Hoeffding's constants in Lemma 2"),
    statement=follows(hoeffding_sum),
    uses=("livni2017/lemma_2:repaired_constants", "livni2017/event_bounds:sharpened"),
    **choice,
)

step_run = Claim(
    source=NOTES.at("(18), on Algorithm 1 as printed"),
    statement=Holds((B_T + B) ** 2 / eta * penalties <= eta * T),
    given=[B >= 1, star_norm < B],
    worlds=runs(atoms=1).and_fields(T=Choice((1, 2, 4)), direction=Vector("K", -1, 1)),
    parameters={B: AT_LEAST_ONE},
    measure={
        eta: proof_step,
        m: proof_samples,
        f_star: comparator,
        star_norm: renamed(norm_of, f="f_star"),
        penalties: penalties_of(PRINTED),
        B_T: largest_norm_of(PRINTED),
    },
    uses=("livni2017/proof_18:printed", "livni2017/algorithm_1:printed"),
    reading="P_t is that of Lemma 1, B_T the largest norm on any path, m rounded up.",
    cost=25,
)
