"""Symmetrization: the expected deviation of a class against its Rademacher complexity.

Setting    functions with values in [0, 1] on finitely many points, a sample of size m.
"""

from boundcheck import Claim, Holds
from boundcheck.settings.classes import E, F, Z, deviation, m, rademacher
from boundcheck.worlds import Integer

from . import BARTLETT_MENDELSON

HERE = BARTLETT_MENDELSON.at("Theorem 8, its proof")
SMALL = {m: Integer(1, searched=3), Z: Integer(1, searched=3)}
gap, complexity = E(deviation(F)), rademacher(F)

printed = Claim(HERE, Holds(gap <= 2 * complexity), domains=SMALL, cost=4.0)
without_two = Claim(HERE, Holds(gap <= complexity), domains=SMALL, cost=4.0)
