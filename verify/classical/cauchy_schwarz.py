"""The Cauchy-Schwarz inequality with a variance.

Setting    X, Y on finitely many atoms.
Claim      (E X Y)^2 <= E X^2 E Y^2 and Cov(X, Y)^2 <= Var X Var Y.
False      (E X Y)^2 <= Var X E Y^2: one centring is not enough.
"""

from sympy import symbols

from boundcheck import Claim, Holds
from boundcheck.quantities import laws
from boundcheck.quantities.base import renamed
from boundcheck.worlds import Vector, scalar_laws

from . import CAUCHY

moment, covariance, variance_x, variance_y, square_x, square_y = symbols(
    "moment covariance variance_x variance_y square_x square_y", real=True
)
SETTING = {
    "source": CAUCHY.at("inequality"),
    "worlds": scalar_laws(low=-1).and_fields(y=Vector("K")),
    "measure": {
        moment: laws.cross_moment, covariance: laws.covariance, variance_x: laws.variance,
        variance_y: renamed(laws.variance, x="y"), square_x: laws.second_moment,
        square_y: renamed(laws.second_moment, x="y"),
    },
}  # fmt: skip

printed = Claim(statement=Holds(moment**2 <= square_x * square_y), **SETTING)
centred = Claim(statement=Holds(covariance**2 <= variance_x * variance_y), **SETTING)
half_centred = Claim(statement=Holds(moment**2 <= variance_x * square_y), **SETTING)
