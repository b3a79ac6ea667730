"""Lemma 1, (15): regret of descent whose steps may be overruled.

Setting    convex l_1..l_T; random f_1..f_T with ||f_t|| <= B_T; g_t an unbiased estimator of the
           gradient of l_t at f_t; f^_t = f_{t-1} - eta g_{t-1};
           P_t = P(||f_t - f*|| > ||f^_t - f*||).
"""

from sympy import Abs, And, Eq, Max

from boundcheck import Claim, Expected, Holds
from boundcheck.expressions import define, indicator, outcome, world
from boundcheck.settings import (
    sampled_features as features,
    seeing_adversaries as seeing,
    shrinking_gradient as algorithm,
)
from boundcheck.settings.noisy_descent import B_T, B, NoisyDescent, eta, f_star
from boundcheck.settings.shrinking_gradient import rounds
from boundcheck.worlds import Indices, Integer, Real, Vector, Weights

from . import NOTES

HERE = NOTES.at("Lemma 1, (15)")
ON_THE_LINE = "Functions are numbers and losses (a/2)(f - b)^2 + c |f - e|."


def bound(run, f_star):
    """The right side of (15)."""
    return (
        B**2 / eta + eta * run.squares + eta * run.variances
        + (B_T + B) ** 2 / eta * run.overruled(f_star)
    )  # fmt: skip


def regret_bound(run, f_star=f_star, times=1):
    """(15), or a multiple of the regret below its right side."""
    return Expected(times * run.regret(f_star) <= bound(run, f_star))


def bounded(run):
    """The hypotheses: ||f*|| <= B, and B_T is above every ||f_t||."""
    return [eta > 0, B > 0, Abs(f_star) <= B, run.largest <= B_T]


as_printed = NoisyDescent(shared=True, start=True, detours=True)
printed = Claim(
    HERE,
    regret_bound(as_printed),
    given=bounded(as_printed),
    uses=(
        "livni2017/lemma_1:step_convexity",
        "livni2017/lemma_1:step_event",
        "livni2017/lemma_1:step_sum",
    ),
    reading="The losses are one arbitrary sequence, fixed before the run, and f* is one function. "
    "No first iterate is prescribed, only ||f_t|| <= B_T; unbiased means that expectations agree, "
    "not conditional ones; there is no step before round 1, so P_1 = 0 as in plain descent. "
    f"{ON_THE_LINE}",
    cost=6,
)

at_zero = NoisyDescent(shared=True)
from_zero = Claim(
    NOTES.at("Lemma 1, (15), with f_1 = 0"),
    regret_bound(at_zero),
    given=bounded(at_zero),
    domains={at_zero.one_coin: Integer(1, 1), at_zero.T: rounds(1, 2, 8, 16, 16)},
    reading="As printed but started at 0 and with every gradient step taken; estimates are "
    "unbiased, not conditionally so: one coin for the whole run.",
    cost=2,
)

starting = NoisyDescent(start=True)
free_start = Claim(
    NOTES.at("Lemma 1, (15), with estimates unbiased given the past"),
    regret_bound(starting),
    given=bounded(starting),
    reading="As printed but with independent noise and every gradient step taken; the first "
    "iterate is as free as ||f_1|| <= B_T leaves it.",
    cost=6,
)

mended = NoisyDescent(detours=True)
STEPS = ("livni2017/lemma_1:step_convexity", "livni2017/lemma_1:step_event")
repaired = Claim(
    NOTES.at("Lemma 1, (15), with f_1 = 0 and estimates unbiased given the past"),
    regret_bound(mended),
    given=bounded(mended),
    uses=STEPS,
    reading=ON_THE_LINE,
    cost=20,
)

gradient = world("gradient", Real(None, None), latex=r"\nabla_t")
c, e, f, h = (world(name, Real(None, None)) for name in "cefh")


def loss(point):
    """The tangent at f, or that at f* where it is higher."""
    return Max(gradient * point + c, h * point + e)


step_convexity = Claim(
    NOTES.at("appendix B.1, (21)"),
    Holds(2 * (loss(f) - loss(f_star)) <= 2 * gradient * (f - f_star)),
    given=[Eq(loss(f), gradient * f + c)],
    reading="On the line through f_t and f*, to which both sides belong; of a convex loss only its "
    "tangents at these two points enter.",
)

# An entry of B_T new is f_t, one of B_T stepped the iterate after its gradient step.
K = world("K", Integer(1, searched=4), says="Number of outcomes.")
chances = world("chances", Weights(K, zeros=True), says="Their law.")
new, stepped = world("new", Vector(K, -1, 1)), world("stepped", Vector(K, searched=(-3, 3)))
share, one = world("share", Real(-1, 1)), world("one", Integer(1, 1))
k = outcome("k", Indices("k", chances, one, over="the round"))
target = share * B
after = define("after", (B_T * new[k[0]] - target) ** 2, latex=r"\|f_{t+1}-f^*\|^2")
after_step = define(
    "after_step", (B_T * stepped[k[0]] - target) ** 2, latex=r"\|\hat{f}_{t+1}-f^*\|^2"
)
event = define("event", indicator(after > after_step), latex=r"\mathbf{1}_{A_t}")
on_event = define("on_event", after * event, latex=r"\|f_{t+1}-f^*\|^2\mathbf{1}_{A_t}")
step_event = Claim(
    NOTES.at("appendix B.1, the event that a step is overruled"),
    Expected(
        And(
            after <= after_step + on_event,
            after_step + on_event <= after_step + (B + B_T) ** 2 * event,
        )
    ),
    given=[B > 0, B_T > 0],
    reading="A conditional expectation times the probability of its event is the integral over it; "
    "only distances from f* enter, so that points of a line are enough.",
    cost=3,
)

step_sum = Claim(
    NOTES.at("appendix B.1, summing over t"),
    Expected(
        And(
            Eq(as_printed.noisy_squares, as_printed.squares + as_printed.variances),
            as_printed.regret(f_star) <= bound(as_printed, f_star),
        )
    ),
    given=bounded(as_printed),
    uses=STEPS,
    reading="Under the hypotheses of the lemma: the first iterate and the dependence of the noise "
    "on the past are free.",
    cost=6,
)

repaired_sum = Claim(
    NOTES.at("appendix B.1, summing over t, with f_1 = 0 and conditional unbiasedness"),
    Expected(
        And(
            Eq(mended.noisy_squares, mended.squares + mended.variances),
            2 * mended.regret(f_star) <= bound(mended, f_star),
        )
    ),
    given=bounded(mended),
    uses=STEPS,
    reading=ON_THE_LINE,
    cost=30,
)

# --- losses that an adversary chooses during the run ---------------------------------------------

tree, bare_tree = NoisyDescent(detours=True, tree=True), NoisyDescent(tree=True)
SEEN = "f_1 = 0, estimates are unbiased given the past, and l_t may depend on all noise before it"

adaptive = Claim(
    NOTES.at("Lemma 1, (15), with losses that depend on the run"),
    regret_bound(tree),
    given=bounded(tree),
    uses=STEPS,
    reading=f"{SEEN}; f* is fixed before the run.",
    cost=1.5,
)

adaptive_halved = Claim(
    NOTES.at("Lemma 1, half of (15), with losses that depend on the run"),
    regret_bound(tree, times=2),
    given=bounded(tree),
    uses=STEPS,
    reading=f"{SEEN}; f* is fixed before the run. Half of the printed bound is enough, as it is "
    "for a sequence fixed before the run.",
    cost=1.5,
)

adaptive_hindsight = Claim(
    NOTES.at("Lemma 1, (15), against the best f* after a run with adaptive losses"),
    regret_bound(tree, tree.best_afterwards(B)),
    given=[eta > 0, B > 0, tree.largest <= B_T],
    uses=STEPS,
    reading=f"{SEEN}; f* is the best of the ball after the run, as in the regret (7), and P_t is "
    "the probability that its step is overruled to its disadvantage.",
    cost=1.5,
)

adaptive_hindsight_halved = Claim(
    NOTES.at("Lemma 1, half of (15), against the best f* after a run with adaptive losses"),
    regret_bound(bare_tree, bare_tree.best_afterwards(B), times=2),
    given=[eta > 0, B > 0, bare_tree.largest <= B_T],
    domains={bare_tree.T: Integer(1, searched=2)},
    uses=STEPS,
    reading=f"{SEEN}. Half of the bound, which serves every f* fixed before the run, fails for the "
    "best one after it: the noise then correlates with f*.",
    cost=1.5,
)

# --- Algorithm 1 itself against an adversary, every sample path of short runs --------------------

seen = seeing.Contest(algorithm.T)


def of_the_algorithm(least, penalties):
    """(15) for Algorithm 1 against an adversary, with the loss of f* and sum_t P_t."""
    B, eta, B_T = features.B, features.eta, seeing.largest_norm(seen.game)
    noise = eta * seeing.squares(seen.game) + eta * seeing.variances(seen.game)
    return Holds(seen.losses - least <= B**2 / eta + noise + (B_T + B) ** 2 / eta * penalties)


played = dict(
    domains={**features.AT_LEAST_ONE, features.m: Integer(1, searched=2)},
    uses=("livni2017/algorithm_1:repaired",),
    cost=6,
)

adaptive_algorithm = Claim(
    NOTES.at("Lemma 1, (15), on Algorithm 1 against an adversary that sees the run"),
    of_the_algorithm(seen.losses_of(algorithm.f_star), seen.overruled(algorithm.f_star)),
    given=[features.B >= 1, features.eta > 0, algorithm.star_norm <= features.B],
    reading="With a descent step; points and labels depend on the draws of earlier rounds, f* is "
    "fixed before the run, B_T is the largest norm on any path.",
    **played,
)

adaptive_algorithm_hindsight = Claim(
    NOTES.at("Lemma 1, (15), on Algorithm 1 against the best f* after an adaptive run"),
    of_the_algorithm(seen.least_losses, seeing.shrinks(seen.game)),
    given=[features.B >= 1, features.eta > 0],
    reading="With the regret (7), whose minimum is taken after the run; every shrinking step "
    "counts as one to the disadvantage of f*.",
    **played,
)
