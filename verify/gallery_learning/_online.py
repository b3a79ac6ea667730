"""Projected gradient descent on an interval against quadratic or linear losses."""

from flint import fmpq

from boundcheck.arithmetic import to_ball
from boundcheck.expressions import index, primitive, world
from boundcheck.worlds import Integer, Real, Vector

T = world("T", Integer(1, searched=6), says="Number of rounds.")
D = world("D", Real(0, None, open_low=True), units={"point": 1}, says="Length of [0, D].")
g = world("g", Vector(T), units={"slope": 1}, says="Slopes of the losses.")
start = world("start", Real(0, "D"), units={"point": 1}, says="First point.")
t = index("t", T)


def clipped(x, D):
    """Projection on [0, D]; a ball may straddle an end."""
    low = x if not hasattr(x, "nonnegative_part") else x.nonnegative_part()
    if not hasattr(low, "min"):
        return min(max(low, fmpq(0)), D)
    return low.min(to_ball(D))


@primitive(ranks=(1, 1, 0, 0))
def linear_regret(slopes, steps, D, start):
    """Regret of x_{t+1} = projection of x_t - eta_t g_t against the best point of [0, D]."""
    x, loss = start, fmpq(0)
    for slope, step in zip(slopes, steps, strict=True):
        loss = loss + slope * x
        x = clipped(x - step * slope, D)
    total = sum(slopes, fmpq(0))
    return loss - min(total * D, fmpq(0))


@primitive(ranks=(1, 0, 0, 0))
def quadratic_regret(centres, alpha, D, start):
    """Regret against losses (alpha / 2) (x - a_t)^2 with steps 1 / (alpha t) on [0, D]."""
    x, loss = start, fmpq(0)
    for t, centre in enumerate(centres, 1):
        loss += alpha / 2 * (x - centre) ** 2
        x = min(max(x - (x - centre) / t, fmpq(0)), D)
    best = min(max(sum(centres, fmpq(0)) / len(centres), fmpq(0)), D)
    return loss - sum((alpha / 2 * (best - centre) ** 2 for centre in centres), fmpq(0))
