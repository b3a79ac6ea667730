"""Margin losses phi(v) = height base(v / stretch) in floats: slope, curvature, link, least risk.

Arrays broadcast; the name of the loss is one text or an array of texts, one for each entry of a
batch. The exact counterpart is `losses`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from boundcheck.expressions.lazy_imports import numpy

Rule = Callable[..., Any]


def by_name(rule: Rule) -> Rule:
    """A rule of (name, *arrays) also for an array of names, one for each entry of the batch."""

    @wraps(rule)
    def run(loss: Any, *arrays: Any) -> Any:
        if isinstance(loss, str):
            return rule(loss, *arrays)
        names = numpy.asarray(loss)
        if names.ndim == 0:
            return rule(str(names), *arrays)
        found: Any = numpy.nan
        for name in numpy.unique(names):
            found = numpy.where(names == name, rule(str(name), *arrays), found)
        return found

    return run


def _logistic_slope(v: Any) -> Any:
    return -1 / (1 + numpy.exp(numpy.minimum(v, 700.0)))


VALUES: dict[str, Rule] = {
    "logistic": lambda v: numpy.logaddexp(0.0, -v),
    "hinge": lambda v: numpy.maximum(0.0, 1 - v),
    "absolute": lambda v: abs(1 - v),
    "smoothed hinge": lambda v: numpy.clip(1 - v, 0, 1) ** 2 / 2 + numpy.maximum(-v, 0),
    "modified huber": lambda v: numpy.clip(1 - v, 0, 2) ** 2 + 4 * numpy.maximum(-1 - v, 0),
}
SLOPES: dict[str, Rule] = {
    "logistic": _logistic_slope,
    "hinge": lambda v: -1.0 * (v < 1),
    "absolute": lambda v: numpy.sign(v - 1.0),
    "smoothed hinge": lambda v: -numpy.clip(1 - v, 0, 1),
    "modified huber": lambda v: -2 * numpy.clip(1 - v, 0, 2),
}
CURVATURES: dict[str, Rule] = {
    "logistic": lambda v: 0.25 / numpy.cosh(numpy.minimum(abs(v), 700) / 2) ** 2,
    "smoothed hinge": lambda v: ((v > 0) & (v < 1)) * 1.0,
    "modified huber": lambda v: ((v > -1) & (v < 1)) * 2.0,
}
LINKS: dict[str, Rule] = {
    "logistic": lambda mu: numpy.log(mu / (1 - mu)),
    "hinge": lambda mu: numpy.where(mu == 0.5, numpy.nan, numpy.sign(mu - 0.5)),
    "modified huber": lambda mu: 2 * mu - 1,
}
INVERSE_LINKS: dict[str, Rule] = {
    "logistic": lambda v: 1 / (1 + numpy.exp(-v)),
    "modified huber": lambda v: numpy.where(abs(v) < 1, (1 + v) / 2, numpy.nan),
}


def _entropy(mu: Any) -> Any:
    from scipy.special import xlogy

    return -xlogy(mu, mu) - xlogy(1 - mu, 1 - mu)


def _smoothed_least(mu: Any) -> Any:
    least = numpy.minimum(mu, 1 - mu)
    return 1.5 * least - least**2 / (2 * (1 - least))


LEAST_RISKS: dict[str, Rule] = {
    "logistic": _entropy,
    "hinge": lambda mu: 2 * numpy.minimum(mu, 1 - mu),
    "absolute": lambda mu: 2 * numpy.minimum(mu, 1 - mu),
    "smoothed hinge": _smoothed_least,
    "modified huber": lambda mu: 4 * mu * (1 - mu),
}
LEAST_RISK_SLOPES: dict[str, Rule] = {
    "logistic": lambda mu: numpy.log((1 - mu) / mu),
    "hinge": lambda mu: -2 * numpy.sign(mu - 0.5),
    "absolute": lambda mu: -2 * numpy.sign(mu - 0.5),
    "modified huber": lambda mu: 4 - 8 * mu,
}


def _of(rules: dict[str, Rule], name: str) -> Rule:
    return rules.get(name, lambda at: numpy.full(numpy.shape(at), numpy.nan))


@by_name
def loss_value(loss: str, height: Any, stretch: Any, v: Any) -> Any:
    """phi(v)."""
    return height * _of(VALUES, loss)(v / stretch)


@by_name
def loss_slope(loss: str, height: Any, stretch: Any, v: Any) -> Any:
    """phi'(v); one of the slopes at a kink."""
    return height / stretch * _of(SLOPES, loss)(v / stretch)


@by_name
def loss_curvature(loss: str, height: Any, stretch: Any, v: Any) -> Any:
    """phi''(v) where there is one."""
    return height / stretch**2 * _of(CURVATURES, loss)(v / stretch)


@by_name
def link(loss: str, height: Any, stretch: Any, mu: Any) -> Any:
    """h(mu); not a number where there is no unique minimiser."""
    return stretch * numpy.where((mu > 0) & (mu < 1), _of(LINKS, loss)(mu), numpy.nan)


@by_name
def inverse_link(loss: str, height: Any, stretch: Any, value: Any) -> Any:
    """The probability mu with h(mu) = value; not a number outside the range of h."""
    return _of(INVERSE_LINKS, loss)(value / stretch)


@by_name
def minimal_risk(loss: str, height: Any, stretch: Any, mu: Any) -> Any:
    """inf over a of mu phi(a) + (1 - mu) phi(-a)."""
    return height * _of(LEAST_RISKS, loss)(mu)


@by_name
def minimal_risk_slope(loss: str, height: Any, stretch: Any, mu: Any) -> Any:
    """Derivative of the minimal risk."""
    return height * _of(LEAST_RISK_SLOPES, loss)(mu)


def constants(table: dict[str, Any], power: int) -> Rule:
    """height times the constant of the base over stretch^power, from a table by name."""

    @by_name
    def rule(loss: str, height: Any, stretch: Any) -> Any:
        known = float(int(table[loss].p) / int(table[loss].q)) if loss in table else numpy.nan
        return known * height / stretch**power

    return rule


def conditional_slope(loss: Any, height: Any, stretch: Any, eta: Any, g: Any) -> Any:
    """Derivative of eta phi(g) + (1 - eta) phi(-g) in g."""
    up, down = (loss_slope(loss, height, stretch, side * g) for side in (1, -1))
    return eta * up - (1 - eta) * down


def conditional_curvature(loss: Any, height: Any, stretch: Any, eta: Any, g: Any) -> Any:
    """Second derivative of the same."""
    up, down = (loss_curvature(loss, height, stretch, side * g) for side in (1, -1))
    return eta * up + (1 - eta) * down
