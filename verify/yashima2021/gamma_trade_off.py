"""How the two parts of the condition on T depend on gamma.

Setting    first = 36 G^2 R^2 / (lambda^2 (2 gamma + T)),
           second = gamma (gamma - 1) D^2 / ((2 gamma + T)(T + 1)), D = ||g_1 - g_{M,lambda}||.
Claim      as gamma grows, first = O(1/gamma) and second = O(gamma), all else fixed.
"""

from sympy import And, Rational

from boundcheck import Claim, UpToConstant
from boundcheck.settings.averaged_sgd import R, T, constant, gamma, lam
from boundcheck.worlds import Family, Real, doublings

from . import ARXIV

G, D = constant("G"), constant("D")
first = 36 * G**2 * R**2 / (lam**2 * (2 * gamma + T))
second = gamma * (gamma - 1) * D**2 / ((2 * gamma + T) * (T + 1))


def fixed(size, horizon):
    """Everything but gamma fixed."""
    one = Rational(1)
    return {"gamma": size * one, "T": horizon, "lambda": one / 10, "G": one, "R": one, "D": 3 * one}


arxiv = Claim(
    ARXIV.at("Dependence of gamma and lambda on T"),
    UpToConstant(
        And(first <= 1 / gamma, second <= gamma), depends=("T", "lambda", "G", "R", "D")
    ),
    domains={gamma: Real(1, None)},
    families=(
        Family("gamma grows, T = 1", lambda size: fixed(size, 1), doublings(4, 10)),
        Family("gamma grows, T = 100", lambda size: fixed(size, 100), doublings(16, 12)),
    ),
    reading="orders in gamma with the other constants fixed, where the constant may hold them",
)
