"""Section 5.1, final display: the regret bound and its constant.

Setting    (16)-(18) and the bound eta T on the third term give
           (1 - 2 eta) R <= B^2/eta + 2 eta T + eta T + eta T.
Claim      dividing by 1 - 2 eta > 0 at eta = B / (2 sqrt(T)) gives R = O(B sqrt(T)) for B >= 1, T.
           For eta <= 1/8 the constants are 16/3 at that step and 20/3 at eta = B / sqrt(T).
"""

from sympy import Rational, sqrt

from boundcheck import Claim, Holds, UpToConstant
from boundcheck.quantities.online import DESCENT, PRINTED
from boundcheck.worlds import Choice, Family

from . import (
    AT_LEAST_ONE,
    NOTES,
    B,
    T,
    eta,
    m,
    proof_samples,
    proof_step,
    regret,
    regret_of,
    runs,
    theorem_step,
)
from .proof_third_term import setting

display = B**2 / eta + 2 * eta * T + eta * T + eta * T
steps = (
    "livni2017/proof_16:printed", "livni2017/proof_17:printed",
    "livni2017/proof_third_term:step_used", "livni2017/proof_18:printed",
)  # fmt: skip

printed = Claim(
    source=NOTES.at("section 5.1, final display"),
    statement=UpToConstant(display / (1 - 2 * eta) <= B * sqrt(T)),
    given=[B >= 1, T >= 1, eta < Rational(1, 2)],
    families=(
        Family(
            "B -> sqrt(T) from below: B = n - 1, T = n^2",
            lambda n: {"B": n - 1, "T": n * n},
            sizes=(2, 4, 8, 16, 32, 64, 128),
        ),
        Family("T grows, B = 1", lambda n: {"B": 1, "T": n}, sizes=(4, 8, 16, 32, 64, 128, 256)),
    ),
    uses=steps,
    reading="For every B >= 1 and T of Theorem 1 at which 1 - 2 eta, the divisor, is positive; the "
    "display itself is a claim of its own.",
    **setting,
)

short = dict(given=[B >= 1, eta <= Rational(1, 8)], uses=steps)

repaired = Claim(
    source=NOTES.at("section 5.1, final display, for the short steps of the appendix"),
    statement=Holds(display / (1 - 2 * eta) <= Rational(16, 3) * B * sqrt(T)),
    **short,
    **setting,
)

repaired_theorem_step = Claim(
    source=NOTES.at("section 5.1, final display, at the step of Theorem 1"),
    statement=Holds(display / (1 - 2 * eta) <= Rational(20, 3) * B * sqrt(T)),
    parameters=setting["parameters"],
    measure={eta: theorem_step},
    cost=4,
    **short,
)

run = dict(
    statement=Holds((1 - 2 * eta) * regret <= display),
    given=[B >= 1, eta < Rational(1, 2)],
    worlds=runs(atoms=1).and_fields(T=Choice((2, 4, 16, 24, 36))),
    parameters={B: AT_LEAST_ONE},
    cost=8,
)


def measures(update):
    """Both sides of the display on a run of Algorithm 1."""
    return {eta: proof_step, m: proof_samples, regret: regret_of(update)}


step_run = Claim(
    source=NOTES.at("section 5.1, final display, on Algorithm 1 as printed"),
    measure=measures(PRINTED),
    uses=("livni2017/algorithm_1:printed", *steps),
    **run,
)

repaired_run = Claim(
    source=NOTES.at("section 5.1, final display, on Algorithm 1 with a descent step"),
    measure=measures(DESCENT),
    uses=("livni2017/algorithm_1:repaired", *steps),
    **run,
)
