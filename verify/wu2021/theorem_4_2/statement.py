"""The theorem as printed, and with one of the two conditions that its proof uses."""

from flint import fmpq
from sympy import Abs, Eq

from boundcheck import Claim, UpToConstant, WithProbability
from boundcheck.expressions import greatest, least, table
from boundcheck.quantities.regularised import losses_at
from boundcheck.worlds import Family, Matrix, doublings

from .. import NOTES
from . import (
    B,
    a,
    bound,
    c,
    delta,
    f,
    heights,
    hypotheses,
    knots,
    losses,
    member,
    rare_label,
    risk,
)


def constant_loss(size):
    """One point, f* = 0, l = 1: nothing to learn, and n grows."""
    return member((1,), (fmpq(1),), (fmpq(0),), size, ((0, 1),), ((1, 1),), fmpq(1, size),
                  fmpq(1, 2))  # fmt: skip


def signed_loss(size):
    """l(0, 0) = 0 and l(1, 0) = -1: one sample point of three, delta tends to one."""
    third, zero, half = (fmpq(1, 3),) * 3, (fmpq(0),) * 3, fmpq(1, 2)
    return member((1, half, half / 2), third, zero, 1, ((0, half, 1, 2),) * 3, ((0, 1, -1, 1),) * 3,
                  fmpq(1, 10), 1 - fmpq(1, size))  # fmt: skip


constant = Family("constant loss on one point, n grows", constant_loss, doublings(4, 8))
signed = Family("signed loss that vanishes at the label, delta to one", signed_loss,
                doublings(4, 8))  # fmt: skip

printed = Claim(
    NOTES.at("Theorem 4.2"),
    UpToConstant(WithProbability(1 - delta, risk(knots, losses) <= bound)),
    given=hypotheses(knots, losses),
    families=(rare_label, constant, signed),
    uses=(
        "wu2021/theorem_4_2:step_norm",
        "wu2021/theorem_4_2:step_deviation",
        "wu2021/theorem_4_2:step_total",
    ),
    trivial=B,
    reading="every minimiser of (4.1) counts; losses need not be non-negative nor vanish at "
    "f = f*, because neither is printed; lambda > 0 as the text says after the proof",
    cost=3.0,
)

nonnegative = Claim(
    NOTES.at("Theorem 4.2"),
    UpToConstant(WithProbability(1 - delta, risk(knots, losses) <= bound)),
    given=[*hypotheses(knots, losses), least(losses[a, c], a, c) >= 0],
    domains={heights: Matrix("N", "m", searched=(0, 1))},
    families=(rare_label, constant),
    trivial=B,
    reading="as printed for losses with l >= 0 that need not vanish at f = f*",
    cost=10.0,
)

at_labels = losses_at(knots, losses, f)
shifted = table(losses[a, c] - at_labels[a], a, c)

vanishing = Claim(
    NOTES.at("Theorem 4.2"),
    UpToConstant(WithProbability(1 - delta, risk(knots, shifted) <= bound)),
    given=[
        *hypotheses(knots, shifted),
        Eq(greatest(Abs(losses_at(knots, shifted, f)[a]), a), 0),
    ],
    families=(rare_label, signed),
    trivial=B,
    reading="as printed for losses of either sign that vanish at f = f*: any loss less its value "
    "there",
    cost=10.0,
)
