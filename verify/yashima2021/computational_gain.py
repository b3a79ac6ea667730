"""When SGD with random features is cheaper than SGD with the kernel.

Setting    n(e), the number of iterations after which the bound of Theorem 3 is e; M as Theorem 3
           asks; constants lambda, G, R, C, ||g_*|| and delta' fixed.
Claim      if e <~ exp(-(log m)^(2 max((1+p)/(1-p), 3))), m = m(delta), then n(e) exceeds M.
"""

from flint import fmpq
from sympy import Le, Max, exp, log

from boundcheck import Claim, UpToConstant
from boundcheck.worlds import Family, Real, doublings

from . import ARXIV, m, p

exponent = 2 * Max((1 + p) / (1 - p), 3)
features = (1 / m**4) ** Max(1 / (1 - p), 2)


def iterations(accuracy):
    """Iterations until the bound of Theorem 3 is at the accuracy, constants left out."""
    return log(2 / accuracy) / m**2


FAMILIES = (
    Family("m shrinks, p = 0", lambda size: {"m": fmpq(1, size), "p": fmpq(0)}, doublings(4, 9)),
    Family(
        "m shrinks, p = 1/2", lambda size: {"m": fmpq(1, size), "p": fmpq(1, 2)}, doublings(4, 9)
    ),
    Family("m grows, p = 0", lambda size: {"m": fmpq(size), "p": fmpq(0)}, doublings(4, 9)),
)
READING = (
    "log^q m is (log m)^q; constants of Theorem 3 other than m and p are fixed, and >~ is a "
    "constant"
)

printed = Claim(
    source=ARXIV.at("(52); AISTATS Computational Viewpoint"),
    statement=UpToConstant(Le(features, iterations(exp(-(log(m) ** exponent))))),
    given=[m > 0],
    parameters={m: Real(0, None, open_low=True), p: Real(0, 1, open_high=True)},
    families=FAMILIES,
    uses=("yashima2021/theorem_3:arxiv", "yashima2021/complexity:printed"),
    reading=READING,
)

small_p = Claim(
    source=ARXIV.at("(52); AISTATS Computational Viewpoint, for p <= 1/2"),
    statement=printed.statement,
    given=[m > 0],
    parameters={m: Real(0, None, open_low=True), p: Real(0, "1/2")},
    families=FAMILIES,
    uses=printed.uses,
    reading=READING + "; here the exponent is 6 and the power has a value for every m",
)

repaired = Claim(
    source=ARXIV.at("(52) with 1/m for log m"),
    statement=UpToConstant(Le(features, iterations(exp(-((1 / m) ** exponent))))),
    given=[m > 0],
    parameters=small_p.parameters,
    families=FAMILIES,
    uses=printed.uses,
    reading="the accuracy that follows from the displays of Theorem 3",
)
