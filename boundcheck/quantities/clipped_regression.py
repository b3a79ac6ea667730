"""Clipped least squares with an unsquared norm penalty on noisy data, as functions of a sample.

A sample is given by its cells: how often each pair (atom, noise value) was drawn, a tuple of N J
integers with the noise index running fastest; f holds the values of the target on the N atoms,
gram the kernel there, noise and noise_weights the law of the noise. Estimators of batches serve
regular diagonal kernels of any size, the case that families use, and any kernel on few atoms.
"""

from __future__ import annotations

from typing import Any

from flint import fmpq

from boundcheck.quantities.base import quantity
from boundcheck.quantities.batched_penalties import batched_clipped, batched_orthogonal
from boundcheck.quantities.clipped_minimisers import clipped_minimisers
from boundcheck.quantities.operators import dot
from boundcheck.quantities.regularised import Minimiser, square, truncate, worst


def by_atom(cells: Any, atoms: int) -> list[Any]:
    """Cells as one tuple of noise counts per atom."""
    width = len(cells) // atoms
    return [cells[j * width : (j + 1) * width] for j in range(atoms)]


def estimators(gram: Any, cells: Any, f: Any, noise: Any, lambda_: Any) -> tuple[Minimiser, ...]:
    """The minimisers of (4.2) on a sample given by its counts of (point, noise)."""
    table = by_atom(cells, len(f))
    counts = [sum(part) for part in table]
    sums = [value * sum(part) + dot(part, noise) for value, part in zip(f, table, strict=True)]
    return clipped_minimisers(gram, counts, sums, lambda_)


def empirical_square(values: Any, cells: Any, f: Any, noise: Any) -> Any:
    """(1/n) sum_i (T(f(x_i)) - y_i)^2 for a function given by values on the atoms."""
    total = fmpq(0)
    for value, truth, part in zip(values, f, by_atom(cells, len(f)), strict=True):
        for count, xi in zip(part, noise, strict=True):
            if count:
                total = square(truncate(value) - truth - xi) * count + total
    return total / sum(cells)


def mean_over(rho: Any, values: Any) -> Any:
    return sum((value * p for p, value in zip(rho, values, strict=True)), fmpq(0))


def distances(values: Any, f: Any, rho: Any, clipped: bool) -> Any:
    """||v - f*||^2 or ||T v - f*||^2 in L2(rho)."""
    kept = [truncate(v) for v in values] if clipped else values
    return mean_over(rho, [square(v - u) for v, u in zip(kept, f, strict=True)])


def _batched_values(gram: Any, cells: Any, f: Any, noise: Any, lambda_: Any) -> Any:
    """Values of the estimator over a batch of samples: diagonal kernels, or few atoms."""
    import numpy

    table = cells.reshape(len(cells), len(f), len(noise))
    counts = table.sum(axis=2)
    sums, scales = f * counts + table @ noise, numpy.diag(gram)
    if (scales > 0).all() and not (gram - numpy.diag(scales)).any():
        return batched_orthogonal(counts, sums, scales, lambda_)[1]
    return batched_clipped(gram, counts, sums, lambda_)[1]


def _batched_error(gram: Any, cells: Any, f: Any, noise: Any, rho: Any, lambda_: Any) -> Any:
    return (_batched_values(gram, cells, f, noise, lambda_) - f) ** 2 @ rho


@quantity(estimator=_batched_error, latex=r"\left\|\hat f - {2}\right\|_{{L_2}}^{{2}}")
def estimator_error(gram: Any, cells: Any, f: Any, noise: Any, rho: Any, lambda_: Any) -> Any:
    """||estimator - f*||^2 in L2(rho), as printed."""
    found = estimators(gram, cells, f, noise, lambda_)
    return worst([distances(values, f, rho, False) for values, _ in found])


def _batched_clipped_error(
    gram: Any, cells: Any, f: Any, noise: Any, rho: Any, lambda_: Any
) -> Any:
    return (_batched_values(gram, cells, f, noise, lambda_).clip(-1, 1) - f) ** 2 @ rho


@quantity(estimator=_batched_clipped_error, latex=r"\left\|T\hat f - {2}\right\|_{{L_2}}^{{2}}")
def clipped_estimator_error(
    gram: Any, cells: Any, f: Any, noise: Any, rho: Any, lambda_: Any
) -> Any:
    """||T(estimator) - f*||^2 in L2(rho)."""
    found = estimators(gram, cells, f, noise, lambda_)
    return worst([distances(values, f, rho, True) for values, _ in found])


def _batched_risk(
    gram: Any, cells: Any, f: Any, noise: Any, noise_weights: Any, rho: Any, lambda_: Any
) -> Any:
    gaps = _batched_values(gram, cells, f, noise, lambda_).clip(-1, 1) - f
    shifted = (gaps[:, :, None] - noise) ** 2 @ noise_weights
    return shifted @ rho


@quantity(estimator=_batched_risk, latex=r"R(T\hat f)")
def estimator_risk(
    gram: Any, cells: Any, f: Any, noise: Any, noise_weights: Any, rho: Any, lambda_: Any
) -> Any:
    """E (T(estimator)(x) - y)^2 for a fresh pair."""
    found = estimators(gram, cells, f, noise, lambda_)
    totals = []
    for values, _ in found:
        rows = [
            mean_over(noise_weights, [square(truncate(v) - u - xi) for xi in noise])
            for v, u in zip(values, f, strict=True)
        ]
        totals.append(mean_over(rho, rows))
    return worst(totals)


def _batched_noise_square(cells: Any, noise: Any) -> Any:
    table = cells.reshape(len(cells), -1, len(noise)).sum(axis=1)
    return table @ noise**2 / cells.sum(axis=1)


@quantity(estimator=_batched_noise_square, latex=r"\frac{{1}}{{n}} \sum_i \xi_i^2")
def mean_noise_square(cells: Any, noise: Any) -> Any:
    """(1/n) sum_i xi_i^2."""
    width = len(noise)
    return sum((c * noise[i % width] ** 2 for i, c in enumerate(cells)), fmpq(0)) / sum(cells)


# |f*| <= 1, so T leaves f* alone and its empirical risk is the mean squared noise.
@quantity(
    estimator=lambda cells, f, noise: _batched_noise_square(cells, noise), latex=r"\hat R({1})"
)
def target_risk(cells: Any, f: Any, noise: Any) -> Any:
    """Empirical risk of f*."""
    return empirical_square(f, cells, f, noise)


@quantity(latex=r"\hat R(T\hat f)")
def estimator_empirical(gram: Any, cells: Any, f: Any, noise: Any, lambda_: Any) -> Any:
    """Empirical risk of the worst of the tied minimisers."""
    found = estimators(gram, cells, f, noise, lambda_)
    return worst([empirical_square(values, cells, f, noise) for values, _ in found])


@quantity(latex=r"\hat R(T\hat f) + {4} \left\|\hat f\right\|")
def estimator_objective(gram: Any, cells: Any, f: Any, noise: Any, lambda_: Any) -> Any:
    """What (4.2) minimises, at its minimisers."""
    found = estimators(gram, cells, f, noise, lambda_)
    return worst([empirical_square(v, cells, f, noise) + lambda_ * size for v, size in found])


@quantity(latex=r"\left\|\hat f\right\|")
def estimator_norm(gram: Any, cells: Any, f: Any, noise: Any, lambda_: Any) -> Any:
    """||estimator||."""
    return worst([size for _, size in estimators(gram, cells, f, noise, lambda_)])


@quantity(latex=r"\mathbb{{E}}[\hat f - {2} - \xi]")
def mean_residual(
    gram: Any, cells: Any, f: Any, noise: Any, noise_weights: Any, rho: Any, lambda_: Any
) -> Any:
    """E [estimator(x) - f*(x) - xi] for a fresh pair, without a square as displayed."""
    values, _ = estimators(gram, cells, f, noise, lambda_)[0]
    return mean_over(rho, [v - u for v, u in zip(values, f, strict=True)]) - dot(
        noise_weights, noise
    )
