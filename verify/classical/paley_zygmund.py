"""The Paley-Zygmund inequality.

Setting    Z >= 0 with finitely many values, E Z > 0, theta in [0, 1].
Claim      (1 - theta)^2 (E Z)^2 <= P(Z > theta E Z) E Z^2.
False      without the moments: P(Z > theta E Z) >= 1 - theta.
"""

from sympy import And, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities import laws
from boundcheck.worlds import Real, scalar_laws

from . import PALEY_ZYGMUND, mean, second, tail, total

theta = symbols("theta", real=True)


def beyond(x, p, theta):
    """P(Z > theta E Z)."""
    level = theta * laws.mean(x, p)
    return total(w for u, w in zip(x, p, strict=True) if u > level)


SETTING = {
    "source": PALEY_ZYGMUND.at("Lemma 19"),
    "given": [mean > 0, And(theta >= 0, theta <= 1)],
    "worlds": scalar_laws(),
    "parameters": {theta: Real(0, 1)},
    "measure": {mean: laws.mean, second: laws.second_moment, tail: beyond},
}

printed = Claim(statement=Holds((1 - theta) ** 2 * mean**2 <= tail * second), **SETTING)
without_moments = Claim(statement=Holds(1 - theta <= tail), **SETTING)
