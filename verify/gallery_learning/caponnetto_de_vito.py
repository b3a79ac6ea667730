"""Caponnetto and De Vito's concentration of a mean in a Hilbert space, for bounded vectors.

Setting    xi with values in R^p, ||xi|| <= H / 2 and E ||xi||^2 <= s^2, n independent copies,
           eta in (0, 1).
Quarter    (quarter) of the bound, for comparison.
"""

from sympy import log, sqrt

from boundcheck import Claim, WithProbability
from boundcheck.expressions import (
    define,
    greatest,
    index,
    inner,
    mean,
    norm,
    outcome,
    parameter,
    row,
    table,
    world,
)
from boundcheck.worlds import Counts, Integer, Matrix, Real, Weights

from . import CAPONNETTO

HERE = CAPONNETTO.at("Proposition 2")
N = world("N", Integer(1, searched=4), says="Number of atoms.")
p = world("p", Integer(1, searched=3), says="Dimension.")
rho = world("rho", Weights(N), says="Law of xi.")
values = world("xi", Matrix(N, p), units={"vector": 1}, says="Values of xi in rows.")
n = parameter("n", Integer(1, searched=8))
eta = parameter("eta", Real(0, 1, open_low=True, open_high=True))
counts = outcome("counts", Counts("counts", rho, n, over="the sample"))
i = index("i", N)
H = define("H", 2 * greatest(norm(row(values, i)), i))
s = define("s", sqrt(mean(inner(row(values, i), row(values, i)), i, rho)), latex=r"\sigma")
gap = define("gap", norm(values.T * table(counts[i] / n - rho[i], i)))
bound = 2 * (H / n + s / sqrt(n)) * log(2 / eta)

printed = Claim(
    HERE,
    WithProbability(1 - eta, gap <= bound),
    reading="H and sigma are the least ones that the law allows",
)
quarter = Claim(
    HERE,
    WithProbability(1 - eta, gap <= bound / 4),
    reading="H and sigma are the least ones that the law allows",
)
