"""Online learning: gradient descent on an interval [0, D] or on a ball, experts, and their regret.

Regret is against the best point or expert in hindsight. Losses are linear or tables of the
losses of K experts; a bound for linear losses is one for convex losses with these slopes. Convex
sets of other shapes and quadratic losses are in `polytopes`.

>>> from sympy import log
>>> from boundcheck.expressions import inner, row, table, total
>>> experts = hedge_regret(losses, eta) <= log(K) / eta + eta * T / 8
>>> lengths = total(inner(row(slopes, t), row(slopes, t)), t)
>>> descent = ball_regret(slopes, table(eta, t), R) <= R**2 / (2 * eta) + eta / 2 * lengths
"""

from __future__ import annotations

from functools import reduce
from typing import Any

from flint import arb, fmpq, fmpq_mat

from boundcheck.arithmetic import exponential, square_root
from boundcheck.expressions import index, parameter, primitive, world
from boundcheck.quantities.losses import larger, smaller
from boundcheck.worlds import Integer, Matrix, Real, Vector

T = world("T", Integer(1, searched=6), says="Number of rounds.")
D = world("D", Real(0, None, open_low=True), units={"point": 1}, says="Length of [0, D].")
g = world("g", Vector(T), units={"slope": 1}, says="Slopes of the losses.")
start = world("start", Real(0, "D"), units={"point": 1}, says="First point.")
eta = parameter("eta", Real(0, None, open_low=True), says="Step size.")
t = index("t", T)
K = world("K", Integer(2, searched=3), says="Number of experts.")
losses = world("losses", Matrix(T, K, 0, 1), says="Losses of the experts, one row a round.")
expert = index("k", K)
d = world("d", Integer(1, searched=2), says="Dimension of the ball.")
slopes = world("slopes", Matrix(T, d), units={"slope": 1}, says="Gradients in rows, one a round.")
REGRET = r"\operatorname{{regret}}_T"
R = world("R", Real(0, None, open_low=True), units={"point": 1}, says="Radius of the ball.")


def clipped(x: Any, D: Any) -> Any:
    """Projection of a number or ball on [0, D]."""
    return smaller(larger(x, fmpq(0)), D)


@primitive(ranks=(1, 1, 0, 0), latex=REGRET)
def linear_regret(slopes: Any, steps: Any, D: Any, start: Any) -> Any:
    """Regret of x_{t+1} = projection of x_t - eta_t g_t against the best point of [0, D]."""
    x, loss = start, fmpq(0)
    for slope, step in zip(slopes, steps, strict=True):
        loss = loss + slope * x
        x = clipped(x - step * slope, D)
    total = sum(slopes, fmpq(0))
    return loss - smaller(total * D, fmpq(0))


def _hedge_floats(losses: Any, eta: Any) -> Any:
    import numpy

    losses = numpy.asarray(losses, float)
    before = losses.cumsum(-2) - losses
    eta = numpy.asarray(eta, float)[..., None, None]
    weights = numpy.exp(-eta * (before - before.min(-1, keepdims=True)))
    played = ((weights * losses).sum(-1) / weights.sum(-1)).sum(-1)
    return played - losses.sum(-2).min(-1)


@primitive(batch=_hedge_floats, ranks=(2, 0), units="none", latex=REGRET)
def hedge_regret(losses: Any, eta: Any) -> Any:
    """Regret of Hedge, weights proportional to exp(-eta * loss so far), against the best expert.

    Source: Freund and Schapire, J. Comput. Syst. Sci. 55 (1997) 119-139.
    """
    so_far, total = [fmpq(0)] * losses.ncols(), fmpq(0)
    for row in losses.tolist():
        least = min(so_far)
        weights = [exponential(-eta * (loss - least)) for loss in so_far]
        mixed = sum((w * loss for w, loss in zip(weights, row, strict=True)), fmpq(0))
        total += mixed / sum(weights, fmpq(0))
        so_far = [a + b for a, b in zip(so_far, row, strict=True)]
    return total - reduce(smaller, so_far)


def _ball_floats(slopes: Any, steps: Any, radius: Any) -> Any:
    import numpy

    slopes, radius = numpy.asarray(slopes, float), numpy.asarray(radius, float)
    x, played = numpy.zeros(slopes.shape[-1]), numpy.zeros(())
    for t in range(slopes.shape[-2]):
        g = slopes[..., t, :]
        played = played + (g * x).sum(-1)
        x = x - numpy.asarray(steps)[..., t, None] * g
        length = numpy.sqrt((x * x).sum(-1))
        with numpy.errstate(divide="ignore", invalid="ignore"):
            scale = numpy.where(length > radius, radius / length, 1.0)
        x = scale[..., None] * x
    whole = slopes.sum(-2)
    return played + radius * numpy.sqrt((whole * whole).sum(-1))


@primitive(batch=_ball_floats, ranks=(2, 1, 0), latex=REGRET)
def ball_regret(slopes: Any, steps: Any, radius: Any) -> Any:
    """Regret of gradient descent from 0 with projection on the ball of a radius, linear losses."""
    x, played = [fmpq(0)] * slopes.ncols(), fmpq(0)
    for g, step in zip(slopes.tolist(), steps, strict=True):
        played += sum((a * b for a, b in zip(g, x, strict=True)), fmpq(0))
        x = _on_ball([b - step * a for a, b in zip(g, x, strict=True)], radius)
    whole = fmpq_mat(1, slopes.nrows(), [1] * slopes.nrows()) * slopes
    square = sum((entry * entry for entry in whole.entries()), fmpq(0))
    return played + radius * square_root(square)


def _on_ball(x: list[Any], radius: Any) -> list[Any]:
    square = sum((a * a for a in x), fmpq(0))
    if square <= radius * radius:
        return x
    # Balls that cannot tell whether x lies outside are scaled by what contains both answers.
    scale = radius / square_root(square)
    if isinstance(square, arb) and not square > radius * radius:
        scale = scale.union(arb(1))
    return [scale * a for a in x]
