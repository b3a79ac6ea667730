"""McDiarmid's inequality.

Setting    f of n independent variables, each with values 0 and 1; c_i the most that f changes when
           variable i alone changes; Z = f(X), t > 0.
Claim      P(Z - E Z >= t) <= exp(-2 t^2 / sum_i c_i^2).
False      with half the differences, c_i / 2, as for deviations from a midpoint.
"""

from sympy import Abs, exp, floor

from boundcheck import Claim, Holds
from boundcheck.expressions import define, greatest, index, total, world
from boundcheck.settings.concentration import E, P, X, i, n, t
from boundcheck.worlds import Derived, Vector

from . import MCDIARMID

cube = world("cube", Derived(lambda n: 2**n), rank=0, needs=(n,), says="Number of arguments.")
f = world("f", Vector(cube), units={"value": 1}, says="Values of f, arguments read in binary.")
Z = f[total(X[i] * 2**i, i)]
x = index("x", cube)
digit = floor(x / 2**i) - 2 * floor(x / 2 ** (i + 1))
squares = define(
    "squares",
    total(greatest(Abs(f[x] - f[x + 2**i * (1 - 2 * digit)]), x) ** 2, i),
    latex=r"\sum_i c_i^2",
    says="Sum of the squared differences.",
)
tail = P(Z - E(Z) >= t)

printed = Claim(
    MCDIARMID.at("Lemma 1.2"), Holds(tail <= exp(-2 * t**2 / squares)), given=[squares > 0]
)
half_differences = Claim(
    MCDIARMID.at("Lemma 1.2, with half the differences"),
    Holds(tail <= exp(-8 * t**2 / squares)),
    given=[squares > 0],
)
