"""Algorithm 1: shrinking gradient.

Setting    rounds t = 1..T: estimate E_t of <f_t, Phi(x_t)>; if |E_t| < 16 B append the coefficient
           -eta (y_t - E_t) of Phi(x_t), else divide all coefficients by four.
Claim      without shrinking, f_{t+1} = f_t - eta (E_t - y_t) Phi(x_t), the step of online gradient
           descent; where E_t is exact and eta <= 1 it does not raise the loss it is made for. The
           regret is O(B sqrt T) at eta = B / sqrt(T), here for T >= 64 B^2, where steps are as
           short as the proof asks.
"""

from math import isqrt

from flint import fmpq
from sympy import Abs, And, Eq, Implies, sqrt, symbols

from boundcheck import Claim, Holds, UpToConstant
from boundcheck.quantities.online import DESCENT, PRINTED, next_coefficients, row, squared_loss
from boundcheck.worlds import Family, Integer

from . import (
    AT_LEAST_ONE,
    DESCENT_RUN,
    NOTES,
    POSITIVE,
    PRINTED_RUN,
    B,
    T,
    estimate,
    eta,
    function_in_round,
    gradient_step,
    loss,
    m,
    new_loss,
    one_point,
    product,
    product_in_round,
    regret,
    regret_of,
    runs,
    squared_distance,
    theorem_step,
)

off_step = symbols("off_step", real=True)


def off_step_by(update):
    """Squared distance of f_{t+1} from the gradient step f_t - eta (E_t - y_t) Phi(x_t)."""

    def measured(alpha, psi, sequence, y, mu, estimate, B, eta):
        new = next_coefficients(alpha, len(y), y[-1], estimate, B, eta, update)
        f = function_in_round(alpha, psi, sequence)
        step = gradient_step(f, estimate, psi, sequence, y, eta)
        return squared_distance(function_in_round(new, psi, sequence), step, mu)

    return measured


def loss_at(alpha, psi, sequence, y, mu):
    """l_t at the function of the given coefficients, t the last round."""
    f = function_in_round(alpha, psi, sequence)
    return squared_loss(f, row(psi, sequence[-1]), y[-1], mu)


def loss_after(update):
    """l_t(f_{t+1})."""

    def measured(alpha, psi, sequence, y, mu, estimate, B, eta):
        new = next_coefficients(alpha, len(y), y[-1], estimate, B, eta, update)
        return loss_at(new, psi, sequence, y, mu)

    return measured


setting = dict(
    worlds=runs(rounds=3),
    parameters={B: AT_LEAST_ONE, eta: POSITIVE, m: Integer(1, searched=2)},
    cost=5,
)
takes_step = Implies(Abs(estimate) < 16 * B, Eq(off_step, 0))
noise_free = And(Eq(estimate, product), Abs(estimate) < 16 * B)
keeps_loss = Implies(And(noise_free, eta <= 1), new_loss <= loss)


def measures(update):
    """The step and both losses for a sign of the update."""
    return {
        off_step: off_step_by(update), loss: loss_at, new_loss: loss_after(update),
        product: product_in_round,
    }  # fmt: skip


printed = Claim(
    source=NOTES.at("Algorithm 1"),
    statement=Holds(And(takes_step, keeps_loss)),
    given=[B >= 1, eta > 0],
    measure=measures(PRINTED),
    draw=PRINTED_RUN,
    uses=("livni2017/gradient_12:repaired",),
    reading="The text calls the update gradient descent and its analysis uses it as such.",
    **setting,
)

step_loss = Claim(
    source=NOTES.at("Algorithm 1"),
    statement=Holds(keeps_loss),
    given=[B >= 1, eta > 0],
    measure={key: rule for key, rule in measures(PRINTED).items() if key != off_step},
    draw=PRINTED_RUN,
    **setting,
)

families = (
    Family(
        "T grows, B = 1, one point with label 1",
        lambda size: one_point(64 * size, 1, m=1),
        sizes=(1, 2, 4, 8, 16, 32),
    ),
    Family(
        "T grows, B = 1, one point with a label far beyond the ball",
        lambda size: one_point(64 * size, 1, feature=fmpq(1, isqrt(64 * size)), m=1),
        sizes=(1, 2, 4, 8, 16, 32),
    ),
    Family(
        "B grows, T = 64 B^2, one point with label 1/4",
        lambda size: one_point(64 * size**2, size, feature="1/4", label="1/4", m=1),
        sizes=(1, 2, 3, 4, 5, 6),
    ),
)

regret_bound = dict(
    source=NOTES.at("Algorithm 1 and Theorem 1"),
    statement=UpToConstant(regret <= B * sqrt(T)),
    given=[B >= 1, T >= 64 * B**2],
    worlds=runs(),
    parameters={B: AT_LEAST_ONE, m: Integer(1, searched=2)},
    families=families,
    uses=("livni2017/algorithm_1:printed",),
    cost=100,
)

step_regret = Claim(measure={eta: theorem_step, regret: regret_of(PRINTED)}, **regret_bound)

repaired = Claim(
    source=NOTES.at("Algorithm 1 with the sign of a descent step"),
    statement=Holds(And(takes_step, keeps_loss)),
    given=[B >= 1, eta > 0],
    measure=measures(DESCENT),
    draw=DESCENT_RUN,
    uses=("livni2017/gradient_12:repaired",),
    **setting,
)

repaired_regret = Claim(measure={eta: theorem_step, regret: regret_of(DESCENT)}, **regret_bound)
