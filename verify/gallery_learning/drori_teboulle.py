"""Drori and Teboulle's exact rate of gradient descent.

Setting    f convex with an L-Lipschitz gradient on a space of any dimension, N steps of length
           1 / L from x_0, D = ||x_0 - x*||.
"""

from boundcheck import Claim, Holds
from boundcheck.settings.smooth_convex import L, N, distance_squared, gap, gradient_descent

from . import DRORI_TEBOULLE

HERE = DRORI_TEBOULLE.at("Theorem 3.1")
run = gradient_descent()
D2 = distance_squared(run)

printed = Claim(HERE, Holds(gap(run) <= L * D2 / (4 * N + 2)), cost=4.0)
fifth = Claim(HERE, Holds(gap(run) <= L * D2 / (5 * N)), cost=4.0)
