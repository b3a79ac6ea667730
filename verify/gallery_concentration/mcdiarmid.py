"""McDiarmid's inequality of bounded differences.

Setting    n independent variables, each with a law of its own on K values; f any function of them,
           c_i the most that f changes when variable i alone changes; Y = f(X), t > 0.
"""

from sympy import Abs, exp, floor

from boundcheck import Claim, Holds
from boundcheck.expressions import define, greatest, index, total, world
from boundcheck.settings.concentration import E, K, P, X, i, n, t
from boundcheck.worlds import Derived, Vector

from . import MCDIARMID

HERE = MCDIARMID.at("Lemma 1.2")
size = world("size", Derived(lambda n, K: K**n), rank=0, needs=(n, K), says="Number of arguments.")
f = world("f", Vector(size), units={"value": 1}, says="Values of f, arguments read in base K.")
Y = f[total(X[i] * K**i, i)]
x, k = index("x", size), index("k", K)
digit = floor(x / K**i) - K * floor(x / K ** (i + 1))
change = greatest(Abs(f[x] - f[x + K**i * (k - digit)]), x, k)
squares = define("squares", total(change**2, i), latex=r"\sum_i c_i^2",
                 says="Sum of the squared differences.")  # fmt: skip
above, both = P(Y - E(Y) >= t), P(Abs(Y - E(Y)) >= t)
MOVES = [squares > 0]

printed = Claim(HERE, Holds(both <= 2 * exp(-2 * t**2 / squares)), given=MOVES)
one_sided = Claim(HERE, Holds(above <= exp(-2 * t**2 / squares)), given=MOVES)
half_differences = Claim(HERE, Holds(both <= 2 * exp(-8 * t**2 / squares)), given=MOVES)
without_factor = Claim(HERE, Holds(both <= exp(-2 * t**2 / squares)), given=MOVES)
