"""Covariance operators of kernels with feature expansions, and what sampling features does to them.

A world has point weights rho (n), feature weights tau (K) and feature values phi (n x K). The
kernel is phi diag(tau) phi^T; after M feature draws with the given counts it is
phi diag(counts / M) phi^T. The operators T and T_M on L2(rho) act on function values as K D with
D = diag(rho). That matrix is similar to the symmetric D^(1/2) K D^(1/2) but rational, so spectra
are taken from it. Estimators use the symmetric form, batch axis first on counts.
Source: Dieuleveut and Bach, Annals of Statistics 44 (2016) 1363-1399, section 2.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from flint import arb, arb_mat, fmpq, fmpq_mat

from boundcheck.quantities.base import facts, quantity
from boundcheck.quantities.operators import (
    diagonal,
    eigenvalues,
    entries,
    identity,
    trace,
)


def kernel_matrix(phi: fmpq_mat, weights: Any) -> fmpq_mat:
    """phi diag(weights) phi^T: the kernel with feature weights tau, or counts / M."""
    return phi * diagonal(weights) * phi.transpose()


def frequencies(counts: Any, M: Any) -> tuple[fmpq, ...]:
    """counts / M: weights of the sampled kernel."""
    return tuple(fmpq(int(number), int(M)) for number in counts)


def covariance(phi: fmpq_mat, rho: Any, weights: Any) -> fmpq_mat:
    """The covariance operator on function values: f -> E_X[f(X) k(X, .)]."""
    return kernel_matrix(phi, weights) * diagonal(rho)


@facts("nonnegative")
def spectral_radius(matrix: fmpq_mat) -> arb:
    """Largest |eigenvalue| of a rational matrix with real spectrum."""
    spectrum = eigenvalues(matrix)
    top = abs(spectrum[0])
    for value in spectrum[1:]:
        top = top.max(abs(value))
    return top


def _numpy() -> Any:
    import numpy

    return numpy


def _weighted(phi: Any, rho: Any) -> Any:
    return phi * _numpy().sqrt(rho)[:, None]


def batched_covariance_norm(phi: Any, rho: Any, differences: Any) -> Any:
    """Operator norms of sum_k differences[b, k] phi_k (x) phi_k on L2(rho), one per row b.

    The smaller of the two Gram forms is decomposed: n x n, or K x K when features are fewer.
    """
    numpy = _numpy()
    root = _weighted(phi, rho)
    points, features = root.shape
    if points <= features:
        outer = (root.T[:, :, None] * root.T[:, None, :]).reshape(features, points * points)
        stack = (differences @ outer).reshape(-1, points, points)
    else:
        values, vectors = numpy.linalg.eigh(root.T @ root)
        half = (vectors * numpy.sqrt(numpy.maximum(values, 0))) @ vectors.T
        stack = numpy.einsum("ik,bk,kj->bij", half, differences, half)
    spectrum = numpy.linalg.eigvalsh(stack)
    return numpy.maximum(spectrum[:, -1], -spectrum[:, 0])


@quantity(
    estimator=lambda phi, rho, tau: batched_covariance_norm(phi, rho, tau[None, :])[0],
)
@facts("nonnegative")
def covariance_norm(phi: fmpq_mat, rho: Any, tau: Any) -> arb:
    """||T||_op of T = E_omega[phi(., omega) (x) phi(., omega)] on L2(rho)."""
    return spectral_radius(covariance(phi, rho, tau))


def _deviation_estimate(phi: Any, rho: Any, tau: Any, counts: Any, M: Any) -> Any:
    return batched_covariance_norm(phi, rho, tau - _numpy().atleast_2d(counts) / float(M))


@quantity(estimator=_deviation_estimate)
@facts("nonnegative")
def operator_deviation(phi: fmpq_mat, rho: Any, tau: Any, counts: Any, M: Any) -> arb:
    """||T - T_M||_op on L2(rho) for M feature draws with the given counts per atom."""
    return spectral_radius(covariance(phi, rho, excess_weights(tau, counts, M)))


def excess_weights(tau: Any, counts: Any, M: Any) -> tuple[fmpq, ...]:
    """tau - counts / M."""
    sampled = frequencies(counts, M)
    return tuple(fmpq(a) - b for a, b in zip(tau, sampled, strict=True))


def covariance_trace(phi: fmpq_mat, rho: Any, tau: Any) -> fmpq:
    """tr T = E k(X, X)."""
    return trace(covariance(phi, rho, tau))


def effective_dimension(phi: fmpq_mat, rho: Any, tau: Any, lambda_: Any) -> fmpq:
    """tr T (T + lambda)^(-1): exact. Source: Caponnetto and De Vito, FoCM 7 (2007) 331-368."""
    operator = covariance(phi, rho, tau)
    return trace(operator * (operator + identity(operator.nrows()) * fmpq(lambda_)).inv())


@facts("nonnegative")
def largest_feature(phi: fmpq_mat) -> fmpq:
    """max |phi(x, omega)| over all points and features."""
    return max((abs(value) for value in entries(phi)), default=fmpq(0))


def spectral_projectors(matrix: fmpq_mat) -> list[tuple[arb, arb_mat]]:
    """(eigenvalue, projector) pairs of a diagonalisable rational matrix with real spectrum.

    Lagrange's formula: P_mu is the product over the other eigenvalues nu of (A - nu)/(mu - nu).
    Source: Horn and Johnson, Matrix Analysis (2nd ed.), section 3.3.
    """
    size = matrix.nrows()
    found: Any = matrix.charpoly().complex_roots()
    roots = [root.real for root, _ in found]
    pairs = []
    for position, value in enumerate(roots):
        projector = arb_mat(identity(size))
        for other in roots[:position] + roots[position + 1 :]:
            factor = arb_mat(matrix) - arb_mat(identity(size)) * other
            projector = projector * factor * (1 / (value - other))
        pairs.append((value, projector))
    return pairs


def operator_square_root(matrix: fmpq_mat) -> arb_mat:
    """Square root of a rational matrix that is similar to a positive semi-definite one."""
    total = arb_mat(matrix.nrows(), matrix.nrows())
    for value, projector in spectral_projectors(matrix):
        total = total + projector * value.nonnegative_part().sqrt()
    return total


def symmetrised(matrix: Any, rho: Any) -> arb_mat:
    """D^(1/2) A D^(-1/2): an operator on L2(rho) in an orthonormal basis (all weights positive)."""
    roots = [arb(weight).sqrt() for weight in rho]
    size = matrix.nrows()
    return arb_mat(
        size, size, [roots[i] * matrix[i, j] / roots[j] for i in range(size) for j in range(size)]
    )


def signed_extreme(matrix: fmpq_mat) -> arb:
    """The eigenvalue of largest modulus of a symmetric matrix; the positive one on a tie."""
    spectrum = eigenvalues(matrix)
    low, high = spectrum[0], spectrum[-1]
    return low if abs(low) > high else high


def extreme_form(target: fmpq_mat, matrix: fmpq_mat) -> arb:
    """<v, B v> at a unit eigenvector v of A for the eigenvalue of largest modulus.

    With P the spectral projector and e_i the coordinate with the largest P_ii, the eigenvector is
    P e_i / sqrt(P_ii). Arguments: target B, matrix A, both symmetric.
    """
    pairs = spectral_projectors(matrix)
    value = signed_extreme(matrix)
    projector = min(pairs, key=lambda pair: float(abs(pair[0] - value).mid()))[1]
    size = matrix.nrows()
    best = max(range(size), key=lambda i: float(projector[i, i].mid()))
    sandwiched = projector * arb_mat(target) * projector
    return sandwiched[best, best] / projector[best, best]


@quantity(estimator=lambda *arguments: _gap_estimate(*arguments))
@facts("nonnegative")
def unit_ball_distance(phi: fmpq_mat, rho: Any, tau: Any, counts: Any, M: Any) -> arb:
    """Hausdorff distance in L2(rho) of the unit balls of H and of H_M.

    It is the least xi such that every g in H has a g' in H_M with ||g - g'||_L2 <= xi ||g||_H and
    ||g'||_HM <= ||g||_H, and the other way round. The support functions of the balls are
    ||T^(1/2) u|| and ||T_M^(1/2) u||, so the distance is the largest difference of the two over
    the unit sphere, and xi bounds one side iff for all s > 0
    <u, T u> <= (1 + xi/s) <u, T_M u> + xi s + xi^2, that is with c = xi/s
    lambda_max(T - (1 + c) T_M) <= xi^2 (1 + 1/c) for all c > 0. On a cell [a, b] of c the left
    side falls and 1 + 1/c falls, which encloses the supremum; the ball returned contains it.
    Source: Schneider, Convex Bodies (2nd ed.), Lemma 1.8.14 for the support functions.
    """
    true, sampled = covariance(phi, rho, tau), covariance(phi, rho, frequencies(counts, M))
    low, high = arb(0), arb(0)
    for first, second in ((true, sampled), (sampled, true)):
        below, above = _one_sided(first, second)
        low, high = low.max(below), high.max(above)
    return low.sqrt().union(high.sqrt())


CELLS = (fmpq(0), *(fmpq(2) ** k for k in range(-8, 9, 2)))
REFINEMENTS = 14


def _one_sided(first: fmpq_mat, second: fmpq_mat) -> tuple[arb, arb]:
    """Enclosure of sup over c > 0 of lambda_max(first - (1 + c) second)_+ c / (1 + c)."""

    def top(c: fmpq) -> arb:
        return eigenvalues(first - second * (1 + c))[-1].nonnegative_part()

    points = [(c, top(c)) for c in CELLS]
    low = arb(0)
    for c, value in points:
        low = low.max(value * c / (1 + c))
    # Beyond the last cell c / (1 + c) is below one.
    beyond = points[-1][1]
    cells = [(left, right, value, value * right / (1 + right))
             for (left, value), (right, _) in pairwise(points)]  # fmt: skip
    for _ in range(REFINEMENTS):
        worst = max(cells, key=lambda cell: float(cell[3].mid()))
        if worst[3] < low * fmpq(101, 100):
            break
        cells.remove(worst)
        left, right, value, _ = worst
        middle = (left + right) / 2
        inside = top(middle)
        low = low.max(inside * middle / (1 + middle))
        cells.append((left, middle, value, value * middle / (1 + middle)))
        cells.append((middle, right, inside, inside * right / (1 + right)))
    high = beyond
    for cell in cells:
        high = high.max(cell[3])
    return low.lower().nonnegative_part(), high.upper()


def _gap_estimate(phi: Any, rho: Any, tau: Any, counts: Any, M: Any) -> Any:
    """Lower estimates of the distance: the same supremum over a grid of c."""
    numpy = _numpy()
    root = _weighted(phi, rho)
    outer = root.T[:, :, None] * root.T[:, None, :]
    true = numpy.tensordot(tau, outer, axes=1)
    sampled = numpy.tensordot(numpy.atleast_2d(counts) / float(M), outer, axes=1)
    best = numpy.zeros(len(sampled))
    for c in 2.0 ** numpy.arange(-8, 9, 2):
        for stack in (true - (1 + c) * sampled, sampled - (1 + c) * true):
            top = numpy.linalg.eigvalsh(stack)[:, -1]
            best = numpy.maximum(best, top * c / (1 + c))
    return numpy.sqrt(best)
