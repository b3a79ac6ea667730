"""Rahimi and Recht's pointwise bound for random Fourier features.

Setting    frequencies with finitely many values of any law, k(x - y) = E cos(w (x - y)); features
           sqrt(2 / D) cos(w_i x + b_i), b_i uniform on [0, 2 pi], i = 1..D; epsilon > 0.
"""

from sympy import Abs, cos, exp, pi

from boundcheck import Claim, WithProbability
from boundcheck.expressions import define, index, mean, outcome, parameter, total, world
from boundcheck.settings.continuous import uniform
from boundcheck.worlds import Indices, Integer, Real, Vector, Weights

from . import RAHIMI

HERE = RAHIMI.at("Section 3")
K = world("K", Integer(1, searched=2), says="Number of frequencies.")
p = world("p", Weights(K), says="Law of the frequencies.")
wx, wy = (world(name, Vector(K, searched=(0, 4)), says="w x, w y.") for name in ("wx", "wy"))
D = parameter("D", Integer(1, searched=16), says="Number of features.")
epsilon = parameter("epsilon", Real(0, None, open_low=True, searched=(0, 2)))
w = outcome("w", Indices("w", p, D, over="the frequencies"))
b = uniform("b", length=D)  # in turns
i, j = index("i", D), index("j", K)
kernel = mean(cos(wx[j] - wy[j]), j, p)
product = total(2 * cos(wx[w[i]] + 2 * pi * b[i]) * cos(wy[w[i]] + 2 * pi * b[i]), i) / D
gap = define("gap", Abs(product - kernel), says="|z(x)^T z(y) - k(x - y)|.")

printed = Claim(HERE, WithProbability(1 - 2 * exp(-D * epsilon**2 / 4), gap < epsilon))
fourfold = Claim(HERE, WithProbability(1 - 2 * exp(-D * epsilon**2), gap < epsilon))
