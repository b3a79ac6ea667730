"""Gretton and others' bound on the biased estimate of the maximum mean discrepancy.

Setting    kernel on N points with 0 <= k <= B, laws p and q, samples of size m from p and n from q,
           MMD = ||mu_p - mu_q|| in the RKHS, epsilon > 0.
Alone      (without_bias) the same without the bias term.
"""

from sympy import Abs, exp, sqrt

from boundcheck import Claim, WithProbability
from boundcheck.expressions import (
    define,
    form,
    greatest,
    index,
    least,
    outcome,
    parameter,
    table,
    world,
)
from boundcheck.worlds import Counts, Gram, Integer, Real, Weights

from . import GRETTON

HERE = GRETTON.at("Theorem 7")
N = world("N", Integer(1, searched=3), says="Number of points.")
K = world("K", Gram(N), units={"kernel": 1}, says="Kernel matrix.")
p, q = (world(name, Weights(N, zeros=True)) for name in ("p", "q"))
m, n = (parameter(name, Integer(1, searched=4)) for name in ("m", "n"))
B = parameter("B", Real(0, None, open_low=True), units={"kernel": 1})
epsilon = parameter("epsilon", Real(0, None, open_low=True))
first = outcome("first", Counts("first", p, m, over="the first sample"))
second = outcome("second", Counts("second", q, n, over="the second sample"))
i, j = index("i", N), index("j", N)
MMD = define("MMD", sqrt(form(K, p - q)))
MMD_b = define("MMD_b", sqrt(form(K, table(first[i] / m - second[i] / n, i))))
BOUNDED = [least(K[i, j], i, j) >= 0, greatest(K[i, j], i, j) <= B]
level = 1 - 2 * exp(-(epsilon**2) * m * n / (2 * B * (m + n)))

printed = Claim(
    HERE,
    WithProbability(level, Abs(MMD_b - MMD) <= 2 * (sqrt(B / m) + sqrt(B / n)) + epsilon),
    given=BOUNDED,
)
without_bias = Claim(HERE, WithProbability(level, Abs(MMD_b - MMD) <= epsilon), given=BOUNDED)
