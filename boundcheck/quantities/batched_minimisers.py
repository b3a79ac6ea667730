"""Regularised population minimisers in floats, for stacks of kernels or of worlds at once.

kernels is (B, n, n), weights are rho / lambda, eta the probabilities of label 1, both (n) or
(B, n); height and stretch of the loss are numbers or (B, 1). The certified counterpart is
`minimisers`, which starts from these.
"""

from __future__ import annotations

from operator import mul
from typing import Any

from boundcheck.quantities.batched_losses import (
    CURVATURES,
    conditional_curvature,
    conditional_slope,
)

SWEEPS = 4000
POLISHED = (2, 20, 100, 500, 2000)  # sweeps after which the active set is tried
PIVOTS = 60
RAISED, RIDGE = 1e-8, 1e-13  # of the diagonal: equal points have a singular kernel
REFINED = 3  # corrections of the solution for what the ridge changes
SPARE = 1e-11
SPACING = 2.0**-50  # of the largest coefficient: a Newton step below it moves nothing that counts


def newton(
    kernels: Any, weights: Any, eta: Any, loss: str, height: Any, stretch: Any, *,
    spacing: float = SPACING,
) -> Any:  # fmt: skip
    """Coefficients for a stack of kernels (B, n, n); weights are rho / lambda.

    Each Newton step is halved until ||residual||_K shrinks (it is the gradient norm over lambda);
    a member whose step is below `spacing` times its largest coefficient is done.
    """
    import numpy

    size = kernels.shape[-1]
    a = numpy.zeros(kernels.shape[:-1])

    def residual(a: Any) -> Any:
        g = _applied(kernels, a)
        return a + weights * conditional_slope(loss, height, stretch, eta, g), g

    r, g = residual(a)
    size_of = _gradient_size(kernels, r)
    identity = numpy.eye(size)
    for _ in range(80):
        curvature = conditional_curvature(loss, height, stretch, eta, g)
        jacobian = identity + (weights * curvature)[..., None] * kernels
        step = _solved(jacobian, r)
        done = abs(step).max(-1) <= spacing * abs(a).max(-1)
        length = numpy.ones(len(a))
        for _ in range(40):
            trial = a - length[:, None] * step
            r_new, g_new = residual(trial)
            new = _gradient_size(kernels, r_new)
            worse = ~done & (new > size_of * (1 - 1e-4 * length))
            if not worse.any():
                break
            length = numpy.where(worse, length / 2, length)
        better = ~done & (new < size_of)
        if not better.any():
            break
        a = numpy.where(better[:, None], trial, a)
        r = numpy.where(better[:, None], r_new, r)
        g = numpy.where(better[:, None], g_new, g)
        size_of = numpy.where(better, new, size_of)
    return a


def _solved(jacobian: Any, r: Any) -> Any:
    import numpy

    try:
        return numpy.linalg.solve(jacobian, r[..., None])[..., 0]
    except numpy.linalg.LinAlgError:  # regular in exact arithmetic, not always in floats
        return numpy.einsum("bij,bj->bi", numpy.linalg.pinv(jacobian), r)


def _gradient_size(kernels: Any, r: Any) -> Any:
    import numpy

    return numpy.sqrt(numpy.maximum((r * _applied(kernels, r)).sum(-1), 0))


def _applied(kernels: Any, a: Any) -> Any:
    return (kernels @ a[..., None])[..., 0]


def kinked_slopes(loss: str, height: Any, stretch: Any, eta: Any) -> tuple[Any, Any, Any]:
    """Slopes of the conditional risk left of -stretch, between, and right of stretch."""
    scale = height / stretch
    if loss == "hinge":
        return -eta * scale, (1 - 2 * eta) * scale, (1 - eta) * scale
    return -scale, (1 - 2 * eta) * scale, scale


def proximal_descent(
    kernels: Any, weights: Any, eta: Any, loss: str, height: Any, stretch: Any
) -> Any:
    """Coefficients for a stack of kernels by coordinate descent with exact proximal steps.

    Descent creeps along nearly equal points, so the active set is tried in between.
    """
    import numpy

    shape = kernels.shape[:-1]
    slopes = kinked_slopes(loss, height, stretch, eta)
    pull = numpy.stack([numpy.broadcast_to(weights * slope, shape) for slope in slopes])
    kink = numpy.broadcast_to(numpy.asarray(stretch, dtype=float), (len(kernels), 1))
    found = numpy.zeros(shape)
    left_over, a = numpy.arange(len(kernels)), found.copy()
    for turn in range(SWEEPS):
        before = a.copy()
        g = _sweep(kernels, pull, kink[:, 0], a)
        done = abs(a - before).max(-1) < 1e-13
        if turn in POLISHED:
            exact, solved = _active_set(kernels, pull, kink, g)
            a[solved] = exact[solved]
            done |= solved
        if done.any():
            found[left_over[done]] = a[done]
            left_over, kernels, pull, kink, a = (
                left_over[~done], kernels[~done], pull[:, ~done], kink[~done], a[~done]
            )  # fmt: skip
        if not len(left_over):
            break
    found[left_over] = a
    return found


def _sweep(kernels: Any, pull: Any, kink: Any, a: Any) -> Any:
    """One exact proximal step in every coordinate, in place: the values that it chose."""
    import numpy

    if len(a) == 1:
        return _sweep_of_one(kernels, pull, kink, a)
    left, middle, right = pull
    chosen = numpy.empty_like(a)
    for j in range(kernels.shape[-1]):
        own = kernels[:, j, j]
        rest = numpy.einsum("bi,bi->b", kernels[:, j], a) - own * a[:, j]
        below, between, above = (rest - own * slope[:, j] for slope in (left, middle, right))
        g = numpy.where(
            below < -kink, below,
            numpy.where(
                between <= -kink, -kink,
                numpy.where(between < kink, between, numpy.maximum(above, kink)),
            ),
        )  # fmt: skip
        safe = numpy.where(own > 0, own, 1)
        a[:, j] = numpy.where(own > 0, (g - rest) / safe, -middle[:, j])
        chosen[:, j] = g
    return chosen


def _sweep_of_one(kernels: Any, pull: Any, kink: Any, a: Any) -> Any:
    """The same for a stack of one, without arrays: they take longer than what they hold."""
    import numpy

    kernel, values = kernels[0].tolist(), a[0].tolist()
    left, middle, right = pull[:, 0].tolist()
    end, chosen = float(kink[0]), []
    for j, row in enumerate(kernel):
        own = row[j]
        rest = sum(map(mul, row, values)) - own * values[j]
        g = rest - own * left[j]
        if not g < -end:
            between = rest - own * middle[j]
            g = -end if between <= -end else between
            if not between < end:
                g = max(rest - own * right[j], end)
        values[j] = (g - rest) / own if own > 0 else -middle[j]
        chosen.append(g)
    a[0] = values
    return numpy.array([chosen])


def _active_set(kernels: Any, pull: Any, kink: Any, g: Any) -> tuple[Any, Any]:
    """Coefficients by principal pivoting from the pieces on which values g lie, and where found.

    A point is on a slope (0, 2, 4 from the left), where its coefficient is known, or on a kink
    (1, 3), where its value is; the linear system of both is solved, and the first point that
    leaves its piece or its subdifferential moves to the next one: Murty's rule, which ends for a
    regular kernel, so the diagonal is raised a little. The pieces found are then held against the
    kernel itself.
    """
    import numpy

    count, size = g.shape
    rows, identity, beyond = numpy.arange(count), numpy.eye(size), numpy.full_like(g, numpy.inf)
    diagonals = numpy.diagonal(kernels, axis1=-2, axis2=-1).max(-1)[:, None, None] * identity
    end = numpy.broadcast_to(kink, g.shape)
    least = numpy.stack([-beyond, pull[0], -end, pull[1], end])
    most = numpy.stack([-end, pull[1], end, pull[2], beyond])
    state = (g >= -kink) * 1 + (g > -kink) + (g >= kink) + (g > kink)

    def solved(ridge: float, times: int) -> tuple[Any, Any]:
        """Coefficients for the pieces, and by how many pieces each point is off."""
        on = state % 2 == 1
        raised = kernels + ridge * diagonals
        slope = numpy.take_along_axis(pull, state[None] // 2, 0)[0]
        wanted = numpy.where(on, (state - 2) * end, -slope)
        inverse = numpy.linalg.inv(numpy.where(on[..., None], raised, identity))
        found = _applied(inverse, wanted)
        for _ in range(times):
            missed = wanted - numpy.where(on, _applied(kernels, found), found)
            found += _applied(inverse, missed)
        values = _applied(kernels if times else raised, found)
        scale = numpy.where(on, abs(pull).max(0), kink + abs(values).max(-1, keepdims=True))
        low, high = (numpy.take_along_axis(side, state[None], 0)[0] for side in (least, most))
        shown = numpy.where(on, -found, values)
        moves = (shown > high + SPARE * scale) * 1 - (shown < low - SPARE * scale)
        missed = on & ~(abs(values - wanted) <= SPARE * (end + abs(values)))
        return found, numpy.where((missed != 0) & (times > 0), 9, moves)

    try:
        for _ in range(PIVOTS):
            _, moves = solved(RAISED, 0)
            first = (moves != 0).argmax(-1)
            step = moves[rows, first]
            if not step.any():
                break
            state[rows, first] += step
        found, off = solved(RIDGE, REFINED)
    except numpy.linalg.LinAlgError:
        return g, numpy.zeros(count, dtype=bool)
    return found, (off == 0).all(-1) & numpy.isfinite(found).all(-1)


def batched_coefficients(
    kernels: Any, rho: Any, eta: Any, lambda_: Any, loss: Any, height: Any, stretch: Any
) -> Any:
    """Coefficients of the minimisers, (B, n) or (n); every argument may have a batch axis."""
    import numpy

    ranks = ((kernels, 2), (rho, 1), (eta, 1), (lambda_, 0), (loss, 0), (height, 0), (stretch, 0))
    arrays = [numpy.asarray(value) for value, _ in ranks]
    lead = numpy.broadcast_shapes(
        *[array.shape[: array.ndim - rank] for array, (_, rank) in zip(arrays, ranks, strict=True)]
    )
    batch = lead or (1,)
    gram, weights, labels, lam, names, high, wide = (
        numpy.broadcast_to(array, (*batch, *array.shape[array.ndim - rank :]))
        for array, (_, rank) in zip(arrays, ranks, strict=True)
    )
    found = numpy.empty(labels.shape)
    for name in numpy.unique(names):
        at = names == name
        solve = newton if str(name) in CURVATURES else proximal_descent
        found[at] = solve(
            gram[at], weights[at] / lam[at, None], labels[at], str(name), high[at, None],
            wide[at, None],
        )  # fmt: skip
    return found if lead else found[0]
