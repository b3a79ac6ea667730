"""The Paley-Zygmund inequality.

Setting    Z >= 0 with finitely many values, E Z > 0, theta in [0, 1].
"""

from boundcheck import Claim, Holds
from boundcheck.expressions import parameter
from boundcheck.settings.scalar_laws import E, P, k, values
from boundcheck.worlds import Real

from . import PALEY_ZYGMUND

HERE = PALEY_ZYGMUND.at("Lemma 19")
Z = values(low=0)[k]
theta = parameter("theta", Real(0, 1))
beyond = P(Z > theta * E(Z))

printed = Claim(HERE, Holds((1 - theta) ** 2 * E(Z) ** 2 <= beyond * E(Z**2)), given=[E(Z) > 0])
without_moments = Claim(HERE, Holds(1 - theta <= beyond), given=[E(Z) > 0])
