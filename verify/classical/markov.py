"""Markov's inequality.

Setting    X >= 0 with finitely many values, t > 0.
"""

from boundcheck import Claim, Holds
from boundcheck.settings.scalar_laws import E, P, k, t, values

from . import MARKOV

HERE = MARKOV.at("inequality")
X = values(low=0, searched=(0, 2))[k]
Y = values(searched=(-2, 2))[k]

printed = Claim(HERE, Holds(P(X >= t) <= E(X) / t))
signed = Claim(HERE, Holds(P(Y >= t) <= E(Y) / t))
strict = Claim(HERE, Holds(P(X >= t) < E(X) / t), given=[E(X) > 0])
