"""(16): the lemmas combined.

Setting    Algorithm 1; R(f*) = E sum_t l_t(f_t) - l_t(f*); B_T a bound on all ||f_t||; P_t of
           Lemma 1; ||f*|| <= B.
Claim      (1 - 2 eta) R(f*) <= B^2/eta + 2 eta sum_t l_t(f*) + eta ((16 B + 1) eta T)^2 T / m
           + ((B_T + B)^2 / eta) sum_t P_t(f*).
"""

from sympy import symbols

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
from ._adversaries import contest, contests

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
    parameters={B: AT_LEAST_ONE, eta: POSITIVE, m: Integer(1, wide=True, searched=10**9)},
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

# Against an adversary that sees the run; f* may be the best function after it.
game = symbols("game", real=True)
played = setting | dict(
    worlds=contests().and_fields(direction=Vector("K", -1, 1)),
    uses=("livni2017/lemma_1:adaptive_algorithm", "livni2017/lemma_3:printed"),
    cost=6,
)

adaptive = Claim(
    source=NOTES.at("(16), with a descent step, against an adversary that sees the run"),
    measure={
        game: contest,
        f_star: comparator,
        star_norm: renamed(norm_of, f="f_star"),
        loss_star: lambda game, f_star: game.losses_of(f_star),
        regret: lambda game, loss_star: game.losses() - loss_star,
        penalties: lambda game, f_star: game.overruled(f_star),
        B_T: lambda game: game.largest_norm(),
    },
    reading="Points and labels depend on the draws of earlier rounds, f* is fixed before the run, "
    "and the losses of f* are expected ones.",
    **played,
)

adaptive_hindsight = Claim(
    source=NOTES.at("(16), with a descent step, against the best f* after an adaptive run"),
    measure={
        game: contest,
        loss_star: lambda game: game.least_losses(),
        regret: lambda game, loss_star: game.losses() - loss_star,
        penalties: lambda game: game.shrinks(),
        B_T: lambda game: game.largest_norm(),
    },
    reading="With the minimum after the run, as in (7) and Theorem 1; every shrinking step counts "
    "as one to the disadvantage of f*.",
    **(played | dict(
        given=[B >= 1, eta > 0],
        uses=("livni2017/lemma_1:adaptive_algorithm_hindsight", "livni2017/lemma_3:printed"),
        cost=12,
    )),
)  # fmt: skip
