"""Margin losses phi for labels in {-1, 1}: values, slopes, link functions, minimal risks.

A loss is a name, with height b > 0 and stretch a > 0: phi(v) = b base(v / a). A margin v is a
rational or a ball. rho are point weights, eta the probabilities of label 1, g the function values
on the points; all tuples of one length.
"""

from __future__ import annotations

from typing import Any

from flint import arb, fmpq

from boundcheck.errors import Undecided, Undefined
from boundcheck.exact import exponential, is_exact, logarithm, reciprocal, sign, to_ball
from boundcheck.quantities import batched_losses as floats
from boundcheck.quantities.base import facts, quantity

# Lipschitz constant of each base, and of its derivative (None: not differentiable).
LIPSCHITZ = {
    "logistic": fmpq(1), "hinge": fmpq(1), "smoothed hinge": fmpq(1), "modified huber": fmpq(4),
    "absolute": fmpq(1),
}  # fmt: skip
SMOOTHNESS = {"logistic": fmpq(1, 4), "smoothed hinge": fmpq(1), "modified huber": fmpq(2)}
NAMES = tuple(LIPSCHITZ)
SMOOTH = tuple(SMOOTHNESS)


def larger(left: Any, right: Any) -> Any:
    """Maximum of two scalars, exact or balls."""
    if is_exact(left) and is_exact(right):
        return max(left, right)
    return to_ball(left).max(to_ball(right))


def smaller(left: Any, right: Any) -> Any:
    """Minimum of two scalars, exact or balls."""
    return -larger(-left, -right)


def largest(values: Any) -> Any:
    """Maximum of some scalars."""
    result = None
    for value in values:
        result = value if result is None else larger(result, value)
    return result


def base_loss(name: str, v: Any) -> Any:
    """Value of a base loss at a margin.

    logistic log(1 + e^-v); hinge (1 - v)+; smoothed hinge: quadratic on [0, 1]; modified huber
    (1 - v)+^2 for v >= -1, -4 v below; absolute |1 - v|.
    Source: Zhang, Annals of Statistics 32 (2004) 56-134.
    """
    if name == "logistic":
        if is_exact(v):
            v = arb(v)
        return (-v).exp().log1p() if v > 0 else -v + v.exp().log1p()
    if name == "hinge":
        return larger(0, 1 - v)
    if name == "absolute":
        return larger(1 - v, v - 1)
    if name == "smoothed hinge":
        return clamp(1 - v, 0, 1) ** 2 / 2 + larger(-v, 0)
    if name == "modified huber":
        return clamp(1 - v, 0, 2) ** 2 + 4 * larger(-1 - v, 0)
    raise Undefined(f"no loss is called {name}")


def clamp(value: Any, low: Any, high: Any) -> Any:
    """The point of [low, high] nearest to a value."""
    return smaller(larger(value, fmpq(low)), fmpq(high))


def base_slope(name: str, v: Any) -> Any:
    """Derivative of a base loss. Raises Undefined at a kink."""
    if name == "logistic":
        return reciprocal(-1 - exponential(v))
    if name == "smoothed hinge":
        return -clamp(1 - v, 0, 1)
    if name == "modified huber":
        return -2 * clamp(1 - v, 0, 2)
    if name in ("hinge", "absolute"):
        side = sign(1 - v)
        if side is None:
            raise Undecided("the side of a kink")
        if side == 0:
            raise Undefined(f"the {name} loss has no derivative at 1")
        return fmpq(-1) if side > 0 else fmpq(int(name == "absolute"))
    raise Undefined(f"no loss is called {name}")


@quantity(
    estimator=floats.loss_value,
    ranks=(None, 0, 0, 0),
    units=lambda _, height, stretch, v: height,
    latex=r"\phi\left({3}\right)",
    text=lambda shown: f"phi({shown[3]})",
)
@facts("nonnegative")
def loss_value(loss: str, height: Any, stretch: Any, v: Any) -> Any:
    """phi(v)."""
    return height * base_loss(loss, v * (fmpq(1) / stretch))


@quantity(
    estimator=floats.loss_slope,
    ranks=(None, 0, 0, 0),
    units=lambda _, height, stretch, v: height - stretch,
    latex=r"\phi'\left({3}\right)",
    text=lambda shown: f"phi'({shown[3]})",
)
def loss_slope(loss: str, height: Any, stretch: Any, v: Any) -> Any:
    """phi'(v)."""
    return base_slope(loss, v * (fmpq(1) / stretch)) * (fmpq(height) / stretch)


@quantity(
    estimator=floats.constants(LIPSCHITZ, 1),
    ranks=(None, 0, 0),
    units=lambda _, height, stretch: height - stretch,
    latex=r"G",
    text=lambda shown: "G",
)
@facts("nonnegative")
def lipschitz_constant(loss: str, height: Any, stretch: Any) -> fmpq:
    """Least G with |phi(u) - phi(v)| <= G |u - v|: the largest slope."""
    return LIPSCHITZ[loss] * fmpq(height) / stretch


@quantity(
    estimator=floats.constants(SMOOTHNESS, 2),
    ranks=(None, 0, 0),
    units=lambda _, height, stretch: height - 2 * stretch,
    latex=r"L",
    text=lambda shown: "L",
)
@facts("nonnegative")
def smoothness_constant(loss: str, height: Any, stretch: Any) -> fmpq:
    """Least Lipschitz constant of phi'. Raises Undefined for a loss with a kink."""
    if loss not in SMOOTHNESS:
        raise Undefined(f"the {loss} loss is not differentiable")
    return SMOOTHNESS[loss] * fmpq(height) / (stretch * stretch)


def conditional_slope(loss: str, height: Any, stretch: Any, eta: Any, g: Any) -> Any:
    """Derivative of the conditional risk in g."""
    total: Any = fmpq(0)
    if eta != 0:
        total = eta * loss_slope(loss, height, stretch, g)
    if eta != 1:
        total = total - (1 - eta) * loss_slope(loss, height, stretch, -g)
    return total


@quantity(
    estimator=floats.link,
    ranks=(None, 0, 0, 0),
    rational=True,
    units=lambda _, height, stretch, mu: stretch,
    latex=r"h_*\left({3}\right)",
    text=lambda shown: f"h({shown[3]})",
)
def link(loss: str, height: Any, stretch: Any, mu: Any) -> Any:
    """h(mu), the minimiser of mu phi(a) + (1 - mu) phi(-a) where it is unique.

    logistic log(mu / (1 - mu)); modified huber and smoothed hinge by the zero of the slope.
    Raises: Undefined where there is no minimiser or more than one.
    """
    if not 0 < mu < 1:
        raise Undefined("the link function outside (0, 1)")
    if loss == "logistic":
        return stretch * logarithm(mu / (1 - fmpq(mu)))
    if loss == "modified huber":
        return stretch * (2 * fmpq(mu) - 1)
    if loss == "hinge" and mu != fmpq(1, 2):
        return stretch * fmpq(1 if mu > fmpq(1, 2) else -1)
    raise Undefined(f"no unique minimiser for the {loss} loss at {mu}")


@quantity(
    estimator=floats.inverse_link,
    ranks=(None, 0, 0, 0),
    units="none",
    latex=r"h_*^{{-1}}\left({3}\right)",
    text=lambda shown: f"h^-1({shown[3]})",
)
def inverse_link(loss: str, height: Any, stretch: Any, value: Any) -> Any:
    """The probability mu in (0, 1) with h(mu) = value. Raises Undefined outside the range of h."""
    if loss == "logistic":
        return reciprocal(1 + exponential(-value * (fmpq(1) / stretch)))
    if loss == "modified huber":
        inside = sign(1 - abs(value * (fmpq(1) / stretch)))
        if inside is None:
            raise Undecided("whether the link function takes a value")
        if inside != 1:
            raise Undefined(f"the link function does not take the value {value}")
        return (1 + value * (fmpq(1) / stretch)) / 2
    raise Undefined(f"the link function of the {loss} loss is not invertible")


@quantity(
    estimator=floats.minimal_risk,
    ranks=(None, 0, 0, 0),
    units=lambda _, height, stretch, mu: height,
    latex=r"l_*\left({3}\right)",
    text=lambda shown: f"l_star({shown[3]})",
)
@facts("nonnegative")
def minimal_risk(loss: str, height: Any, stretch: Any, mu: Any) -> Any:
    """inf over a of mu phi(a) + (1 - mu) phi(-a), for mu in [0, 1].

    logistic: the entropy; hinge and absolute: 2 min(mu, 1 - mu); modified huber: 4 mu (1 - mu);
    smoothed hinge: 3 s / 2 - s^2 / (2 (1 - s)) with s = min(mu, 1 - mu).
    """
    least = smaller(mu, 1 - mu)
    if loss == "logistic":
        return height * entropy(mu)
    if loss in ("hinge", "absolute"):
        return height * 2 * least
    if loss == "modified huber":
        return height * 4 * mu * (1 - mu)
    if loss == "smoothed hinge":
        # For mu >= 1/2 and a in [0, 1] the risk mu (1 - a)^2 / 2 + (1 - mu)(1/2 + a) has slope
        # zero at 1 - a = (1 - mu) / mu.
        return height * (fmpq(3, 2) * least - least * least / (2 * (fmpq(1) - least)))
    raise Undefined(f"no minimal risk is known for the {loss} loss")


def entropy(mu: Any) -> Any:
    """-mu log mu - (1 - mu) log(1 - mu), with 0 log 0 = 0."""
    total: Any = fmpq(0)
    for share in (mu, 1 - mu):
        if is_exact(share) and share == 0:
            continue
        total = total - share * logarithm(share)
    return total


@quantity(
    estimator=floats.minimal_risk_slope,
    ranks=(None, 0, 0, 0),
    units=lambda _, height, stretch, mu: height,
    latex=r"l_*'\left({3}\right)",
    text=lambda shown: f"l_star'({shown[3]})",
)
def minimal_risk_slope(loss: str, height: Any, stretch: Any, mu: Any) -> Any:
    """Derivative of the minimal risk at mu in (0, 1). Raises Undefined where there is none."""
    if loss == "logistic":
        return height * logarithm((fmpq(1) - mu) / mu)
    if loss == "modified huber":
        return height * (4 - 8 * mu)
    if loss in ("hinge", "absolute"):
        side = sign(mu - fmpq(1, 2))
        if side is None:
            raise Undecided("the side of a kink")
        if side == 0:
            raise Undefined(f"the minimal risk of the {loss} loss has a kink at 1/2")
        return height * fmpq(-2 * side)
    raise Undefined(f"no slope of the minimal risk is known for the {loss} loss")
