"""Regularised population minimisers in floats, for stacks of kernels or of worlds at once.

kernels is (B, n, n), weights are rho / lambda, eta the probabilities of label 1, both (n) or
(B, n); height and stretch of the loss are numbers or (B, 1). The certified counterpart is
`minimisers`, which starts from these.
"""

from __future__ import annotations

from typing import Any

from boundcheck.quantities.batched_losses import (
    CURVATURES,
    conditional_curvature,
    conditional_slope,
)


def newton(
    kernels: Any, weights: Any, eta: Any, loss: str, height: Any, stretch: Any
) -> Any:
    """Coefficients for a stack of kernels (B, n, n); weights are rho / lambda.

    Each Newton step is halved until ||residual||_K shrinks (it is the gradient norm over lambda).
    """
    import numpy

    size = kernels.shape[-1]
    a = numpy.zeros(kernels.shape[:-1])

    def residual(a: Any) -> Any:
        g = numpy.einsum("bij,bj->bi", kernels, a)
        return a + weights * conditional_slope(loss, height, stretch, eta, g), g

    r, g = residual(a)
    size_of = _gradient_size(kernels, r)
    for _ in range(80):
        curvature = conditional_curvature(loss, height, stretch, eta, g)
        jacobian = numpy.eye(size) + (weights * curvature)[..., None] * kernels
        step = _solved(jacobian, r)
        length = numpy.ones(len(a))
        for _ in range(40):
            trial = a - length[:, None] * step
            r_new, g_new = residual(trial)
            new = _gradient_size(kernels, r_new)
            worse = new > size_of * (1 - 1e-4 * length)
            if not worse.any():
                break
            length = numpy.where(worse, length / 2, length)
        better = new < size_of
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

    return numpy.sqrt(numpy.maximum(numpy.einsum("bi,bij,bj->b", r, kernels, r), 0))


def kinked_slopes(loss: str, height: Any, stretch: Any, eta: Any) -> tuple[Any, Any, Any]:
    """Slopes of the conditional risk left of -stretch, between, and right of stretch."""
    scale = height / stretch
    if loss == "hinge":
        return -eta * scale, (1 - 2 * eta) * scale, (1 - eta) * scale
    return -scale, (1 - 2 * eta) * scale, scale


def proximal_descent(
    kernels: Any, weights: Any, eta: Any, loss: str, height: Any, stretch: Any
) -> Any:
    """Coefficients for a stack of kernels by coordinate descent with exact proximal steps."""
    import numpy

    left, middle, right = kinked_slopes(loss, height, stretch, eta)
    if loss != "hinge":
        left, right = left + 0 * eta, right + 0 * eta
    kink = numpy.asarray(stretch)[..., 0] if numpy.ndim(stretch) else stretch
    a = numpy.zeros(kernels.shape[:-1])
    for _ in range(4000):
        before = a.copy()
        for j in range(kernels.shape[-1]):
            diagonal_entry = kernels[:, j, j]
            rest = numpy.einsum("bi,bi->b", kernels[:, j], a) - diagonal_entry * a[:, j]
            t = weights[..., j] * diagonal_entry
            g = numpy.where(
                rest - t * left[..., j] < -kink, rest - t * left[..., j],
                numpy.where(
                    rest - t * middle[..., j] <= -kink, -kink,
                    numpy.where(
                        rest - t * middle[..., j] < kink, rest - t * middle[..., j],
                        numpy.maximum(rest - t * right[..., j], kink),
                    ),
                ),
            )  # fmt: skip
            safe = numpy.where(diagonal_entry > 0, diagonal_entry, 1)
            still = -weights[..., j] * middle[..., j]
            a[:, j] = numpy.where(diagonal_entry > 0, (g - rest) / safe, still)
        if abs(a - before).max() < 1e-13:
            break
    return a


def batched_values(
    kernels: Any, rho: Any, eta: Any, lambda_: Any, loss: str, height: Any, stretch: Any
) -> Any:
    """Estimator: minimisers on the points for a stack of kernels (B, n, n)."""
    import numpy

    solve = newton if loss in CURVATURES else proximal_descent
    a = solve(kernels, rho / lambda_, eta, loss, height, stretch)
    return numpy.einsum("bij,bj->bi", kernels, a)


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
