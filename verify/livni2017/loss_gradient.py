"""(6), (9): the squared loss and its gradient.

Setting    l(f) = (1/2) (<f, Phi(x)> - y)^2 on L2(mu).
Claim      its gradient is (<f, Phi(x)> - y) Phi(x): in every direction h the derivative of l at f
           is <gradient, h>. For a quadratic the central difference is the derivative, exactly.
           Descent f_{t+1} = f_t - eta gradient_t from 0 gives f_t = sum_{i<=t} alpha_i Phi(x_t).
"""

from flint import fmpq, fmpq_mat
from sympy import Eq, Rational, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.online import inner, row, squared_loss
from boundcheck.worlds import Real, Vector

from . import NOTES, POSITIVE, eta, feature_space, runs

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
        f=Vector("K", searched=(-20, 20)), h=Vector("K", searched=(-20, 20)), y=Real(-1, 1)
    ),
    measure={after: shifted_loss(1), before: shifted_loss(-1), slope: gradient_along},
    uses=("livni2017/setup:printed",),
)

rank, rank_with = symbols("rank rank_with", real=True)


def descended(psi, sequence, y, mu, eta):
    """f_T, T the last round, of gradient descent from 0."""
    f = (fmpq(0),) * psi.ncols()
    for index, label in zip(sequence[:-1], y, strict=False):
        point = row(psi, index)
        slope = eta * (inner(f, point, mu) - label)
        f = tuple(a - slope * b for a, b in zip(f, point, strict=True))
    return f


def rank_in_law(functions, mu):
    """Dimension of the span of functions in L2(mu)."""
    atoms = [k for k, weight in enumerate(mu) if weight]
    values = [f[k] for f in functions for k in atoms]
    return fmpq_mat(len(functions), len(atoms), values).rank()


def expansion(spanned):
    """f_T is a combination of the functions of the points that `spanned` picks from the rounds."""

    def points(psi, sequence):
        return [row(psi, index) for index in spanned(sequence)]

    return dict(
        statement=Holds(Eq(rank, rank_with)),
        given=[eta > 0],
        worlds=runs(rounds=4, points=3, atoms=3),
        parameters={eta: POSITIVE},
        measure={
            rank: lambda psi, sequence, mu: rank_in_law(points(psi, sequence), mu),
            rank_with: lambda psi, sequence, y, mu, eta: rank_in_law(
                [*points(psi, sequence), descended(psi, sequence, y, mu, eta)], mu
            ),
        },
        uses=("livni2017/loss_gradient:printed",),
    )


step_expansion = Claim(
    source=NOTES.at("section 5, after (9)"),
    reading="The round is the last one of the world: f_t is a multiple of Phi(x_t), as displayed.",
    **expansion(lambda sequence: sequence[-1:]),
)

repaired_expansion = Claim(
    source=NOTES.at("section 5, after (9), with Phi(x_i) in the sum"),
    **expansion(lambda sequence: sequence),
)
