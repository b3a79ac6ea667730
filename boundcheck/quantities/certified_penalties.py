"""Convex losses with a squared or unsquared RKHS norm, certified for any kernel and sample size.

The problem is to minimise sum_i w_i l(f(x_i), y_i) + penalty over the RKHS of a positive
semi-definite n x n matrix, with penalty lambda ||f|| or lambda ||f||^2. Losses by name:
square (v - y)^2, absolute |v - y|, and for labels y = +-1 hinge max(0, 1 - y v) and logistic
log(1 + e^(-y v)). Where a solver found its answer does not matter: `objective_bounds` encloses the
least objective between a feasible primal and a feasible dual value, in rationals and balls.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flint import arb, fmpq, fmpq_mat

from boundcheck.errors import Undecided, Undefined
from boundcheck.exact import exponential, is_exact, logarithm, sign, square_root, to_ball, to_float
from boundcheck.quantities import losses
from boundcheck.quantities.minimisers import Fit, regularised_minimiser
from boundcheck.quantities.operators import column, dot, entries, quadratic_form
from boundcheck.quantities.regularised import square

BISECTIONS = 80


def convex_loss(loss: str, value: Any, target: fmpq) -> Any:
    """l(v, y) of a loss by name."""
    if loss == "square":
        return square(value - target)
    if loss == "absolute":
        return abs(value - target)
    margin = value * target
    if loss == "hinge":
        gap = 1 - margin
        return max(gap, fmpq(0)) if is_exact(gap) else gap.max(arb(0))
    if loss == "logistic":
        return logarithm(1 + exponential(-margin))
    raise Undefined(f"no loss is called {loss!r}; known are square, absolute, hinge, logistic")


def _feasible(loss: str, weight: fmpq, target: fmpq, dual: fmpq) -> fmpq:
    """The dual value moved into the domain of the conjugate."""
    if loss == "square":
        return dual
    if loss == "absolute":
        return min(max(dual, -weight), weight)
    return min(max(dual * target, fmpq(0)), weight) * target


def _conjugate(loss: str, weight: fmpq, target: fmpq, dual: fmpq) -> Any:
    """min over v of w l(v, y) + b v, at a feasible b, equal to b y for the hinge loss."""
    if loss == "square":
        return target * dual - dual**2 / (4 * weight)
    if loss != "logistic":
        return target * dual
    share = dual * target / weight
    entropy: Any = fmpq(0)
    for part in (share, 1 - share):
        if part:
            entropy = entropy - logarithm(part) * part
    return entropy * weight


def _slope(loss: str, weight: fmpq, value: fmpq, target: fmpq) -> fmpq:
    """Minus a derivative of the weighted loss, to float accuracy: where duals are looked for."""
    import math

    if loss == "square":
        return 2 * weight * (target - value)
    if loss == "absolute":
        return weight * ((target > value) - (target < value))
    margin = to_float(value * target)
    share = float(margin < 1) if loss == "hinge" else 1 / (1 + math.exp(min(margin, 700.0)))
    return weight * target * _rational(share)


def _rational(value: Any) -> fmpq:
    if is_exact(value):
        return fmpq(value)
    return to_ball(float(value)).fmpq() if isinstance(value, float) else value.mid().fmpq()


def objective_bounds(
    gram: fmpq_mat,
    targets: Sequence[fmpq],
    weights: Sequence[fmpq],
    lambda_: fmpq,
    coefficients: Sequence[Any],
    *,
    loss: str,
    squared: bool = False,
    duals: Sequence[Any] | None = None,
) -> tuple[Any, Any]:
    """An enclosure of the least objective from any approximate coefficients a, f = sum a_i k_i.

    The upper end is the objective at f. The lower end is weak duality: for the unsquared penalty
    sum_i min_v (w_i l(v, y_i) + b_i v) at any b with b^T K b <= lambda^2, for the squared one the
    same minus b^T K b / (4 lambda). Candidates b are lambda a / ||f|| (2 lambda a if squared) and
    the slopes of the losses at f, moved into the domain and shrunk.

    Args: weights: positive; coefficients: floats, rationals or balls; duals: one more candidate b,
        such as a solver's multipliers (minus the slopes of the weighted losses).
    Returns: (low, high), rationals or balls; high - low is the duality gap.

    >>> one = fmpq(1)
    >>> low, high = objective_bounds(
    ...     fmpq_mat(1, 1, [1]), (one,), (one,), fmpq(1, 2), (fmpq(3, 4),), loss="square")
    >>> low, high
    (7/16, 7/16)
    """
    shares = [_rational(value) for value in coefficients]
    values = entries(gram * column(shares))
    size = quadratic_form(gram, shares)
    length = square_root(size)
    terms = list(zip(weights, targets, strict=True))
    high: Any = lambda_ * (size if squared else length)
    for (weight, target), value in zip(terms, values, strict=True):
        high = convex_loss(loss, value, target) * weight + high
    candidates = [[_slope(loss, w, v, y) for (w, y), v in zip(terms, values, strict=True)]]
    if squared:
        candidates.append([2 * lambda_ * share for share in shares])
    elif sign(length) == 1:
        candidates.append([_rational(lambda_ / length) * share for share in shares])
    if duals is not None:
        candidates.append([_rational(value) for value in duals])
    lows = [_dual_value(gram, terms, lambda_, b, loss, squared) for b in candidates]
    return max(lows, key=to_float), high


def _dual_value(
    gram: fmpq_mat, terms: Any, lambda_: fmpq, duals: Any, loss: str, squared: bool
) -> Any:
    duals = [_feasible(loss, w, y, b) for (w, y), b in zip(terms, duals, strict=True)]
    size = quadratic_form(gram, duals)
    low: Any = fmpq(0)
    if squared:
        low = -size / (4 * lambda_)
    elif size > lambda_**2:
        shrink = lambda_ / square_root(size)
        if not is_exact(shrink):
            shrink = shrink.lower().fmpq()
        duals = [b * shrink for b in duals]  # domains are intervals around zero
    for (weight, target), b in zip(terms, duals, strict=True):
        low = _conjugate(loss, weight, target, b) + low
    return low


def unsquared_minimiser(
    gram: fmpq_mat, rho: Any, eta: Any, lambda_: fmpq, loss: str, height: Any, stretch: Any
) -> Fit:
    """The minimiser of E phi(Y g(X)) + lambda ||g||, for the margin losses of `losses`.

    A minimiser g != 0 is the one for the penalty (m/2) ||g||^2 at m = lambda / ||g||. As m grows,
    m ||g_m|| grows to the norm of the gradient at zero, so m is bisected with certified signs.
    For m between low and high, strong convexity bounds ||g_m - g_low|| by
    (high - low) / high ||g_low||.

    Raises: Undecided where balls do not tell whether the minimiser is zero.
    """
    size = gram.nrows()
    pull = [rho[j] * losses.conditional_slope(loss, height, stretch, eta[j], fmpq(0))
            for j in range(size)]  # fmt: skip
    side = sign(_form(gram, pull) - fmpq(lambda_) ** 2)
    if side is None:
        raise Undecided("whether the minimiser is zero")
    if side != 1:
        zero = (fmpq(0),) * size
        return Fit(zero, zero, fmpq(0), 0)

    def solved(weight: fmpq) -> Fit:
        return regularised_minimiser(gram, rho, eta, weight, loss, height, stretch)

    def above(weight: fmpq) -> bool | None:
        found = sign(solved(weight).norm * weight - lambda_)
        return None if found is None else found >= 0

    low = high = fmpq(1)
    while above(high) is not True:
        high *= 2
    while above(low) is not False:
        low /= 2
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        truth = above(middle)
        if truth is None:
            break
        low, high = (low, middle) if truth else (middle, high)
    fit = solved(low)
    share = to_ball((high - low) / high)
    error = (to_ball(fit.error) + share * to_ball(fit.norm)).abs_upper()
    values = tuple(
        to_ball(value) + arb(0, (error * square_root(gram[j, j])).abs_upper())
        for j, value in enumerate(fit.values)
    )
    norm = to_ball(lambda_ / high).union(to_ball(lambda_ / low))
    return Fit(fit.coefficients, values, norm, error)


def _form(gram: fmpq_mat, vector: Sequence[Any]) -> Any:
    if all(is_exact(value) for value in vector):
        return quadratic_form(gram, vector)
    size = gram.nrows()
    images = [
        sum((to_ball(vector[j]) * gram[i, j] for j in range(size)), arb(0)) for i in range(size)
    ]
    return dot([to_ball(value) for value in vector], images)
