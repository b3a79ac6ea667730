"""Theorem 4.2: a priori estimate for the estimator with unsquared norm penalty, noiseless data.

Setting    law rho on finitely many points, kernel with k(x, x) <= 1, f* in its RKHS with norm Q,
           losses l(., y) that are L-Lipschitz and bounded by B, a sample of n independent points;
           estimator (4.1): minimise (1/n) sum_i l(f(x_i), f*(x_i)) + lambda ||f||.
Claim      with probability 1 - delta over the sample
           R(estimator) <= C (lambda Q + L Q / sqrt(n) + B sqrt(log(1/delta) / n)).
Steps      (1) the norm of the estimator is at most Q and its empirical risk at most lambda Q,
           (2) deviation of the empirical risk on the ball, (3) the sum, with constant one.
Repair     losses with l >= 0 and l(y, y) = 0, constants 1, 2 and 1/sqrt(2); neither of the two
           conditions can be spared (nonnegative, vanishing).
"""

from flint import fmpq
from sympy import Abs, Eq

from boundcheck import Claim, UpToConstant, WithProbability
from boundcheck.expressions import greatest, least, table
from boundcheck.quantities.regularised import losses_at
from boundcheck.worlds import Family, Matrix, doublings

from . import NOTES
from ._theorem_4_2 import (
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
    "f = f*, because neither is printed; they are piecewise linear, where minimisers are exact; "
    "lambda > 0 as the text says after the proof",
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
