"""The Gruess inequality.

Setting    X, Y on finitely many atoms with ranges (greatest minus least value) r, s.
Claim      |Cov(X, Y)| <= r s / 4.
False      with 1/5.
"""

from sympy import Abs, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities import laws
from boundcheck.quantities.base import renamed
from boundcheck.worlds import Vector, scalar_laws

from . import GRUSS

covariance, r, s = symbols("covariance r s", real=True)


def width(x, p):
    """Greatest minus least value."""
    return laws.greatest_value(x, p) - laws.least_value(x, p)


SETTING = {
    "source": GRUSS.at("inequality"),
    "worlds": scalar_laws(low=-1).and_fields(y=Vector("K")),
    "measure": {covariance: laws.covariance, r: width, s: renamed(width, x="y")},
}

printed = Claim(statement=Holds(Abs(covariance) <= r * s / 4), **SETTING)
fifth = Claim(statement=Holds(Abs(covariance) <= r * s / 5), **SETTING)
