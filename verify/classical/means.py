"""Arithmetic, geometric and harmonic means.

Setting    positive numbers x with weights p; A, G, H their weighted means.
Claim      G <= A and H <= G.
False      A H <= G^2 beyond two numbers of equal weight, and A <= 2 G.
"""

from flint import fmpq
from sympy import exp, symbols

from boundcheck import Claim, Holds
from boundcheck.exact import logarithm
from boundcheck.quantities import laws
from boundcheck.worlds import scalar_laws

from . import FOLKLORE, total

A, H, logG = symbols("A H logG", real=True)


def mean_log(x, p):
    """log G."""
    return sum((w * logarithm(u) for u, w in zip(x, p, strict=True) if w), fmpq(0))


def harmonic(x, p):
    """H."""
    return 1 / total(w / u for u, w in zip(x, p, strict=True))


SETTING = {
    "source": FOLKLORE.at("inequality of means"),
    "worlds": scalar_laws(low="1/50", high=2),
    "measure": {A: laws.mean, H: harmonic, logG: mean_log},
}

printed = Claim(statement=Holds(exp(logG) <= A), **SETTING)
harmonic_below = Claim(statement=Holds(exp(logG) >= H), **SETTING)
product = Claim(statement=Holds(exp(2 * logG) >= A * H), **SETTING)
factor_two = Claim(statement=Holds(2 * exp(logG) >= A), **SETTING)
