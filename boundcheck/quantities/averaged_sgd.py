"""Averaged SGD for a regularised expected loss in an RKHS on finitely many points.

gram is the kernel matrix on the points (k_M for random features), rho, eta point weights and
probabilities of label 1; functions are sum_j a_j k(., x_j) given by their coefficients a. One step
from g at a sample (x, y) is g - step (y phi'(y g(x)) k(x, .) + lambda g) with the step
2 / (lambda (gamma + t)) at time t = 1, ..., T; the result is the average of g_1, ..., g_{T+1} with
weights proportional to gamma + t - 1. Short horizons are enumerated over all sample paths, long
ones simulated. Losses are those of `losses`.
Source: Nitanda and Suzuki, AISTATS 2019, arXiv:1806.05438.
"""

from __future__ import annotations

import itertools
from typing import Any

import flint
from flint import arb_mat, fmpq, fmpq_mat

from boundcheck.arithmetic import key_of
from boundcheck.errors import Undecided
from boundcheck.exact import sign, square_root, to_ball
from boundcheck.quantities import batched_averages as batched, losses
from boundcheck.quantities.base import quantity
from boundcheck.quantities.batched_averages import LONGEST, are_listed
from boundcheck.quantities.operators import dot, entries
from boundcheck.quantities.sgd import mixing_weight

SHORT = 4  # samples up to which iterates are rational where the loss is


def samples(rho: Any, eta: Any) -> list[tuple[fmpq, int, int]]:
    """(probability, point, label) of every sample that can occur."""
    found = []
    for point, (weight, probability) in enumerate(zip(rho, eta, strict=True)):
        for label, share in ((1, probability), (-1, 1 - probability)):
            if weight * share:
                found.append((fmpq(weight) * share, point, label))
    return found


def step_size(position: int, lambda_: Any, gamma: Any) -> fmpq:
    """2 / (lambda (gamma + t))."""
    return fmpq(2) / (fmpq(lambda_) * (fmpq(gamma) + position))


def advance(
    gram: fmpq_mat, a: tuple[Any, ...], point: int, label: int, step: fmpq, lambda_: Any,
    loss: str, height: Any, stretch: Any,
) -> tuple[Any, ...]:  # fmt: skip
    """Coefficients after one step."""
    value = sum((a[j] * gram[point, j] for j in range(len(a))), fmpq(0))
    slope = label * losses.loss_slope(loss, height, stretch, label * value)
    keep = 1 - step * fmpq(lambda_)
    return tuple(keep * weight - (step * slope if j == point else 0) for j, weight in enumerate(a))


def path_average(
    gram: fmpq_mat, start: Any, path: Any, lambda_: Any, gamma: Any, loss: str, height: Any,
    stretch: Any,
) -> tuple[Any, ...]:  # fmt: skip
    """Coefficients of the averaged iterate after the samples (point, label) of a path."""
    a = mean = tuple(start)
    for position, (point, label) in enumerate(path, start=1):
        step = step_size(position, lambda_, gamma)
        a = advance(gram, a, point, label, step, lambda_, loss, height, stretch)
        theta = mixing_weight(position, fmpq(gamma))
        mean = tuple((1 - theta) * m + theta * v for m, v in zip(mean, a, strict=True))
    return mean


def all_averages(
    gram: fmpq_mat, rho: Any, eta: Any, start: Any, lambda_: Any, gamma: Any, T: Any, loss: str,
    height: Any, stretch: Any,
) -> list[tuple[fmpq, tuple[Any, ...]]]:  # fmt: skip
    """(probability, averaged coefficients) of every sample path of length T."""
    states = [(fmpq(1), tuple(start), tuple(start))]
    for position in range(1, int(T) + 1):
        step, theta = step_size(position, lambda_, gamma), mixing_weight(position, fmpq(gamma))
        following = []
        for probability, a, mean in states:
            for share, point, label in samples(rho, eta):
                b = advance(gram, a, point, label, step, lambda_, loss, height, stretch)
                average = tuple((1 - theta) * m + theta * v for m, v in zip(mean, b, strict=True))
                following.append((probability * share, b, average))
        states = following
    return [(probability, mean) for probability, _, mean in states]


@quantity(
    estimator=batched.mean_average, rank=1, ranks=(2, 1, 1, 1, 0, 0, 0, None, 0, 0),
    shape=lambda *shapes: shapes[3], latex=r"\mathbb{{E}}[\bar g_{{{6}+1}}]", 
    text=lambda shown: f"mean_average({shown[6]})",
)  # fmt: skip
def mean_average(
    gram: fmpq_mat, rho: Any, eta: Any, start: Any, lambda_: Any, gamma: Any, T: Any, loss: str,
    height: Any, stretch: Any,
) -> tuple[Any, ...]:  # fmt: skip
    """Coefficients of the expectation of the averaged iterate, over all sample paths.

    Fair labels and a start at zero leave the law of the iterate as it is under a change of sign.
    Raises: Undecided for more paths than can be listed.
    """
    if not any(start) and all(2 * value == 1 for value in eta):
        return tuple(fmpq(0) for _ in start)
    if not are_listed(len(samples(rho, eta)), int(T)):
        raise Undecided("the expectation over long sample paths")
    averages = all_averages(gram, rho, eta, start, lambda_, gamma, T, loss, height, stretch)
    return tuple(
        sum((probability * a[j] for probability, a in averages), fmpq(0))
        for j in range(len(start))
    )


def joint_law(rho: Any, eta: Any) -> tuple[fmpq, ...]:
    """Weights of (x_1, 1), (x_1, -1), (x_2, 1), ...: sample j is point j // 2, label 1 if even."""
    return tuple(
        fmpq(weight) * share
        for weight, value in zip(rho, eta, strict=True)
        for share in (value, 1 - value)
    )


@quantity(
    estimator=batched.sampled_average, rank=1, ranks=(2, 1, 1, 0, 0, None, 0, 0),
    shape=lambda *shapes: shapes[2], latex=r"\bar g_{{T+1}}",
    text=lambda shown: f"average({shown[1]})",
)  # fmt: skip
def sampled_average(
    gram: fmpq_mat, drawn: Any, start: Any, lambda_: Any, gamma: Any, loss: str, height: Any,
    stretch: Any,
) -> tuple[Any, ...]:  # fmt: skip
    """Coefficients of the averaged iterate after samples given as places of `joint_law`."""
    path = [(int(place) // 2, 1 if place % 2 == 0 else -1) for place in drawn]
    if len(path) > SHORT:
        start = tuple(to_ball(value) for value in start)
    return path_average(gram, start, path, lambda_, gamma, loss, height, stretch)


@quantity(
    estimator=lambda gram, first, second: _float_length(gram, first - second), ranks=(2, 1, 1),
    facts=("nonnegative",), latex=r"\left\|{1} - {2}\right\|_{{\mathcal{{H}}_M}}",
    text=lambda shown: f"distance({shown[1]}, {shown[2]})",
)  # fmt: skip
def rkhs_distance(gram: fmpq_mat, first: Any, second: Any) -> Any:
    """||f - g||_H from coefficients."""
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    size = len(gaps)
    if all(isinstance(gap, (int, fmpq)) for gap in gaps):
        return square_root(dot(gaps, entries(gram * fmpq_mat(size, 1, gaps))))
    balls = [to_ball(gap) for gap in gaps]
    image = entries(arb_mat(gram) * arb_mat(size, 1, balls))
    return dot(balls, image).nonnegative_part().sqrt()


def _float_length(gram: Any, a: Any) -> Any:
    return (a * (gram @ a[..., None])[..., 0]).sum(-1).clip(0) ** 0.5


def excess_error(rho: Any, eta: Any, values: Any) -> tuple[fmpq, fmpq]:
    """Enclosure of R(g) - R(Bayes): the mass |2 eta - 1| of wrong signs, sgn(0) = -1.

    The two ends differ only where a ball leaves the sign of a value open.
    """
    low = high = fmpq(0)
    for weight, probability, value in zip(rho, eta, values, strict=True):
        mass = weight * abs(2 * probability - 1)
        side = sign(value)
        predicted = None if side is None else (1 if side > 0 else -1)
        right = 1 if 2 * probability > 1 else -1
        if predicted is None:
            high += mass
        elif predicted != right:
            low, high = low + mass, high + mass
    return low, high


@quantity(
    estimator=batched.expected_excess,
    ranks=(2, 1, 1, 1, 0, 0, 0, None, 0, 0), facts=("nonnegative",),
    latex=r"\mathbb{{E}}\left[R(\bar g_{{{6} + 1}}) - R(g_*)\right]",
    text=lambda shown: f"expected_excess({shown[0]}, {shown[6]})",
)  # fmt: skip
def expected_excess(
    gram: fmpq_mat, rho: Any, eta: Any, start: Any, lambda_: Any, gamma: Any, T: Any, loss: str,
    height: Any, stretch: Any,
) -> Any:  # fmt: skip
    """E over the samples of R(averaged iterate) - R(Bayes).

    Exact where the sample paths can be listed. Otherwise a ball between the contribution of the
    paths that stay at one point with the less likely label, and the largest excess there is.
    """
    choices, horizon = samples(rho, eta), int(T)
    low = high = fmpq(0)
    if are_listed(len(choices), horizon):
        averages = all_averages(gram, rho, eta, start, lambda_, gamma, T, loss, height, stretch)
        for probability, a in averages:
            below, above = excess_error(rho, eta, _values(gram, a))
            low, high = low + probability * below, high + probability * above
    else:
        high = sum((w * abs(2 * e - 1) for w, e in zip(rho, eta, strict=True)), fmpq(0))
        if horizon <= LONGEST:
            low = unlucky_excess(gram, rho, eta, start, lambda_, gamma, T, loss, height, stretch)
    return low if low == high else to_ball(low).union(to_ball(high))


@quantity(
    ranks=(2, 1, 1, 1, 0, 0, 0, None, 0, 0), facts=("nonnegative",),
    latex=r"\mathbb{{E}}\left[R(\bar g_{{{6} + 1}}) - R(g_*);\ \text{{unlikely labels}}\right]",
    text=lambda shown: f"unlucky_excess({shown[0]}, {shown[6]})",
)  # fmt: skip
def unlucky_excess(
    gram: fmpq_mat, rho: Any, eta: Any, start: Any, lambda_: Any, gamma: Any, T: Any, loss: str,
    height: Any, stretch: Any,
) -> Any:  # fmt: skip
    """What paths that stay at one point with the less likely label add to the expected excess.

    A lower bound of `expected_excess` for horizons of any length, the iterates in balls.
    """
    key = key_of(
        gram, rho, eta, start, lambda_, gamma, int(T), loss, height, stretch, flint.ctx.prec
    )
    if key not in _UNLUCKY:
        if len(_UNLUCKY) > 500:
            _UNLUCKY.clear()
        _UNLUCKY[key] = _unlucky(
            gram, rho, eta, start, lambda_, gamma, int(T), loss, height, stretch
        )
    return _UNLUCKY[key]


_UNLUCKY: dict[tuple[Any, ...], Any] = {}


def _unlucky(
    gram: fmpq_mat, rho: Any, eta: Any, start: Any, lambda_: Any, gamma: Any, horizon: int,
    loss: str, height: Any, stretch: Any,
) -> Any:  # fmt: skip
    total: Any = fmpq(0)
    balls = tuple(to_ball(value) for value in start)
    for probability, point, label in samples(rho, eta):
        if (label == 1) == (2 * eta[point] > 1):
            continue
        path = itertools.repeat((point, label), horizon)
        a = path_average(gram, balls, path, lambda_, gamma, loss, height, stretch)
        total += to_ball(probability) ** horizon * excess_error(rho, eta, _values(gram, a))[0]
    return total


def _values(gram: fmpq_mat, a: Any) -> list[Any]:
    size = len(a)
    return [sum((a[j] * gram[i, j] for j in range(size)), fmpq(0)) for i in range(size)]
