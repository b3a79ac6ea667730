"""Assumption 1 and Section 3.1: two kinds of features that satisfy it.

Setting    E_v psi(x; v) psi(x'; v) = kappa(x, x') and psi^2 <= b almost surely.
Claim      b = 2 for random Fourier features sqrt(2) cos(w^T x + beta) of a translation invariant
           kernel, b = 1 for random sign features with the angular kernel.
Worlds     finite symmetric spectral measures; phases on a regular grid of at least three points,
           whose mean of products of cosines is that of the uniform phase.
"""

from sympy import And, Eq, asin, cos, pi

from boundcheck import Claim, Holds
from boundcheck.expressions import greatest, index, parameter, total, world
from boundcheck.settings.sign_features import largest_sign, sign_agreement
from boundcheck.worlds import Integer, Real, Vector, Weights

from . import NOTES

J = world("J", Integer(1, searched=3), says="Number of frequencies.")
w = world("w", Vector(J, searched=(-3, 3)), says="Frequencies, in turns.")
tau = world("tau", Weights(J), says="Spectral measure.")
grid = world("grid", Integer(3, searched=6), says="Number of phases.")
x, z = (world(name, Real(None, None, searched=(-2, 2)), says="A point.") for name in "xz")
turn = parameter("turn", Real(0, 1), says="Turns between two points of a sphere.")
k, step = index("k", J), index("step", grid)


def psi(x):
    """The feature over sqrt(2)."""
    return cos(2 * pi * (w[k] * x + step / grid))


printed = Claim(
    NOTES.at("Assumption 1 and the text before it"),
    Holds(
        And(
            Eq(
                total(tau[k] / grid * 2 * psi(x) * psi(z), k, step),
                total(tau[k] * cos(2 * pi * w[k] * (x - z)), k),
            ),
            greatest(2 * psi(x) ** 2, k, step) <= 2,
            Eq(sign_agreement(turn), 2 / pi * asin(cos(2 * pi * turn))),
            largest_sign(turn) <= 1,
        )
    ),
    reading="With the angular kernel that makes the sign feature unbiased (Section 5); the one of "
    "Section 3.2 is judged by angular_kernel.",
    cost=3.0,
)
