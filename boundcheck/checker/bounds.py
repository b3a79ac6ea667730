"""Bounds in elementary terms of primitives of this package whose operands move.

A primitive has no formula, but in small worlds, or between bounds, it may have one. A rule is given
operands as values where they stay and as `Moving` where they do not, and returns expressions below
and above the value for every t at once, or None where it knows none. Its docstring is the proof;
what it says is seen again at exact values.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy
from flint import fmpq
from sympy import Abs, Max, Min, Rational, sqrt

from boundcheck.arithmetic import is_exact
from boundcheck.quantities.online import inner, nearness, row

FEWEST = 8  # draws up to which it is asked whether they may be enough
Bounds = tuple[Any, Any]  # expressions, or tuples of them for the entries of a vector


@dataclass(frozen=True)
class Moving:
    """An operand that moves without end from `start` at t = 1 towards `end`, which it never meets.

    Args: start, end: of one number of the world or a parameter; None where it is no such number,
    and for an end at infinity.
    """

    expression: sympy.Expr
    start: fmpq | None = None
    end: fmpq | None = None


def number(operand: Any) -> sympy.Expr:
    """An operand as a number in an expression. Raises: ValueError for a ball or an array.

    >>> number(fmpq(1, 2)) + number(Moving(sympy.Symbol("x")))
    x + 1/2
    """
    if isinstance(operand, Moving):
        return operand.expression
    if not is_exact(operand) or not isinstance(operand, (int, fmpq)):
        raise ValueError(f"{operand} is no rational number")
    ratio = fmpq(operand)
    return Rational(int(ratio.p), int(ratio.q))


def moves(*operands: Any) -> bool:
    """Whether any of some operands moves."""
    return any(isinstance(operand, Moving) for operand in operands)


def _equal(value: Any) -> Bounds:
    return value, value


# Algorithm 1 of Livni, Carmon and Globerson: f_1 = 0, so E_1 = 0 and |E_1| < 16 B for B > 0, and
# the first round takes the step f_2 = u eta y_1 Phi(x_1), u the sign of the update, whatever the
# draws are. Shapes as in `boundcheck.quantities.online`.


def _is_short(psi: Any, sequence: Any, y: Any, mu: Any, B: Any, update: Any) -> bool:
    positive = bool(B > 0) if not isinstance(B, Moving) else (
        B.start is not None and B.start > 0 and (B.end is None or B.end >= 0))  # fmt: skip
    return positive and not moves(psi, sequence, y, mu, update) and 1 <= len(y) <= 2


def _losses_of_two_rounds(
    psi: Any, sequence: Any, y: Any, mu: Any, B: Any, eta: Any, m: Any, update: Any
) -> Bounds | None:
    """E sum_t l_t(f_t) = y_1^2 / 2 + (u eta y_1 k(x_1, x_2) - y_2)^2 / 2, nothing of it random."""
    if not _is_short(psi, sequence, y, mu, B, update):
        return None
    labels = [number(label) for label in y]
    first = labels[0] ** 2 / 2
    if len(y) == 1:
        return _equal(first)
    one, two = (row(psi, index) for index in sequence)
    step = int(update) * number(eta) * labels[0] * number(inner(one, two, mu))
    return _equal(first + (step - labels[1]) ** 2 / 2)


def _average_of_two_rounds(
    psi: Any, sequence: Any, y: Any, mu: Any, B: Any, eta: Any, m: Any, update: Any
) -> Bounds | None:
    """(1/T) sum_t f_t: zero, or u eta y_1 Phi(x_1) / 2."""
    if not _is_short(psi, sequence, y, mu, B, update):
        return None
    step = int(update) * number(eta) * number(y[0]) / 2 * (len(y) - 1)
    return _equal(tuple(step * number(value) for value in row(psi, sequence[0])))


def _least_losses(psi: Any, sequence: Any, y: Any, mu: Any, B: Any) -> Bounds | None:
    """inf over ||f|| < B of sum_t l_t(f) is at least zero, and at most what f = 0 loses."""
    if moves(y):
        return None
    return number(0), sum(number(label) ** 2 for label in y) / 2


def _needed_draws(
    alpha: Any, psi: Any, x: Any, mu: Any, epsilon: Any, delta: Any
) -> Bounds | None:
    """The least m with P(near after m draws) >= 1 - delta falls as delta rises; below an end of
    delta that is not met that chance must exceed 1 - end."""
    if moves(alpha, psi, x, mu, epsilon) or not isinstance(delta, Moving) or (
        delta.start is None or delta.end is None or delta.start >= delta.end
    ):
        return None
    chances = nearness(alpha, psi, x, mu, epsilon)
    first = list(itertools.islice(chances, FEWEST))
    least = next((count for count, chance in first if chance > 1 - delta.end), FEWEST + 1)
    most = next(count for count, chance in itertools.chain(first, chances)
                if chance >= 1 - delta.start)  # fmt: skip
    return number(least), number(most)


# Sign features at orthonormal points, where K = I. With r = 1 + n lambda:


def _lower_norm(design: Any, angles: Any, y: Any, ridge: Any) -> Bounds | None:
    """(1 - 1/n) ||y||^2 / r^2."""
    if moves(design, angles, y) or design != "orthonormal":
        return None
    size = len(angles)
    square = sum(number(target) ** 2 for target in y)
    return _equal(Rational(size - 1, size) * square / (1 + size * number(ridge)) ** 2)


def _difference(design: Any, angles: Any, y: Any, s: Any, ridge: Any) -> Bounds | None:
    """The ball of `quantities.sign_features.sign_difference`: its T1 is
    n lambda ((n - 1) / s)^(1/2) ||y|| / r^2, its T2 at most sqrt(48) n ||y|| / (r lambda s)."""
    if moves(design, angles, y) or design != "orthonormal":
        return None
    size, penalty, draws = len(angles), number(ridge), number(s)
    length = sqrt(sum(number(target) ** 2 for target in y))
    shift = 1 + size * penalty
    main = size * penalty * sqrt(size - 1) * length / (shift**2 * sqrt(draws))
    rest = sqrt(48) * size * length / (shift * penalty * draws)
    return Max(0, main - rest) ** 2 / size, (main + rest) ** 2 / size


# Estimators with a norm penalty.


def _risk(minimisers: Any, knots: Any, losses: Any, weights: Any) -> Bounds | None:
    """Of any function: between the weighted sums of the least and largest values of the losses,
    which are at knots, for weights that are not negative."""
    if moves(knots, losses, weights) or any(weight < 0 for weight in weights):
        return None
    rows = [row(losses, j) for j in range(losses.nrows())]
    low, high = (sum((weight * end(line) for weight, line in zip(weights, rows, strict=True)),
                     fmpq(0)) for end in (min, max))  # fmt: skip
    return number(low), number(high)


def _error_on_one_point(
    gram: Any, cells: Any, f: Any, noise: Any, rho: Any, lambda_: Any
) -> Bounds | None:
    """One point and noise that has one value, so that every response is v = f + noise: the
    estimator is sgn v clip(|v| - lambda / (2 sqrt k(x, x)), 0, 1), whatever the number of draws."""
    if moves(gram, f, noise, rho) or len(f) != 1 or len({*noise}) != 1 or gram[0, 0] == 0:
        return None
    response = number(f[0] + noise[0])
    height = Abs(response) - number(lambda_) / (2 * sqrt(number(gram[0, 0])))
    value = sympy.sign(response) * Max(0, Min(1, height))
    return _equal((value - number(f[0])) ** 2)


BOUNDS: dict[str, Callable[..., Bounds | None]] = {
    "boundcheck.settings.shrinking_gradient.expected_losses": _losses_of_two_rounds,
    "boundcheck.settings.shrinking_gradient.least_losses": _least_losses,
    "boundcheck.settings.online_to_batch.chance_free_average": _average_of_two_rounds,
    "boundcheck.settings.sampled_features.needed_draws": _needed_draws,
    "boundcheck.settings.sign_features.lower_norm": _lower_norm,
    "boundcheck.settings.sign_features.mean_squared_difference": _difference,
    "boundcheck.quantities.regularised.worst_risk": _risk,
    "boundcheck.quantities.clipped_regression.estimator_error": _error_on_one_point,
    "boundcheck.quantities.clipped_regression.clipped_estimator_error": _error_on_one_point,
}
