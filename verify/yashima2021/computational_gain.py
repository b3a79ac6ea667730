"""When SGD with random features is cheaper than SGD with the kernel.

Setting    n(e), the number of iterations after which the bound of Theorem 3 is e; M as Theorem 3
           asks; constants lambda, G, R, C, ||g_*|| and delta' fixed.
"""

from sympy import Le, Max, Rational, exp, log

from boundcheck import Claim, UpToConstant
from boundcheck.settings.averaged_sgd import constant, p
from boundcheck.worlds import Family, Real, doublings

from . import ARXIV

m = constant("m")
exponent = 2 * Max((1 + p) / (1 - p), 3)
features = (1 / m**4) ** Max(1 / (1 - p), 2)


def iterations(accuracy):
    """Iterations until the bound of Theorem 3 is at the accuracy, constants left out."""
    return log(2 / accuracy) / m**2


def along(name, m, p):
    return Family(name, lambda size: {"m": m(Rational(size)), "p": p}, doublings(4, 9))


def gain(where, accuracy, reading, **options):
    return Claim(
        ARXIV.at(where),
        UpToConstant(Le(features, iterations(accuracy))),
        families=(
            along("m shrinks, p = 0", lambda size: 1 / size, Rational(0)),
            along("m shrinks, p = 1/2", lambda size: 1 / size, Rational(1, 2)),
            along("m grows, p = 0", lambda size: size, Rational(0)),
        ),
        uses=("yashima2021/theorem_3:arxiv", "yashima2021/complexity:printed"),
        reading=reading,
        **options,
    )


READING = (
    "log^q m is (log m)^q; constants of Theorem 3 other than m and p are fixed, and >~ is a "
    "constant"
)
HALF = {p: Real(0, "1/2")}
accuracy = exp(-(log(m) ** exponent))
printed = gain("(52); AISTATS Computational Viewpoint", accuracy, READING)
small_p = gain(
    "(52); AISTATS Computational Viewpoint, for p <= 1/2",
    accuracy,
    READING + "; here the exponent is 6 and the power has a value for every m",
    domains=HALF,
)
repaired = gain(
    "(52) with 1/m for log m",
    exp(-((1 / m) ** exponent)),
    "the accuracy that follows from the displays of Theorem 3",
    domains=HALF,
)
