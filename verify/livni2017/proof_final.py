"""Section 5.1, final display: the regret bound and its constant.

Setting    (16)-(18) and the bound eta T on the third term give
           (1 - 2 eta) R <= B^2/eta + 2 eta T + eta T + eta T.
"""

from sympy import Rational, sqrt

from boundcheck import Claim, Holds, UpToConstant
from boundcheck.settings.sampled_features import AT_LEAST_ONE, B, K, eta, m
from boundcheck.settings.shrinking_gradient import (
    DESCENT,
    PRINTED,
    PROOF_SAMPLES,
    PROOF_STEP,
    THEOREM_STEP,
    ShrinkingGradient,
    T,
    rounds,
)
from boundcheck.worlds import Family, Integer, doublings

from . import NOTES

display = B**2 / eta + 2 * eta * T + eta * T + eta * T
STEPS = (
    "livni2017/proof_16:printed", "livni2017/proof_17:printed",
    "livni2017/proof_third_term:step_used", "livni2017/proof_18:printed",
)  # fmt: skip
MANY = {**AT_LEAST_ONE, T: Integer(1, wide=True, searched=10**9)}

printed = Claim(
    NOTES.at("section 5.1, final display"),
    UpToConstant(display / (1 - 2 * eta) <= B * sqrt(T)),
    given=[B >= 1, T >= 1, eta < Rational(1, 2)],
    domains={**MANY, eta: PROOF_STEP},
    families=(
        Family(
            "B -> sqrt(T) from below: B = n - 1, T = n^2",
            lambda n: {"B": n - 1, "T": n * n},
            sizes=doublings(2, 7),
        ),
        Family("T grows, B = 1", lambda n: {"B": 1, "T": n}, sizes=doublings(4, 7)),
    ),
    uses=STEPS,
    reading="For every B >= 1 and T of Theorem 1 at which 1 - 2 eta, the divisor, is positive; the "
    "display itself is a claim of its own.",
    cost=4,
)

repaired = Claim(
    NOTES.at("section 5.1, final display, for the short steps of the appendix"),
    Holds(display / (1 - 2 * eta) <= Rational(16, 3) * B * sqrt(T)),
    given=[B >= 1, eta <= Rational(1, 8)],
    domains={**MANY, eta: PROOF_STEP},
    uses=STEPS,
    cost=4,
)

repaired_theorem_step = Claim(
    NOTES.at("section 5.1, final display, at the step of Theorem 1"),
    Holds(display / (1 - 2 * eta) <= Rational(20, 3) * B * sqrt(T)),
    given=[B >= 1, eta <= Rational(1, 8)],
    domains={**MANY, eta: THEOREM_STEP},
    uses=STEPS,
    cost=4,
)

climbing, descending = ShrinkingGradient(T, PRINTED), ShrinkingGradient(T, DESCENT)
run = dict(
    given=[B >= 1, eta < Rational(1, 2)],
    domains={
        **AT_LEAST_ONE, eta: PROOF_STEP, m: PROOF_SAMPLES, T: rounds(2, 4, 16, 24, 36),
        K: Integer(1, searched=1),
    },
    cost=8,
)  # fmt: skip

step_run = Claim(
    NOTES.at("section 5.1, final display, on Algorithm 1 as printed"),
    Holds((1 - 2 * eta) * climbing.regret <= display),
    uses=("livni2017/algorithm_1:printed", *STEPS),
    **run,
)

repaired_run = Claim(
    NOTES.at("section 5.1, final display, on Algorithm 1 with a descent step"),
    Holds((1 - 2 * eta) * descending.regret <= display),
    uses=("livni2017/algorithm_1:repaired", *STEPS),
    **run,
)
