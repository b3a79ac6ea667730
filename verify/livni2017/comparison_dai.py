"""Section 4: samples against doubly stochastic gradients.

Setting    that method needs 1 / (gamma^2 eps^2) samples for the regularised risk; accuracy eps for
           the risk asks for gamma = eps / B^2. Algorithm 1 needs B^2 / eps^2.
"""

from sympy import And, Eq

from boundcheck import Claim, Holds
from boundcheck.expressions import define
from boundcheck.settings.sampled_features import AT_LEAST_ONE, B, epsilon
from boundcheck.worlds import Real

from . import NOTES

gamma = define("gamma", epsilon / B**2, latex=r"\gamma", says="Weight of the penalty.")
theirs, ours = 1 / (gamma**2 * epsilon**2), B**2 / epsilon**2

printed = Claim(
    NOTES.at("section 4, against Dai et al."),
    Holds(And(Eq(theirs, B**4 / epsilon**4), ours < theirs)),
    given=[B >= 1, epsilon > 0, epsilon < 1],
    domains={**AT_LEAST_ONE, epsilon: Real(0, 1, open_low=True, open_high=True)},
    reading="Orders are compared with constants one; accuracies of 1 and more say nothing, the "
    "function 0 has risk at most 1/2.",
)
