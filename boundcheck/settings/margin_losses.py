"""Margin losses phi(y g(x)) for labels y in {-1, 1}, and what follows of them.

`loss` is any loss of a list, of any height and stretch; `logistic`, `hinge` and `huber` are
formulas. All offer the loss itself, `slope`, `link` h_*, `inverse_link`, `least_risk` l_*, its
slope, the `divergence` d of l_*, constants G and L of loss and slope, and the margin m(delta).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy
from flint import fmpq
from sympy import Abs, Max, Min, Piecewise, Rational, exp, log

from boundcheck.expressions import primitive, world
from boundcheck.expressions.lazy_imports import numpy
from boundcheck.expressions.symbols import Known
from boundcheck.quantities import losses
from boundcheck.worlds import Choice, Real

Function = Callable[[sympy.Expr], sympy.Expr]
HALF = Rational(1, 2)
POSITIVE = Real(0, None, open_low=True, searched=("1/10", 10))
kind = world("loss", Choice(losses.NAMES), says="Name of the loss.")
height = world("height", POSITIVE, units={"loss": 1}, says="The loss is a multiple of its base.")
stretch = world("stretch", POSITIVE, units={"value": 1}, says="Scale of the margins of the loss.")


class MarginLoss:
    """A margin loss: `loss(v)` is phi(v). Concrete losses give the functions that they know."""

    slope: Function
    link: Function
    inverse_link: Function
    least_risk: Function
    least_risk_slope: Function
    lipschitz: sympy.Expr
    smoothness: sympy.Expr

    def __call__(self, v: sympy.Expr) -> sympy.Expr:
        raise NotImplementedError

    def conditional_risk(self, eta: sympy.Expr, g: sympy.Expr) -> sympy.Expr:
        """eta phi(g) + (1 - eta) phi(-g)."""
        return eta * self(g) + (1 - eta) * self(-g)

    def conditional_slope(self, eta: sympy.Expr, g: sympy.Expr) -> sympy.Expr:
        """Its derivative in g."""
        return eta * self.slope(g) - (1 - eta) * self.slope(-g)

    def divergence(self, first: sympy.Expr, second: sympy.Expr) -> sympy.Expr:
        """d(e1, e2) = -l_*(e2) + l_*(e1) + l_*'(e1)(e2 - e1)."""
        gap = self.least_risk_slope(first) * (second - first)
        return -self.least_risk(second) + self.least_risk(first) + gap

    def margin(self, delta: sympy.Expr) -> sympy.Expr:
        """m(delta) = max(h_*(1/2 + delta), |h_*(1/2 - delta)|)."""
        return Max(self.link(HALF + delta), Abs(self.link(HALF - delta)))


class Listed(MarginLoss):
    """A loss by name, height and stretch: its functions are primitives."""

    def __init__(self, kind: Known | str, height: sympy.Expr, stretch: sympy.Expr) -> None:
        self.of = kind, height, stretch
        self.lipschitz = losses.lipschitz_constant(*self.of)
        self.smoothness = losses.smoothness_constant(*self.of)

    def __call__(self, v: sympy.Expr) -> sympy.Expr:
        return losses.loss_value(*self.of, v)

    def slope(self, v: sympy.Expr) -> sympy.Expr:
        """phi'(v)."""
        return losses.loss_slope(*self.of, v)

    def link(self, mu: sympy.Expr) -> sympy.Expr:
        """h_*(mu), which minimises mu phi(a) + (1 - mu) phi(-a)."""
        return losses.link(*self.of, mu)

    def inverse_link(self, value: sympy.Expr) -> sympy.Expr:
        """The mu with h_*(mu) = value."""
        return losses.inverse_link(*self.of, value)

    def least_risk(self, mu: sympy.Expr) -> sympy.Expr:
        """l_*(mu), the least value of mu phi(a) + (1 - mu) phi(-a)."""
        return losses.minimal_risk(*self.of, mu)

    def least_risk_slope(self, mu: sympy.Expr) -> sympy.Expr:
        """l_*'(mu)."""
        return losses.minimal_risk_slope(*self.of, mu)


class Formula(MarginLoss):
    """A loss whose functions are formulas in x."""

    def __init__(self, value: sympy.Expr, slope: sympy.Expr, *, link: sympy.Expr,
                 inverse: sympy.Expr, least: sympy.Expr, least_slope: sympy.Expr,
                 lipschitz: int, smoothness: Rational | None = None) -> None:  # fmt: skip
        def at(formula: sympy.Expr) -> Function:
            return lambda point: formula.subs(X, point)

        self.value, self.slope, self.link = at(value), at(slope), at(link)
        self.inverse_link, self.least_risk = at(inverse), at(least)
        self.least_risk_slope = at(least_slope)
        self.lipschitz = sympy.Integer(lipschitz)
        self.smoothness = sympy.S.NaN if smoothness is None else smoothness

    def __call__(self, v: sympy.Expr) -> sympy.Expr:
        return self.value(v)


def _side(height: int) -> sympy.Expr:
    return Piecewise((height, X > HALF), (-height, X < HALF))  # no value at 1/2


X = sympy.Symbol("x", real=True)
loss = Listed(kind, height, stretch)
listed_logistic = Listed("logistic", sympy.S.One, sympy.S.One)
logistic = Formula(
    log(1 + exp(-X)), -1 / (1 + exp(X)), link=log(X / (1 - X)), inverse=1 / (1 + exp(-X)),
    least=-X * log(X) - (1 - X) * log(1 - X), least_slope=log((1 - X) / X), lipschitz=1,
    smoothness=Rational(1, 4),
)  # fmt: skip
hinge = Formula(
    Max(0, 1 - X), Piecewise((-1, X < 1), (0, X > 1)), link=_side(1), inverse=sympy.S.NaN,
    least=2 * Min(X, 1 - X), least_slope=_side(-2), lipschitz=1,
)  # fmt: skip
huber = Formula(
    Max(0, Min(2, 1 - X)) ** 2 + 4 * Max(0, -1 - X), -2 * Max(0, Min(2, 1 - X)), link=2 * X - 1,
    inverse=(1 + X) / 2, least=4 * X * (1 - X), least_slope=4 - 8 * X, lipschitz=4,
    smoothness=Rational(2),
)  # fmt: skip


def _batched_polygon(slopes: numpy.ndarray, offsets: numpy.ndarray, mu: numpy.ndarray) -> Any:
    zero = numpy.zeros((*slopes.shape[:-1], 1))
    s, o = numpy.concatenate([zero, slopes], -1), numpy.concatenate([zero, offsets], -1)
    with numpy.errstate(all="ignore"):
        met = (o[..., None, :] - o[..., :, None]) / (s[..., :, None] - s[..., None, :])
    found = numpy.nan_to_num(met, nan=0.0, posinf=0.0, neginf=0.0).reshape(*s.shape[:-1], -1)
    corners = numpy.concatenate([zero, found, -found], -1)

    def value(at: numpy.ndarray) -> numpy.ndarray:
        return (s[..., None, :] * at[..., None] + o[..., None, :]).max(-1)

    mu = numpy.asarray(mu)[..., None]
    return (mu * value(corners) + (1 - mu) * value(-corners)).min(-1)


@primitive(
    batch=_batched_polygon,
    ranks=(1, 1, 0),
    facts=("nonnegative",),
    rational=True,
    latex=r"l_*\left({2}\right)",
)
def polygon_least_risk(slopes: Any, offsets: Any, mu: Any) -> Any:
    """l_*(mu) of phi(v) = max(0, max_i s_i v + o_i).

    The risk is convex, piecewise linear and non-negative, so its least value is at a corner, or
    everywhere if it has none.
    """
    lines = [(fmpq(0), fmpq(0)), *zip(slopes, offsets, strict=True)]
    met = [(q - o) / (s - t) for i, (s, o) in enumerate(lines) for t, q in lines[:i] if s != t]
    corners = {fmpq(0), *met, *[-corner for corner in met]}

    def value(v: fmpq) -> fmpq:
        return max(s * v + o for s, o in lines)

    return min(mu * value(c) + (1 - mu) * value(-c) for c in corners)
