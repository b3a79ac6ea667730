"""How the two parts of the condition on T depend on gamma.

Setting    first = 36 G^2 R^2 / (lambda^2 (2 gamma + T)),
           second = gamma (gamma - 1) D^2 / ((2 gamma + T)(T + 1)), D = ||g_1 - g_{M,lambda}||.
Claim      as gamma grows, first = O(1/gamma) and second = O(gamma), all else fixed.
"""

from flint import fmpq
from sympy import Max, symbols

from boundcheck import Claim, UpToConstant
from boundcheck.worlds import Family, Integer, Real, doublings

from . import ARXIV, G, R, T, gamma, lam

D = symbols("D", real=True)
first = 36 * G**2 * R**2 / (lam**2 * (2 * gamma + T))
second = gamma * (gamma - 1) * D**2 / ((2 * gamma + T) * (T + 1))


def fixed(size, horizon):
    """Everything but gamma fixed."""
    return {
        "gamma": fmpq(size), "T": horizon, "lambda": fmpq(1, 10), "G": fmpq(1), "R": fmpq(1),
        "D": fmpq(3),
    }  # fmt: skip


arxiv = Claim(
    source=ARXIV.at("Dependence of gamma and lambda on T"),
    statement=UpToConstant(
        Max(first * gamma, second / gamma) <= 1, depends=("T", "lambda", "G", "R", "D")
    ),
    given=[gamma >= 1],
    parameters={
        gamma: Real(1, None),
        T: Integer(1, wide=True, searched=10**9),
        lam: Real("1/1000", 1),
        G: Real("1/10", 10),
        R: Real("1/10", 10),
        D: Real(0, 100),
    },
    families=(
        Family("gamma grows, T = 1", lambda size: fixed(size, 1), doublings(4, 10)),
        Family("gamma grows, T = 100", lambda size: fixed(size, 100), doublings(16, 12)),
    ),
    reading="orders in gamma with the other constants fixed, where the constant may hold them",
)
