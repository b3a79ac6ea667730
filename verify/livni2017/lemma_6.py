"""Lemma 6: when shrinking can lead away from f*.

Setting    as in Lemma 2. Events of round t: E_1: |E_t| > 16 B and |E_t| > ||f_t|| / (4 eta);
           E_2: |E_t| > 16 B and ||f_t|| < 8 B.
Claim      P_t(f*) < P(E_1 or E_2) for every ||f*|| < B. In the proof: the step is the gradient
           step unless |E_t| > 16 B; and if |E_t| > 16 B, |E_t| < ||f_t|| / (4 eta), ||f_t|| > 8 B,
           ||f^|| >= ||f_t|| - eta |E_t| - eta >= (3/4) ||f_t|| - eta,
           ||f^ - f*|| >= (3/4) ||f_t|| - eta - B >= ||f_t|| / 4 + B >= ||f_t / 4 - f*||,
           using ||f_t|| / 2 > 4 B > eta + 2 B.
"""

from sympy import Abs, And, Eq, Implies, Rational, symbols

from boundcheck import Claim, Expected, Holds
from boundcheck.exact import square_root
from boundcheck.quantities import quantity, renamed
from boundcheck.quantities.online import DESCENT, PRINTED
from boundcheck.worlds import Choice, Custom, Derived, Integer, Real, Vector

from . import (
    AT_LEAST_ONE,
    NOTES,
    POSITIVE,
    B,
    comparator,
    estimate,
    eta,
    f_norm,
    f_star,
    feature_space,
    gradient_step,
    hat,
    hat_distance,
    m,
    new,
    new_distance,
    next_function,
    norm_of,
    one_modulus,
    sign_features,
    squared_distance,
    star_norm,
)
from ._adversaries import LAST_ROUNDS, long_contests
from .lemma_2 import setting

farther, farther_next, events, closed_events = symbols(
    "farther farther_next events closed_events", real=True
)
hat_norm, gap, new_gap, scale, ratio = symbols("hat_norm gap new_gap scale ratio", real=True)


def in_events(strict):
    """Indicator of E_1 or E_2; their first condition is |E_t| > 16 B, or >= if not strict."""

    def indicator(estimate, f_norm, B, eta):
        size = abs(estimate)
        shrinks = size > 16 * B or (not strict and size == 16 * B)
        return int(shrinks and (size > f_norm / (4 * eta) or f_norm < 8 * B))

    return indicator


def with_events(rounds, update):
    """The setting of Lemma 2 with indicators of its events."""
    shared = setting(rounds, update)
    shared["measure"] = shared["measure"] | {
        f_norm: norm_of,
        farther: lambda distance, hat_distance: int(distance > hat_distance),
        farther_next: lambda new_distance, hat_distance: int(new_distance > hat_distance),
        events: in_events(strict=True),
        closed_events: in_events(strict=False),
    }
    return shared


printed = Claim(
    source=NOTES.at("Lemma 6"),
    statement=Expected(farther < events),
    uses=("livni2017/lemma_6:step_norms", "livni2017/lemma_6:step_branch"),
    reading="P_t and f^_t are those of Lemma 2, as the setting says; the points and labels are a "
    "sequence fixed before the run.",
    **with_events(3, PRINTED),
)

as_in_lemma_1 = Claim(
    source=NOTES.at("Lemma 6, with f^ of Lemma 1"),
    statement=Expected(farther_next <= events),
    uses=("livni2017/algorithm_1:printed",),
    reading="P belongs to the step that round t makes; the algorithm is as printed.",
    **with_events(3, PRINTED),
)

weak_inequality = Claim(
    source=NOTES.at("Lemma 6, with <= for <"),
    statement=Expected(farther <= events),
    reading="As printed but for equality, which rounds without shrinking would need.",
    **with_events(3, PRINTED),
)

# Any state of the algorithm: f_t in units of B, E_t in units of 16 B.
states = feature_space(points=1, atoms=2).and_fields(
    direction=Vector("K", -1, 1), weights=Vector("K", -1, 1), sequence=Derived(lambda: (0,)),
    label=Real(-1, 1), y=Derived(lambda label: (label,)), side=Choice((1, -1)),
)  # fmt: skip
state = {
    estimate: lambda side, ratio, B: 16 * B * side * ratio,
    symbols("f", real=True): lambda weights, scale, B: comparator(weights, 8 * B * scale),
    f_star: comparator,
    star_norm: renamed(norm_of, f="f_star"),
    f_norm: norm_of,
    hat: gradient_step,
    hat_norm: renamed(norm_of, f="hat"),
    hat_distance: renamed(squared_distance, f="hat"),
    gap: lambda hat_distance: square_root(hat_distance),
}

step_norms = Claim(
    source=NOTES.at("appendix B.2, the chain of norm inequalities"),
    statement=Holds(
        And(
            hat_norm >= f_norm - eta * Abs(estimate) - eta,
            f_norm - eta * Abs(estimate) - eta >= Rational(3, 4) * f_norm - eta,
            gap >= Rational(3, 4) * f_norm - eta - B,
            f_norm / 2 > 4 * B,
            eta + 2 * B < 4 * B,
            Rational(3, 4) * f_norm - eta - B >= f_norm / 4 + B,
            f_norm / 4 + B >= new_gap,
        )
    ),
    given=[
        B >= 1, eta > 0, eta < Rational(1, 8), star_norm < B, Abs(estimate) > 16 * B,
        f_norm > 8 * B, eta < f_norm / (4 * Abs(estimate)),
    ],
    worlds=states,
    parameters={B: AT_LEAST_ONE, eta: POSITIVE, ratio: AT_LEAST_ONE, scale: AT_LEAST_ONE},
    measure=state | {
        new: lambda f: tuple(value / 4 for value in f),
        new_distance: renamed(squared_distance, f="new"),
        new_gap: lambda new_distance: square_root(new_distance),
    },
    uses=("livni2017/setup:printed",),
    reading="In any state, reachable or not, with a shrinking step to f_t / 4.",
    cost=8,
)  # fmt: skip

# P_{t+1} <= P(E_1 or E_2) in every run follows from the inclusion of events in every state.
repaired = Claim(
    source=NOTES.at("Lemma 6, with f^ of Lemma 1, a descent step and |E_t| >= 16 B in the events"),
    statement=Holds(farther_next <= closed_events),
    given=[B >= 1, eta > 0, eta < Rational(1, 8), star_norm < B],
    worlds=states,
    parameters={
        B: AT_LEAST_ONE, eta: Real(0, "1/8", open_low=True, open_high=True),
        ratio: POSITIVE, scale: POSITIVE,
    },
    measure=state | {
        new: next_function(DESCENT),
        new_distance: renamed(squared_distance, f="new"),
        farther_next: lambda new_distance, hat_distance: int(new_distance > hat_distance),
        closed_events: in_events(strict=False),
    },
    uses=("livni2017/lemma_6:step_norms",),
    reading="In any state, reachable or not, the event of P_{t+1} lies within E_1 or E_2: whatever "
    "sequence led there, fixed before the run or chosen during it.",
    cost=3,
)  # fmt: skip


open_events = Claim(
    source=NOTES.at("Lemma 6, with f^ of Lemma 1, a descent step and the events as printed"),
    statement=Holds(farther_next <= events),
    given=repaired.given,
    worlds=states,
    parameters=repaired.parameters,
    measure={
        symbol: quantity for symbol, quantity in repaired.measure.items() if symbol != closed_events
    } | {events: in_events(strict=True)},
    uses=("livni2017/lemma_6:step_branch",),
    reading="In any state: at |E_t| = 16 B Algorithm 1 shrinks outside both events.",
    cost=3,
)  # fmt: skip

step_branch = Claim(
    source=NOTES.at("appendix B.2, before the chain"),
    statement=Holds(Implies(Abs(estimate) <= 16 * B, Eq(new_distance, hat_distance))),
    given=[B >= 1, eta > 0, eta < Rational(1, 8), star_norm < B],
    worlds=states,
    parameters={B: AT_LEAST_ONE, eta: POSITIVE, ratio: POSITIVE, scale: POSITIVE},
    measure=state | {
        new: next_function(DESCENT),
        new_distance: renamed(squared_distance, f="new"),
    },
    uses=("livni2017/algorithm_1:repaired",),
    reading="In any state, and with the sign of a descent step, so that only the branch is judged.",
)  # fmt: skip

# --- runs against an adversary that sees them ----------------------------------------------------

unexplained = symbols("unexplained", real=True)


@quantity(
    estimator=lambda f, estimate, point, label, eta: (
        f + (eta * (label - estimate))[:, None] * point
    )
)
def step_from(f, estimate, point, label, eta):
    """f_t - eta (E_t - y_t) Phi(x_t), the point and label as they came in the run."""
    return tuple(a + eta * (label - estimate) * b for a, b in zip(f, point, strict=True))


def _sampled_branch(f, hat, estimate, B):
    import numpy

    return numpy.where((abs(estimate) < 16 * B)[:, None], hat, f / 4)


@quantity(estimator=_sampled_branch)
def step_taken(f, hat, estimate, B):
    """f_{t+1} by the branch of Algorithm 1."""
    return hat if abs(estimate) < 16 * B else tuple(value / 4 for value in f)


@quantity(estimator=lambda new_distance, hat_distance: 1.0 * (new_distance > hat_distance))
def is_farther(new_distance, hat_distance):
    """Indicator of the event of P_{t+1}."""
    return int(new_distance > hat_distance)


@quantity(
    estimator=lambda estimate, f_norm, B, eta: 1.0
    * (abs(estimate) >= 16 * B)
    * ((4 * eta * abs(estimate) > f_norm) | (f_norm < 8 * B))
)
def shrinks_in_events(estimate, f_norm, B, eta):
    """Indicator of E_1 or E_2, with |E_t| >= 16 B in both."""
    return in_events(strict=False)(estimate, f_norm, B, eta)


@quantity(
    estimator=lambda farther_next, closed_events: farther_next * (1 - closed_events),
    bounds=lambda: (0, 1),
)
def without(farther_next, closed_events):
    """Indicator of the first event without the second."""
    return farther_next * (1 - closed_events)


# About 45 rounds are the least after which an estimate can reach 16 B with steps below 1/8.
adaptive = Claim(
    source=NOTES.at("Lemma 6, repaired, with points and labels that depend on the run"),
    statement=Expected(unexplained <= 0),
    given=[B >= 1, eta > 0, eta < Rational(1, 8), star_norm < B],
    worlds=long_contests((4, 60, 80), psi=Custom(sign_features, one_modulus)).and_fields(
        direction=Vector("K", -1, 1)
    ),
    parameters={
        B: AT_LEAST_ONE, eta: Real(0, "1/8", open_low=True, open_high=True),
        m: Integer(1, searched=2),
    },
    measure={
        f_star: comparator,
        star_norm: renamed(norm_of, f="f_star"),
        f_norm: norm_of,
        hat: step_from,
        new: step_taken,
        hat_distance: renamed(squared_distance, f="hat"),
        new_distance: renamed(squared_distance, f="new"),
        farther_next: is_farther,
        closed_events: shrinks_in_events,
        unexplained: without,
    },
    draw=LAST_ROUNDS,
    uses=("livni2017/lemma_6:repaired",),
    reading="Against an adversary that sees the draws of earlier rounds, the event of P_{t+1} has "
    "no probability outside E_1 or E_2; the round is the last one of the world.",
    cost=2,
)  # fmt: skip
