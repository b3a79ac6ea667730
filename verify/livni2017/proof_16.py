"""(16): the lemmas combined.

Setting    Algorithm 1; R(f*) = E sum_t l_t(f_t) - l_t(f*); B_T a bound on all ||f_t||; P_t of
           Lemma 1; ||f*|| <= B.
Claim      (1 - 2 eta) R(f*) <= B^2/eta + 2 eta sum_t l_t(f*) + eta ((16 B + 1) eta T)^2 T / m
           + ((B_T + B)^2 / eta) sum_t P_t(f*).
"""

from boundcheck import Claim, Holds
from boundcheck.quantities import renamed
from boundcheck.quantities.online import DESCENT, PRINTED
from boundcheck.quantities.online_comparators import total_loss
from boundcheck.worlds import Integer, Vector

from . import (
    AT_LEAST_ONE,
    B_T,
    NOTES,
    POSITIVE,
    B,
    T,
    comparator,
    eta,
    f_star,
    largest_norm_of,
    loss_star,
    m,
    norm_of,
    penalties,
    penalties_of,
    regret,
    regret_against,
    runs,
    star_norm,
)

third = eta * ((16 * B + 1) * eta * T) ** 2 * T / m
right = B**2 / eta + 2 * eta * loss_star + third + (B_T + B) ** 2 / eta * penalties


def measures(update):
    """The exact sides of (16)."""
    return {
        f_star: comparator,
        star_norm: renamed(norm_of, f="f_star"),
        loss_star: renamed(total_loss, f="f_star"),
        regret: regret_against(update),
        penalties: penalties_of(update),
        B_T: largest_norm_of(update),
    }


setting = dict(
    statement=Holds((1 - 2 * eta) * regret <= right),
    given=[B >= 1, eta > 0, star_norm <= B],
    worlds=runs(rounds=3).and_fields(direction=Vector("K", -1, 1)),
    parameters={B: AT_LEAST_ONE, eta: POSITIVE, m: Integer(1, 2)},
    cost=12,
)

printed = Claim(
    source=NOTES.at("(16)"),
    measure=measures(PRINTED),
    uses=(
        "livni2017/lemma_1:printed", "livni2017/lemma_2:printed", "livni2017/lemma_3:printed",
    ),
    reading="P_t is that of Lemma 1 and B_T the largest norm on any sample path.",
    **setting,
)  # fmt: skip

repaired = Claim(
    source=NOTES.at("(16), with a descent step"),
    measure=measures(DESCENT),
    uses=("livni2017/lemma_1:repaired", "livni2017/lemma_3:printed"),
    **setting,
)
