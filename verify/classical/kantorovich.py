"""The Kantorovich inequality.

Setting    a positive definite matrix with eigenvalues x_k, p_k the squared coordinates of a unit
           vector u; a and b the least and greatest eigenvalue.
Claim      (u^T A u)(u^T A^-1 u) <= (a + b)^2 / (4 a b).
False      with the square of the geometric ratio forgotten: (a + b) / (2 sqrt(a b)).
"""

from sympy import sqrt

from boundcheck import Claim, Holds
from boundcheck.quantities import laws
from boundcheck.worlds import scalar_laws

from . import KANTOROVICH, high, left, low, total


def both_forms(x, p):
    """(u^T A u)(u^T A^-1 u)."""
    return laws.mean(x, p) * total(w / value for value, w in zip(x, p, strict=True))


SETTING = {
    "source": KANTOROVICH.at("Section 3"),
    "worlds": scalar_laws(low="1/100"),
    "measure": {left: both_forms, low: laws.least_value, high: laws.greatest_value},
}

printed = Claim(statement=Holds(left <= (low + high) ** 2 / (4 * low * high)), **SETTING)
square_lost = Claim(statement=Holds(left <= (low + high) / (2 * sqrt(low * high))), **SETTING)
