"""Ville's inequality for nonnegative supermartingales.

Setting    M_k a product of factors x_i >= 0 from 1, with E[x_i | the past] <= 1; t > 0.
"""

from boundcheck import Claim, Holds
from boundcheck.expressions import indicator, multiplied
from boundcheck.settings.adapted import P, adapted, after, drift, ever, i, j
from boundcheck.settings.scalar_laws import t

from . import VILLE

HERE = VILLE.at("Chapter V")
x = adapted("x", 0, searched=(0, 2))
M = multiplied(1 + indicator(i <= j) * (after(x, i) - 1), i)
tail = P(ever(M >= t))

printed = Claim(HERE, Holds(tail <= 1 / t), given=[drift(x) <= 1])
squared = Claim(HERE, Holds(tail <= 1 / t**2), given=[drift(x) <= 1])
without_drift = Claim(HERE, Holds(tail <= 1 / t))
