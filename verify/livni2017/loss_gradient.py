"""(6), (9): the squared loss and its gradient.

Setting    l(f) = (1/2) (<f, Phi(x)> - y)^2 on L2(mu).
Claim      its gradient is (<f, Phi(x)> - y) Phi(x): in every direction h the derivative of l at f
           is <gradient, h>. For a quadratic the central difference is the derivative, exactly.
"""

from sympy import Eq, Rational, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.online import inner, row, squared_loss
from boundcheck.worlds import Real, Vector

from . import NOTES, feature_space

after, before, slope = symbols("after before slope", real=True)


def shifted_loss(side):
    """l(f + side h)."""

    def loss(f, h, psi, y, mu):
        moved = tuple(a + side * b for a, b in zip(f, h, strict=True))
        return squared_loss(moved, row(psi, 0), y, mu)

    return loss


def gradient_along(f, h, psi, y, mu):
    """<(<f, Phi(x)> - y) Phi(x), h>."""
    point = row(psi, 0)
    return (inner(f, point, mu) - y) * inner(point, h, mu)


printed = Claim(
    source=NOTES.at("(6), (9)"),
    statement=Holds(Eq(Rational(1, 2) * (after - before), slope)),
    worlds=feature_space(points=1, atoms=3).and_fields(
        f=Vector("K", -20, 20), h=Vector("K", -20, 20), y=Real(-1, 1)
    ),
    measure={after: shifted_loss(1), before: shifted_loss(-1), slope: gradient_along},
    uses=("livni2017/setup:printed",),
)
