"""Lemma 1, (15): regret of descent whose steps may be overruled.

Setting    convex l_1..l_T; random f_1..f_T with ||f_t|| <= B_T; g_t an unbiased estimator of the
           gradient of l_t at f_t; f^_t = f_{t-1} - eta g_{t-1};
           P_t = P(||f_t - f*|| > ||f^_t - f*||).
Claim      E sum_t l_t(f_t) - l_t(f*) <= B^2/eta + eta sum E ||gradient_t||^2 + eta sum V[g_t]
           + sum_t (B_T + B)^2 P_t / eta for every ||f*|| <= B.
"""

from sympy import Abs, And, Eq, symbols

from boundcheck import Claim, Expected, Holds
from boundcheck.quantities import renamed
from boundcheck.quantities.online_descent import convex_loss, subgradient
from boundcheck.worlds import Choice, Indices, Integer, Real, Space, Vector, Weights

from . import AT_LEAST_ONE, B_T, NOTES, POSITIVE, B, comparator, eta, m, norm_of, star_norm
from ._adversaries import contest, contests
from ._descent import (
    Coins,
    adaptive_measures,
    adaptive_space,
    best_afterwards,
    descent_space,
    f_star,
    largest,
    measures,
    penalties,
    regret,
    squares,
    variances,
)

bound = B**2 / eta + eta * squares + eta * variances + (B_T + B) ** 2 / eta * penalties
noisy_squares, loss, loss_star, slope, after, after_step, on_event, event = symbols(
    "noisy_squares loss loss_star slope after after_step on_event event", real=True
)

setting = dict(
    given=[eta > 0, B > 0, Abs(f_star) <= B, largest <= B_T],
    parameters={eta: POSITIVE, B: POSITIVE, f_star: Real(None, None), B_T: POSITIVE},
    draw=Coins(),
)

printed = Claim(
    source=NOTES.at("Lemma 1, (15)"),
    statement=Expected(regret <= bound),
    worlds=descent_space(shared=True, start=True, detours=True),
    measure=measures,
    uses=(
        "livni2017/lemma_1:step_convexity",
        "livni2017/lemma_1:step_event",
        "livni2017/lemma_1:step_sum",
    ),
    reading="The losses are one arbitrary sequence, fixed before the run, and f* is one function. "
    "No first iterate is prescribed, only ||f_t|| <= B_T; unbiased means that expectations agree, "
    "not conditional ones; there is no step before round 1, so P_1 = 0 as in plain descent.",
    cost=6,
    **setting,
)

from_zero = Claim(
    source=NOTES.at("Lemma 1, (15), with f_1 = 0"),
    statement=Expected(regret <= bound),
    worlds=descent_space(shared=True, start=False, detours=False).and_fields(
        one_coin=Integer(1, 1), T=Choice((1, 2, 8, 16, 16))
    ),
    measure=measures,
    reading="As printed but started at 0 and with every gradient step taken; estimates are "
    "unbiased, not conditionally so: one coin for the whole run.",
    cost=2,
    **setting,
)

free_start = Claim(
    source=NOTES.at("Lemma 1, (15), with estimates unbiased given the past"),
    statement=Expected(regret <= bound),
    worlds=descent_space(shared=False, start=True, detours=False),
    measure=measures,
    reading="As printed but with independent noise and every gradient step taken; the first "
    "iterate is as free as ||f_1|| <= B_T leaves it.",
    cost=6,
    **setting,
)

repaired = Claim(
    source=NOTES.at("Lemma 1, (15), with f_1 = 0 and estimates unbiased given the past"),
    statement=Expected(regret <= bound),
    worlds=descent_space(shared=False, start=False, detours=True),
    measure=measures,
    uses=("livni2017/lemma_1:step_convexity", "livni2017/lemma_1:step_event"),
    cost=20,
    **setting,
)

step_convexity = Claim(
    source=NOTES.at("appendix B.1, (21)"),
    statement=Holds(2 * (loss - loss_star) <= 2 * slope),
    worlds=Space(
        a=Real(0, None), b=Real(None, None), c=Real(0, None), e=Real(None, None),
        f=Real(None, None),
    ),
    parameters={f_star: Real(None, None)},
    measure={
        loss: lambda f, a, b, c, e: convex_loss(f, (a, b, c, e)),
        loss_star: lambda f_star, a, b, c, e: convex_loss(f_star, (a, b, c, e)),
        slope: lambda f, f_star, a, b, c, e: subgradient(f, (a, b, c, e)) * (f - f_star),
    },
)  # fmt: skip

step_event = Claim(
    source=NOTES.at("appendix B.1, the event that a step is overruled"),
    statement=Expected(
        And(
            after <= after_step + on_event,
            after_step + on_event <= after_step + (B + B_T) ** 2 * event,
        )
    ),
    given=[B > 0, B_T > 0],
    worlds=Space(
        K=Integer(1, searched=4), chances=Weights("K", zeros=True), new=Vector("K", -1, 1),
        stepped=Vector("K", searched=(-3, 3)), share=Real(-1, 1), one=Integer(1, 1),
    ),
    parameters={B: POSITIVE, B_T: POSITIVE},
    measure={
        f_star: lambda share, B: share * B,
        after: lambda new, k, f_star, B_T: (B_T * new[k[0]] - f_star) ** 2,
        after_step: lambda stepped, k, f_star, B_T: (B_T * stepped[k[0]] - f_star) ** 2,
        event: lambda after, after_step: int(after > after_step),
        on_event: lambda after, event: after * event,
    },
    draw=Indices("k", "chances", "one", over="the round"),
    reading="A conditional expectation times the probability of its event is the integral over it.",
    cost=3,
)  # fmt: skip

with_sum = measures | {noisy_squares: lambda run: sum(g**2 for g in run.noisy)}

step_sum = Claim(
    source=NOTES.at("appendix B.1, summing over t"),
    statement=Expected(And(Eq(noisy_squares, squares + variances), regret <= bound)),
    worlds=descent_space(shared=True, start=True, detours=True),
    measure=with_sum,
    uses=("livni2017/lemma_1:step_convexity", "livni2017/lemma_1:step_event"),
    reading="Under the hypotheses of the lemma: the first iterate and the dependence of the noise "
    "on the past are free.",
    cost=6,
    **setting,
)

repaired_sum = Claim(
    source=NOTES.at("appendix B.1, summing over t, with f_1 = 0 and conditional unbiasedness"),
    statement=Expected(And(Eq(noisy_squares, squares + variances), 2 * regret <= bound)),
    worlds=descent_space(shared=False, start=False, detours=True),
    measure=with_sum,
    uses=("livni2017/lemma_1:step_convexity", "livni2017/lemma_1:step_event"),
    cost=30,
    **setting,
)

# --- losses that an adversary chooses during the run ---------------------------------------------

adaptive_setting = setting | dict(
    worlds=adaptive_space(),
    uses=("livni2017/lemma_1:step_convexity", "livni2017/lemma_1:step_event"),
    cost=1.5,
)
SEEN = "f_1 = 0, estimates are unbiased given the past, and l_t may depend on all noise before it"

adaptive = Claim(
    source=NOTES.at("Lemma 1, (15), with losses that depend on the run"),
    statement=Expected(regret <= bound),
    measure=adaptive_measures,
    reading=f"{SEEN}; f* is fixed before the run.",
    **adaptive_setting,
)

adaptive_halved = Claim(
    source=NOTES.at("Lemma 1, half of (15), with losses that depend on the run"),
    statement=Expected(2 * regret <= bound),
    measure=adaptive_measures,
    reading=f"{SEEN}; f* is fixed before the run. Half of the printed bound is enough, as it is "
    "for a sequence fixed before the run.",
    **adaptive_setting,
)

# f* is now measured: the best function of the ball for the losses that came.
afterwards = adaptive_setting | dict(
    given=[eta > 0, B > 0, largest <= B_T],
    parameters={eta: POSITIVE, B: POSITIVE, B_T: POSITIVE},
    measure=adaptive_measures | {f_star: best_afterwards},
)

adaptive_hindsight = Claim(
    source=NOTES.at("Lemma 1, (15), against the best f* after a run with adaptive losses"),
    statement=Expected(regret <= bound),
    reading=f"{SEEN}; f* is the best of the ball after the run, as in the regret (7), and P_t is "
    "the probability that its step is overruled to its disadvantage.",
    **afterwards,
)

adaptive_hindsight_halved = Claim(
    source=NOTES.at("Lemma 1, half of (15), against the best f* after a run with adaptive losses"),
    statement=Expected(2 * regret <= bound),
    reading=f"{SEEN}. Half of the bound, which serves every f* fixed before the run, fails for the "
    "best one after it: the noise then correlates with f*.",
    **(afterwards | dict(worlds=adaptive_space(rounds=2, detours=False))),
)

# --- Algorithm 1 itself against an adversary, every sample path of short runs --------------------

game = symbols("game", real=True)
played = dict(
    statement=Holds(regret <= bound),
    worlds=contests(rounds=4).and_fields(direction=Vector("K", -1, 1)),
    parameters={B: AT_LEAST_ONE, eta: POSITIVE, m: Integer(1, searched=2)},
    uses=("livni2017/algorithm_1:repaired",),
    cost=6,
)
sums = {
    game: contest,
    squares: lambda game: game.squares(),
    variances: lambda game: game.variances(),
    B_T: lambda game: game.largest_norm(),
}

adaptive_algorithm = Claim(
    source=NOTES.at("Lemma 1, (15), on Algorithm 1 against an adversary that sees the run"),
    given=[B >= 1, eta > 0, star_norm <= B],
    measure=sums | {
        f_star: comparator,
        star_norm: renamed(norm_of, f="f_star"),
        regret: lambda game, f_star: game.losses() - game.losses_of(f_star),
        penalties: lambda game, f_star: game.overruled(f_star),
    },
    reading="With a descent step; points and labels depend on the draws of earlier rounds, f* is "
    "fixed before the run, B_T is the largest norm on any path.",
    **played,
)  # fmt: skip

adaptive_algorithm_hindsight = Claim(
    source=NOTES.at("Lemma 1, (15), on Algorithm 1 against the best f* after an adaptive run"),
    given=[B >= 1, eta > 0],
    measure=sums | {
        regret: lambda game: game.losses() - game.least_losses(),
        penalties: lambda game: game.shrinks(),
    },
    reading="With the regret (7), whose minimum is taken after the run; every shrinking step "
    "counts as one to the disadvantage of f*.",
    **played,
)  # fmt: skip
