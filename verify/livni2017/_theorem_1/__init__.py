"""Theorem 1, part 1, with the leading constant 4/3 and fewer samples: its steps.

Setting    Algorithm 1 with a descent step, eta = B / sqrt(T) <= 1/8, points and labels fixed before
           the run, m >= ((16 B + 1) B)^2 T max(1, log(T) / 20), V_t the variance of E_t.
Steps      as l_t is convex and E ||g_t||^2 <= 2 E l_t(f_t) + V_t, half of (16) is enough,
           (1 - eta) R <= B^2 / (2 eta) + eta sum_t l_t(f*) + (eta / 2) sum_t V_t + P / (2 eta),
           where P is what the shrinking steps add to sum_t ||f_{t+1} - f*||^2;
           V_t <= ((16 B + 1) eta (t - 1))^2 / m, so sum_t V_t <= T/3 - 1/2 + 1/(6 T);
           a shrinking step adds at most dev^2 / 16, dev = |E_t - <f_t, Phi(x_t)>|, and nothing
           unless dev >= 10 B, whose mean is at most 13 B^2 exp(-50 B^2 / V) by Hoeffding for V_t
           <= V <= 1: so P / (2 eta) <= (eta / 2)(1/2 - 1/(6 T)); the sum is (7/6) B sqrt(T).
"""

from sympy import Abs, And, Eq, Rational, exp, log, sqrt

from boundcheck import Claim, Holds
from boundcheck.expressions import index, indicator, parameter, total
from boundcheck.settings.sampled_features import AT_LEAST_ONE, B, eta, m
from boundcheck.settings.shrinking_gradient import (
    DESCENT,
    THEOREM_STEP,
    ShrinkingGradient,
    T,
    distance,
    f_star,
    star_norm,
)
from boundcheck.worlds import Integer, Real

from .. import NOTES
from ..lemma_6 import ANY_STATE, SHORT_STEPS, E_t, state

HERE = NOTES.at("Theorem 1, part 1, with the constant 4/3")
STEP = "livni2017/theorem_1:step_"
LONG = {T: Integer(1, wide=True, searched=10**9), m: Integer(1, wide=True, searched=10**12)}
run = ShrinkingGradient(T, DESCENT)
s = index("s", T)
variances = total(((16 * B + 1) * eta * s) ** 2 / m, s)

step_descent = Claim(
    HERE,
    Holds(
        (1 - eta) * (run.losses - run.losses_of(f_star))
        <= B**2 / (2 * eta) + eta * run.losses_of(f_star) + eta / 2 * variances
        + (run.largest_norm + B) ** 2 / (2 * eta) * run.overruled(f_star)
    ),
    given=[B >= 1, eta > 0, star_norm <= B],
    domains={
        **AT_LEAST_ONE, T: Integer(1, searched=3), m: Integer(1, wide=True, searched=10**9),
    },
    uses=("livni2017/lemma_1:repaired_sum", "livni2017/lemma_3:printed",
          "livni2017/lemma_5:sharpened"),
    reading="A shrinking step is counted as in (15); step_penalty has the smaller count.",
    cost=12,
)  # fmt: skip

deviation = Abs(E_t - state.product)
step_penalty = Claim(
    HERE,
    Holds(
        indicator(Abs(E_t) >= 16 * B) * (distance(state.following) - distance(state.hat))
        <= deviation**2 / 16 * indicator(deviation >= 10 * B)
    ),
    given=[B >= 1, eta > 0, eta <= Rational(1, 8), star_norm <= B],
    domains={**SHORT_STEPS, **ANY_STATE},
    uses=(STEP + "shrinking",),
    reading="In any state, reachable or not.",
    cost=3,
)

a, e = (parameter(name, Real(0, None)) for name in "ae")
step_shrinking = Claim(
    HERE,
    Holds(And(e - a >= 10 * B, a / 4 + B <= (e - a) / 4)),
    given=[B >= 1, eta > 0, eta <= Rational(1, 8), e >= 16 * B, a / 4 + B >= a - eta * (e + 1) - B],
    reading="a = ||f_t||, e = |E_t|, and a shrinking step that leads away from f*.",
)

# sum over t <= T of (t - 1)^2
squares = T * (T - 1) * (2 * T - 1) / 6
step_squares = Claim(
    HERE, Holds(Eq(total(s**2, s), squares)), domains={T: Integer(1, searched=100)}
)
step_noise = Claim(
    HERE,
    Holds(((16 * B + 1) * eta) ** 2 * squares / m <= T / 3 - Rational(1, 2) + 1 / (6 * T)),
    given=[B >= 1, m >= ((16 * B + 1) * B) ** 2 * T],
    domains={**AT_LEAST_ONE, **LONG, eta: THEOREM_STEP},
)
rate = parameter("rate", Real(1, None), says="max(1, log(T) / 20).")
step_tail = Claim(
    HERE,
    Holds(
        And(
            13 * T**2 * exp(-50 * rate) / 2 <= Rational(1, 5),
            Rational(1, 5) <= Rational(1, 4) - 1 / (12 * T),
        )
    ),
    given=[T >= 64, 20 * rate >= log(T)],
    domains=LONG,
)

regret, least, noise, penalty = (
    parameter(name, Real(None if name == "regret" else 0, None))
    for name in ("regret", "least", "noise", "penalty")
)
step_sum = Claim(
    HERE,
    Holds((1 - eta) * regret <= Rational(7, 6) * B * sqrt(T)),
    given=[
        B >= 1, 2 * least <= T, noise <= T / 3 - Rational(1, 2) + 1 / (6 * T),
        penalty <= eta**2 * (Rational(1, 2) - 1 / (6 * T)),
        (1 - eta) * regret
        <= B**2 / (2 * eta) + eta * least + eta / 2 * noise + penalty / (2 * eta),
    ],
    domains={**AT_LEAST_ONE, **LONG, eta: THEOREM_STEP},
    reading="The letters are the regret, the losses of f*, sum_t V_t and P.",
)  # fmt: skip
step_division = Claim(
    HERE,
    Holds(Rational(7, 6) * B * sqrt(T) / (1 - eta) <= Rational(4, 3) * B * sqrt(T)),
    given=[B >= 1, T >= 64 * B**2],
    domains={**AT_LEAST_ONE, **LONG, eta: THEOREM_STEP},
)
