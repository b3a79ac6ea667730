"""(1.2): random feature models and their continuum limit.

Setting    a law pi of w on finitely many atoms, one point x, phi(x; .) and b in L2(pi),
           w_1..w_m independent from pi and f_m(x) = (1/m) sum_j b(w_j) phi(x; w_j).
"""

from sympy import And, Eq

from boundcheck import Claim, Expected
from boundcheck.expressions import define, diagonal, form, index, mean, outcome, total, world
from boundcheck.worlds import Counts, Integer, Vector, Weights

from . import NOTES

K = world("K", Integer(1, searched=3))
pi = world("pi", Weights(K, zeros=True), says="Law of w.")
b = world("b", Vector(K, searched=(-2, 2)), units={"coefficient": 1})
phi = world(
    "phi", Vector(K, searched=(-2, 2)), units={"feature": 1}, says="phi(x; .) at the atoms."
)
m = world("m", Integer(1, searched=5), says="Number of features drawn.")
counts = outcome("counts", Counts("counts", pi, m), says="How often each atom is drawn.")
k = index("k", K)
f = define("f", mean(b[k] * phi[k], k, pi))
f_m = define("f_m", total(counts[k] * b[k] * phi[k], k) / m)
# <b, phi> in L2(pi) from norms.
inner = (form(diagonal(pi), b + phi) - form(diagonal(pi), b - phi)) / 4
variance = mean((b[k] * phi[k]) ** 2, k, pi) - f**2

printed = Claim(
    NOTES.at("(1.2)"),
    Expected(And(Eq(f, inner), Eq(f_m, f), Eq((f_m - f) ** 2, variance / m))),
    reading="b_j is the value b(w_j); the limit is meant in mean square, where the rate is exact",
    cost=2.0,
)
