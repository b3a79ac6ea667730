"""(5)-(6): closed forms of kernel ridge regression.

Setting    feature matrix Phi (n x p) of any rank, targets y, lambda > 0, a test point phi(x').
Claim      the minimiser beta of (1/n) sum_i (phi(x_i)^T beta - y_i)^2 + lambda ||beta||^2 predicts
           phi(x')^T (Phi^T Phi + n lambda I)^-1 Phi^T y = k'^T (K + n lambda I)^-1 y.
"""

from sympy import And, Eq

from boundcheck import Claim, Holds
from boundcheck.expressions import identity, inner, world
from boundcheck.settings.rkhs import Phi, coefficients, n, p, penalty, responses
from boundcheck.worlds import Vector

from . import NOTES

y, other = responses(), coefficients("b", p)
phi = world("phi", Vector(p, searched=(-2, 2)), units={"feature": 1}, says="Features of x'.")
K, k = Phi * Phi.T, Phi * phi
beta = (Phi.T * Phi + n * penalty * identity(p)) ** -1 * Phi.T * y


def objective(beta):
    return inner(Phi * beta - y, Phi * beta - y) / n + penalty * inner(beta, beta)


printed = Claim(
    NOTES.at("(5)-(6)"),
    Holds(
        And(
            objective(beta) <= objective(other),
            Eq(inner(phi, beta), inner(k, (K + n * penalty * identity(n)) ** -1 * y)),
        )
    ),
    reading="That beta is the minimiser is stated against every other vector of weights.",
)
