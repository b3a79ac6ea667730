"""Lemma 6: when shrinking can lead away from f*.

Setting    as in Lemma 2. Events of round t: E_1: |E_t| > 16 B and |E_t| > ||f_t|| / (4 eta);
           E_2: |E_t| > 16 B and ||f_t|| < 8 B.
Claim      P_t(f*) < P(E_1 or E_2) for every ||f*|| < B. In the proof: the step is the gradient
           step unless |E_t| > 16 B; and if |E_t| > 16 B, |E_t| < ||f_t|| / (4 eta), ||f_t|| > 8 B,
           ||f^|| >= ||f_t|| - eta |E_t| - eta >= (3/4) ||f_t|| - eta,
           ||f^ - f*|| >= (3/4) ||f_t|| - eta - B >= ||f_t|| / 4 + B >= ||f_t / 4 - f*||,
           using ||f_t|| / 2 > 4 B > eta + 2 B.
"""

from sympy import Abs, And, Eq, Implies, Not, Or, Rational

from boundcheck import Claim, Expected, Holds
from boundcheck.expressions import define, indicator, named, parameter, world
from boundcheck.settings.sampled_features import (
    AT_LEAST_ONE,
    B,
    K,
    N,
    Phi,
    eta,
    m,
    norm,
    point,
    psi,
    sign_features,
)
from boundcheck.settings.seeing_adversaries import Contest
from boundcheck.settings.shrinking_gradient import (
    DESCENT,
    PRINTED,
    Round,
    ShrinkingGradient,
    distance,
    f_star,
    rounds,
    star_norm,
    t,
)
from boundcheck.worlds import Choice, Integer, Real, Vector

from . import NOTES

SHORT = [B >= 1, eta > 0, eta < Rational(1, 8), star_norm < B]
SHORT_STEPS = {**AT_LEAST_ONE, eta: Real(0, None, open_low=True, searched=(0, "124999/1000000"))}


def farther(state, than):
    """Whether a function is farther from f* than another."""
    return distance(state) > distance(than)


def events(at, large):
    """E_1 or E_2, with a given meaning of a large estimate."""
    return And(large, Or(Abs(at.E) > norm(at.f) / (4 * eta), norm(at.f) < 8 * B))


run = ShrinkingGradient(t, PRINTED)
own_hat = named("hat", run.hat.body, r"\hat{f}_t")  # as Lemma 2 names it
in_events = indicator(events(run, Abs(run.E) > 16 * B))
climbing = dict(
    given=SHORT,
    domains={**AT_LEAST_ONE, t: Integer(1, searched=3), m: Integer(1, searched=2)},
    cost=8,
)

printed = Claim(
    NOTES.at("Lemma 6"),
    Expected(indicator(farther(run.f, own_hat)) < in_events),
    uses=("livni2017/lemma_6:step_norms", "livni2017/lemma_6:step_branch"),
    reading="P_t and f^_t are those of Lemma 2, as the setting says; the points and labels are a "
    "sequence fixed before the run.",
    **climbing,
)

as_in_lemma_1 = Claim(
    NOTES.at("Lemma 6, with f^ of Lemma 1"),
    Expected(indicator(farther(run.following, run.hat)) <= in_events),
    uses=("livni2017/algorithm_1:printed",),
    reading="P belongs to the step that round t makes; the algorithm is as printed.",
    **climbing,
)

weak_inequality = Claim(
    NOTES.at("Lemma 6, with <= for <"),
    Expected(indicator(farther(run.f, own_hat)) <= in_events),
    reading="As printed but for equality, which rounds without shrinking would need.",
    **climbing,
)

# Any state of the algorithm: f_t in units of 8 B, E_t in units of 16 B.
weights = world("weights", Vector(K, searched=(-1, 1)), says="f_t in units of 8 B scale.")
side = world("side", Choice((1, -1)), says="Sign of E_t.")
label = world("y_t", Real(-1, 1), says="The label of the round.")
scale = parameter("scale", Real(0, None, open_low=True))
ratio = parameter("ratio", Real(0, None, open_low=True), says="|E_t| in units of 16 B.")
f_t = define("f_t", 8 * B * scale * weights)
E_t = define("E_t", 16 * B * side * ratio)
state = Round(f_t, E_t, Phi(point("x_t")), label, DESCENT)
ANY_STATE = {N: Integer(1, searched=1)}

step_norms = Claim(
    NOTES.at("appendix B.2, the chain of norm inequalities"),
    Holds(
        And(
            norm(state.hat) >= norm(f_t) - eta * Abs(E_t) - eta,
            norm(f_t) - eta * Abs(E_t) - eta >= Rational(3, 4) * norm(f_t) - eta,
            norm(state.hat - f_star) >= Rational(3, 4) * norm(f_t) - eta - B,
            norm(f_t) / 2 > 4 * B,
            4 * B > eta + 2 * B,
            Rational(3, 4) * norm(f_t) - eta - B >= norm(f_t) / 4 + B,
            norm(f_t) / 4 + B >= norm(f_t / 4 - f_star),
        )
    ),
    given=[*SHORT, Abs(E_t) > 16 * B, norm(f_t) > 8 * B, Abs(E_t) < norm(f_t) / (4 * eta)],
    domains={**AT_LEAST_ONE, **ANY_STATE, ratio: Real(1, None), scale: Real(1, None)},
    uses=("livni2017/setup:printed",),
    reading="In any state, reachable or not, with a shrinking step to f_t / 4.",
    cost=8,
)

# P_{t+1} <= P(E_1 or E_2) in every run follows from the inclusion of events in every state.
farther_next = indicator(farther(state.following, state.hat))
repaired = Claim(
    NOTES.at("Lemma 6, with f^ of Lemma 1, a descent step and |E_t| >= 16 B in the events"),
    Holds(farther_next <= indicator(events(state, Abs(E_t) >= 16 * B))),
    given=SHORT,
    domains={**SHORT_STEPS, **ANY_STATE},
    uses=("livni2017/lemma_6:step_norms",),
    reading="In any state, reachable or not, the event of P_{t+1} lies within E_1 or E_2: whatever "
    "sequence led there, fixed before the run or chosen during it.",
    cost=3,
)

open_events = Claim(
    NOTES.at("Lemma 6, with f^ of Lemma 1, a descent step and the events as printed"),
    Holds(farther_next <= indicator(events(state, Abs(E_t) > 16 * B))),
    given=SHORT,
    domains={**SHORT_STEPS, **ANY_STATE},
    uses=("livni2017/lemma_6:step_branch",),
    reading="In any state: at |E_t| = 16 B Algorithm 1 shrinks outside both events.",
    cost=3,
)

step_branch = Claim(
    NOTES.at("appendix B.2, before the chain"),
    Holds(Implies(Abs(E_t) <= 16 * B, Eq(distance(state.following), distance(state.hat)))),
    given=SHORT,
    domains={**AT_LEAST_ONE, **ANY_STATE},
    uses=("livni2017/algorithm_1:repaired",),
    reading="In any state, and with the sign of a descent step, so that only the branch is judged.",
)

# About 45 rounds are the least after which an estimate can reach 16 B with steps below 1/8.
last = Round(*Contest(t, states=4).last_round, DESCENT)
unexplained = And(farther(last.following, last.hat), Not(events(last, Abs(last.E) >= 16 * B)))
adaptive = Claim(
    NOTES.at("Lemma 6, repaired, with points and labels that depend on the run"),
    Expected(indicator(unexplained) <= 0),
    given=SHORT,
    domains={
        **SHORT_STEPS, t: rounds(4, 60, 80), psi: sign_features, m: Integer(1, searched=2),
    },
    uses=("livni2017/lemma_6:repaired",),
    reading="Against an adversary that sees the draws of earlier rounds, the event of P_{t+1} has "
    "no probability outside E_1 or E_2; the round is the last one of the world.",
    cost=2,
)  # fmt: skip
