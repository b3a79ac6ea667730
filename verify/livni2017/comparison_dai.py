"""Section 4: samples against doubly stochastic gradients.

Setting    that method needs 1 / (gamma^2 eps^2) samples for the regularised risk; accuracy eps for
           the risk asks for gamma = eps / B^2. Algorithm 1 needs B^2 / eps^2.
Claim      the former is B^4 / eps^4, and the latter is smaller.
"""

from sympy import And, Eq, symbols

from boundcheck import Claim, Holds
from boundcheck.worlds import Real

from . import AT_LEAST_ONE, NOTES, B, epsilon

gamma = symbols("gamma", real=True)
theirs, ours = 1 / (gamma**2 * epsilon**2), B**2 / epsilon**2

printed = Claim(
    source=NOTES.at("section 4, against Dai et al."),
    statement=Holds(And(Eq(theirs, B**4 / epsilon**4), ours < theirs)),
    given=[B >= 1, epsilon > 0, epsilon < 1],
    parameters={B: AT_LEAST_ONE, epsilon: Real(0, 1, open_low=True, open_high=True)},
    measure={gamma: lambda epsilon, B: epsilon / B**2},
    reading="Orders are compared with constants one; accuracies of 1 and more say nothing, the "
    "function 0 has risk at most 1/2.",
)
