"""Section 5.1: the third term of (16) under the proof's choice of step and samples.

Setting    eta = B / (2 sqrt(T)), m = ((16 B + 1) B)^2 T log(gamma),
           gamma = max(((16 B + 1) eta T + B)^2 / eta^2, e); B >= 1, T >= 1.
"""

from sympy import And, Eq, Rational, sqrt

from boundcheck import Claim, Holds
from boundcheck.settings.sampled_features import AT_LEAST_ONE, B, eta
from boundcheck.settings.shrinking_gradient import PROOF_STEP, T, samples, size
from boundcheck.worlds import Integer

from . import NOTES

third = eta * size**2 * T / samples
setting = dict(
    domains={**AT_LEAST_ONE, T: Integer(1, wide=True, searched=10**9), eta: PROOF_STEP},
    cost=4,
)

printed = Claim(
    NOTES.at("section 5.1, after (17)"),
    Holds(And(samples > size**2, third <= T)),
    given=[B >= 1],
    reading="For every B >= 1 and T, as in Theorem 1; the step is the one displayed there.",
    **setting,
)

step_size = Claim(
    NOTES.at("section 5.1, eta as in the statement of the theorem"),
    Holds(Eq(eta, B / sqrt(T))),
    given=[B >= 1],
    reading="The proof takes eta from Theorem 1 and then displays it.",
    **setting,
)

step_used = Claim(
    NOTES.at("section 5.1, as used in the final display"),
    Holds(third <= eta * T),
    given=[B >= 1],
    **setting,
)

repaired = Claim(
    NOTES.at("section 5.1, for the short steps of the appendix"),
    Holds(And(samples > size**2, third <= T)),
    given=[B >= 1, eta < Rational(1, 8)],
    **setting,
)
