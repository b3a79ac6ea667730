"""The Cauchy-Schwarz inequality with a variance.

Setting    X, Y on finitely many atoms.
"""

from boundcheck import Claim, Holds
from boundcheck.settings.scalar_laws import Cov, E, Var, k, values

from . import CAUCHY

HERE = CAUCHY.at("inequality")
X, Y = values()[k], values(name="y", unit="other value")[k]

printed = Claim(HERE, Holds(E(X * Y) ** 2 <= E(X**2) * E(Y**2)))
centred = Claim(HERE, Holds(Cov(X, Y) ** 2 <= Var(X) * Var(Y)))
half_centred = Claim(HERE, Holds(E(X * Y) ** 2 <= Var(X) * E(Y**2)))
