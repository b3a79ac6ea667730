"""Algorithm 1: shrinking gradient.

Setting    B > 1, rounds t = 1..T: estimate E_t of <f_t, Phi(x_t)>; if |E_t| < 16 B append the
           coefficient -eta (y_t - E_t) of Phi(x_t), else divide all coefficients by four.
Claim      without shrinking, f_{t+1} = f_t - eta (E_t - y_t) Phi(x_t), the step of online gradient
           descent; where E_t is exact and eta <= 1 it does not raise the loss it is made for. The
           regret is O(B sqrt T) at eta = B / sqrt(T), here for T >= 64 B^2, where steps are as
           short as the proof asks.
"""

from math import isqrt

from sympy import Abs, And, Eq, Implies, sqrt

from boundcheck import Claim, Holds, UpToConstant
from boundcheck.settings.sampled_features import AT_LEAST_ONE, B, eta, m, squared_loss, squared_norm
from boundcheck.settings.shrinking_gradient import (
    DESCENT,
    PRINTED,
    THEOREM_STEP,
    ShrinkingGradient,
    T,
    one_point,
    t,
)
from boundcheck.worlds import Family, Integer, Real, doublings

from . import NOTES


def following(run):
    return run.combination(run.next_alpha, "f_{t+1}")


def takes_step(run):
    """Without shrinking the coefficients of the next round are those of the gradient step."""
    return Implies(Abs(run.E) < 16 * B, Eq(squared_norm(following(run) - run.hat), 0))


def keeps_loss(run):
    """A step that is made from an exact estimate does not raise the loss."""
    noise_free = And(Eq(run.E, run.product), Abs(run.E) < 16 * B)
    new_loss = squared_loss(following(run), run.Phi, run.label)
    return Implies(And(noise_free, eta <= 1), new_loss <= run.loss)


climbing, descending = (ShrinkingGradient(t, sign, lines=True) for sign in (PRINTED, DESCENT))
setting = dict(
    given=[B >= 1, eta > 0],
    domains={**AT_LEAST_ONE, m: Integer(1, searched=2), t: Integer(1, searched=3)},
    cost=5,
)
DATA = {**setting["domains"], B: Real(1, None, open_low=True)}
as_stated = setting | dict(given=[B > 1, eta > 0], domains=DATA)

printed = Claim(
    NOTES.at("Algorithm 1"),
    Holds(And(takes_step(climbing), keeps_loss(climbing))),
    uses=("livni2017/gradient_12:repaired",),
    reading="The text calls the update gradient descent and its analysis uses it as such. The "
    "algorithm asks for B > 1, Theorem 1 runs it with B >= 1.",
    **as_stated,
)

step_loss = Claim(NOTES.at("Algorithm 1"), Holds(keeps_loss(climbing)), **as_stated)

repaired = Claim(
    NOTES.at("Algorithm 1 with the sign of a descent step"),
    Holds(And(takes_step(descending), keeps_loss(descending))),
    uses=("livni2017/gradient_12:repaired",),
    **setting,
)

families = (
    Family(
        "T grows, B = 1, one point with label 1",
        lambda size: one_point(64 * size, 1, m=1),
        sizes=doublings(1, 6),
    ),
    Family(
        "T grows, B = 1, one point with a label far beyond the ball",
        lambda size: one_point(64 * size, 1, feature=f"1/{isqrt(64 * size)}", m=1),
        sizes=doublings(1, 6),
    ),
    Family(
        "B grows, T = 64 B^2, one point with label 1/4",
        lambda size: one_point(64 * size**2, size, feature="1/4", label="1/4", m=1),
        sizes=(1, 2, 3, 4, 5, 6),
    ),
)
regret_bound = dict(
    given=[B >= 1, T >= 64 * B**2],
    domains={**AT_LEAST_ONE, eta: THEOREM_STEP, m: Integer(1, searched=2)},
    families=families,
    uses=("livni2017/algorithm_1:printed",),
    cost=100,
)

step_regret = Claim(
    NOTES.at("Algorithm 1 and Theorem 1"),
    UpToConstant(ShrinkingGradient(T, PRINTED).regret <= B * sqrt(T)),
    **regret_bound,
)

repaired_regret = Claim(
    NOTES.at("Algorithm 1 and Theorem 1"),
    UpToConstant(ShrinkingGradient(T, DESCENT).regret <= B * sqrt(T)),
    **regret_bound,
)
