"""Online learning on an interval [0, D]: projected gradient descent and its regret.

Regret is against the best point in hindsight. Losses are linear, g_t x, or quadratic.
"""

from __future__ import annotations

from typing import Any

from flint import arb, fmpq

from boundcheck.expressions import index, parameter, primitive, world
from boundcheck.worlds import Integer, Real, Vector

T = world("T", Integer(1, searched=6), says="Number of rounds.")
D = world("D", Real(0, None, open_low=True), units={"point": 1}, says="Length of [0, D].")
g = world("g", Vector(T), units={"slope": 1}, says="Slopes of the losses.")
start = world("start", Real(0, "D"), units={"point": 1}, says="First point.")
eta = parameter("eta", Real(0, None, open_low=True), says="Step size.")
t = index("t", T)


def clipped(x: Any, D: Any) -> Any:
    """Projection of a number or ball on [0, D]."""
    if isinstance(x, arb):
        return x.nonnegative_part().min(arb(D))
    return min(max(x, fmpq(0)), D)


@primitive(ranks=(1, 1, 0, 0))
def linear_regret(slopes: Any, steps: Any, D: Any, start: Any) -> Any:
    """Regret of x_{t+1} = projection of x_t - eta_t g_t against the best point of [0, D]."""
    x, loss = start, fmpq(0)
    for slope, step in zip(slopes, steps, strict=True):
        loss = loss + slope * x
        x = clipped(x - step * slope, D)
    total = sum(slopes, fmpq(0))
    return loss - min(total * D, fmpq(0))


@primitive(ranks=(1, 0, 0, 0))
def quadratic_regret(centres: Any, alpha: Any, D: Any, start: Any) -> Any:
    """Regret against losses (alpha / 2) (x - a_t)^2 with steps 1 / (alpha t) on [0, D]."""
    x, loss = start, fmpq(0)
    for t, centre in enumerate(centres, 1):
        loss += alpha / 2 * (x - centre) ** 2
        x = min(max(x - (x - centre) / t, fmpq(0)), D)
    best = min(max(sum(centres, fmpq(0)) / len(centres), fmpq(0)), D)
    return loss - sum((alpha / 2 * (best - centre) ** 2 for centre in centres), fmpq(0))
