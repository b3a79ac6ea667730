"""Assumption 8 for the logistic loss: strong convexity on bounded intervals.

Setting    phi(v) = log(1 + e^-v) on [-U, U].
Claim      phi(z) - phi(w) - phi'(w)(z - w) >= (mu(U)/2)(z - w)^2 for z, w in [-U, U], with
           mu(U) = 2 / (1 + e^-U + e^U) as the proof of Corollary 1 has it, from
           phi''(v) = 1 / (2 + e^v + e^-v).
"""

from sympy import And, exp, log, symbols

from boundcheck import Claim, Holds
from boundcheck.worlds import Real

from . import ARXIV

U, z, w = symbols("U z w", real=True)


def excess(z, w):
    """phi(z) - phi(w) - phi'(w)(z - w)."""
    return log(1 + exp(-z)) - log(1 + exp(-w)) + (z - w) / (1 + exp(w))


inside = [U > 0, And(z >= -U, z <= U), And(w >= -U, w <= U)]
interval = {U: Real(0, 30, open_low=True), z: Real("-30", 30), w: Real("-30", 30)}

arxiv = Claim(
    source=ARXIV.at("Assumption 8, (168), with mu(U) of the proof of Corollary 1"),
    statement=Holds(excess(z, w) >= (z - w) ** 2 / (1 + exp(-U) + exp(U))),
    given=inside,
    parameters=interval,
)

repaired = Claim(
    source=ARXIV.at("Assumption 8, (168), with mu(U) = 1 / (2 + e^U + e^-U)"),
    statement=Holds(excess(z, w) >= (z - w) ** 2 / (2 * (2 + exp(-U) + exp(U)))),
    given=inside,
    parameters=interval,
)
