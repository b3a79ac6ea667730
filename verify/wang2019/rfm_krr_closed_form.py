"""(7)-(8): closed forms of ridge regression on random features.

Setting    drawn features Psi (n x s) with Psi_il = s^(-1/2) psi(x_i; v_l), lambda > 0.
"""

from sympy import And, Eq, sqrt

from boundcheck import Claim, Holds
from boundcheck.expressions import identity, inner, world
from boundcheck.settings.random_features import fixed_draw, ridge, test
from boundcheck.worlds import Vector

from . import NOTES

n, s, y, Psi, psi = fixed_draw.n, fixed_draw.s, fixed_draw.y, fixed_draw.Psi, fixed_draw.psi
u = world("u", Vector(s, searched=(-4, 4)), says="Weights over sqrt(s), so that all is rational.")
best = (Psi.T * Psi + n * ridge * identity(s)) ** -1 * Psi.T * y


def objective(w):
    return inner(y - Psi * w, y - Psi * w) / n + ridge * inner(w, w)


printed = Claim(
    NOTES.at("(7)-(8)"),
    Holds(
        And(
            objective(best) <= objective(sqrt(s) * u),
            Eq(inner(psi(test), best), fixed_draw.f_(test)),
        )
    ),
)
