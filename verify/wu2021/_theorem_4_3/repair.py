"""The theorem with its noise term and free lambda, up to a constant and with constants."""

from math import isqrt

from flint import fmpq
from sympy import log, sqrt, sympify

from boundcheck import Claim, UpToConstant, WithProbability
from boundcheck.expressions import parameter
from boundcheck.worlds import Integer, Real, doublings

from .. import NOTES
from . import (
    Q,
    along,
    assumptions,
    centred_noise,
    centred_worlds,
    clipped_error,
    delta,
    level,
    n,
    one_draw,
    one_over_size,
    penalty,
    rare_point,
    root_rate,
    sigma,
    two_fifths,
    unrelated,
)


def best_rate(size):
    """n^(-1/4), the order of the best lambda, as a rational, to a millionth."""
    return fmpq(10**6, isqrt(isqrt(size * 10**24)))


given = [*assumptions, penalty > 0, level, centred_noise]
bound = penalty * Q + (Q + sigma**2 / penalty) / sqrt(n) + sqrt(log(2 / delta) / n)

repaired = Claim(
    NOTES.at("Theorem 4.3, repaired"),
    UpToConstant(WithProbability(1 - delta, clipped_error <= bound)),
    given=given,
    domains=centred_worlds,
    families=(
        unrelated("lambda = 1 / n", **{"delta": two_fifths, "lambda": one_over_size}),
        unrelated("lambda = 1 / sqrt(n)", **{"delta": two_fifths, "lambda": root_rate}),
        one_draw(**{"delta": two_fifths, "lambda": one_over_size}),
        # Along this one the right side tends to zero.
        along(
            "f* = 1 on a point of weight lambda / 2, lambda = n^(-1/4)",
            rare_point(fmpq(1, 2)), doublings(64, 8),
            **{"delta": two_fifths, "lambda": best_rate},
        ),
    ),
    trivial=sympify(4),
    cost=4.0,
)  # fmt: skip

constants = (
    penalty * Q
    + 4 * (2 + sigma) * (Q + sigma**2 / penalty) / sqrt(n)
    + ((2 + sigma) ** 2 + sigma**2) * sqrt(log(2 / delta) / (2 * n))
)
many_draws = {**centred_worlds, n: Integer(1, wide=True, searched=60)}

explicit = Claim(
    NOTES.at("Theorem 4.3, repaired, with its constants"),
    WithProbability(1 - delta, clipped_error <= constants),
    given=given,
    domains=many_draws,
    reading="one-sided deviations: contraction with 2 (2 + sigma) on the ball of radius "
    "Q + sigma^2 / lambda, losses in [0, (2 + sigma)^2], Hoeffding for the noise",
    trivial=sympify(4),
    cost=40.0,
)

epsilon = parameter("epsilon", Real(0, None, open_low=True), latex=r"\varepsilon")

accuracy = Claim(
    NOTES.at("Theorem 4.3, repaired: n and lambda for an error of epsilon"),
    WithProbability(1 - delta, clipped_error <= epsilon),
    given=[*given, epsilon > 0, constants <= epsilon],
    domains=many_draws,
    reading="the sample size and the range of lambda at which the explicit bound is at most "
    "epsilon; the best lambda is of order n^(-1/4), not n^(-1/2)",
    trivial=sympify(4),
    cost=40.0,
)
