"""Arithmetic, geometric and harmonic means.

Setting    positive numbers x with weights p; A, G, H their weighted means.
"""

from sympy import exp, log

from boundcheck import Claim, Holds
from boundcheck.settings.scalar_laws import E, k, values

from . import FOLKLORE

HERE = FOLKLORE.at("inequality of means")
X = values(low=0, searched=("1/50", 2), open_low=True)[k]
A, G, H = E(X), exp(E(log(X))), 1 / E(1 / X)

printed = Claim(HERE, Holds(G <= A))
harmonic_below = Claim(HERE, Holds(G >= H))
product = Claim(HERE, Holds(G**2 >= A * H))
factor_two = Claim(HERE, Holds(2 * G >= A))
