"""Regret of Hedge against the best of K experts.

Setting    losses of K >= 2 experts in [0, 1], T rounds, weights proportional to
           exp(-eta * loss so far), eta > 0.
"""

from sympy import log

from boundcheck import Claim, Holds
from boundcheck.settings.online import K, T, eta, hedge_regret, losses

from . import CESA_BIANCHI_LUGOSI

HERE = CESA_BIANCHI_LUGOSI.at("Theorem 2.2")
regret = hedge_regret(losses, eta)

printed = Claim(HERE, Holds(regret <= log(K) / eta + eta * T / 8), cost=2.0)
sixteenth = Claim(HERE, Holds(regret <= log(K) / eta + eta * T / 16), cost=2.0)
