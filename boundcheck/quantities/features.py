"""Second moments of random features: over points for fixed features, and over feature draws.

phi (m x s) holds psi(x_a; v_l) of the drawn features, so psi_i = row / sqrt(s); rho (m) weights.
"""

from __future__ import annotations

from typing import Any

from flint import arb, fmpq, fmpq_mat

from boundcheck.quantities.base import facts, quantity
from boundcheck.quantities.operators import (
    batched_operator_norm,
    column,
    diagonal,
    largest_eigenvalue,
    operator_norm,
)
from boundcheck.quantities.ridge import feature_draws


@facts("nonnegative")
def peak(phi: Any) -> fmpq:
    """Largest psi(x; v)^2 over all atoms."""
    return max(fmpq(value) ** 2 for value in phi.entries())


def population_moment(phi: Any, rho: Any) -> fmpq_mat:
    """Xi = E_x psi(x) psi(x)^T (s x s)."""
    return phi.transpose() * diagonal(rho) * phi / phi.ncols()


def empirical_moment(phi: Any, sample: Any) -> fmpq_mat:
    """(1/n) Psi^T Psi (s x s)."""
    size = len(sample)
    shares = [fmpq(tuple(sample).count(a), size) for a in range(phi.nrows())]
    return population_moment(phi, shares)


def _moment_gap(phi: Any, rho: Any, sample: Any) -> Any:
    import numpy

    sample = numpy.asarray(sample)
    rows = phi[sample]
    empirical = numpy.swapaxes(rows, -1, -2) @ rows / sample.shape[-1]
    return ((phi.T * rho) @ phi - empirical) / phi.shape[1]


def _deviation_estimate(phi: Any, rho: Any, sample: Any) -> Any:
    return batched_operator_norm(_moment_gap(phi, rho, sample))


@quantity(estimator=_deviation_estimate)
def moment_deviation(phi: Any, rho: Any, sample: Any) -> Any:
    """||Xi - (1/n) Psi^T Psi||_2; exact for one feature."""
    gap = population_moment(phi, rho) - empirical_moment(phi, sample)
    return abs(gap[0, 0]) if gap.nrows() == 1 else operator_norm(gap)


def _excess_estimate(phi: Any, rho: Any, sample: Any) -> Any:
    import numpy

    return numpy.linalg.eigvalsh(_moment_gap(phi, rho, sample))[..., -1]


@quantity(estimator=_excess_estimate)
def moment_excess(phi: Any, rho: Any, sample: Any) -> Any:
    """Largest eigenvalue of Xi - (1/n) Psi^T Psi: least lambda with Xi below the shifted moment."""
    gap = population_moment(phi, rho) - empirical_moment(phi, sample)
    return gap[0, 0] if gap.nrows() == 1 else largest_eigenvalue(gap)


def drawn(phi: Any, counts: Any) -> fmpq_mat:
    """Columns of phi repeated as often as they were drawn."""
    columns = [k for k, number in enumerate(counts) for _ in range(number)]
    table = [phi[a, k] for a in range(phi.nrows()) for k in columns]
    return fmpq_mat(phi.nrows(), len(columns), table)


def worst_moment_excess(phi: Any, rho: Any, tau: Any, s: Any, sample: Any) -> Any:
    """Largest `moment_excess` over every draw of s features that has positive probability."""
    found = [moment_excess(drawn(phi, counts), rho, sample) for _, counts in feature_draws(tau, s)]
    top = found[0]
    for value in found[1:]:
        both_exact = not isinstance(top, arb) and not isinstance(value, arb)
        top = max(top, value) if both_exact else arb(top).max(arb(value))
    return top


def centred_square(phi: Any, rho: Any) -> fmpq_mat:
    """E (n Z_i)^2 with n Z_i = psi_i psi_i^T - Xi (s x s)."""
    mean = population_moment(phi, rho)
    total = mean * 0
    for a, weight in enumerate(rho):
        gap = outer_of_row(phi, a) - mean
        total += gap * gap * weight
    return total


def outer_of_row(phi: Any, a: Any) -> fmpq_mat:
    """psi_a psi_a^T (s x s)."""
    row = column([phi[int(a), j] for j in range(phi.ncols())])
    return row * row.transpose() / phi.ncols()


def circle_kernel(angles: Any, others: Any = None) -> fmpq_mat:
    """E_v sgn(x^T v) sgn(x'^T v) on the circle, v uniform, for angles in turns: 1 - 4 distance.

    The two signs differ on a share 2 theta / (2 pi) of the directions, theta the angle between
    the points, and theta / (2 pi) is their distance in turns.

    >>> circle_kernel((fmpq(0), fmpq(1, 3)))[0, 1]
    -1/3
    """
    others = angles if others is None else others
    table = [1 - 4 * turn_distance(a, b) for a in angles for b in others]
    return fmpq_mat(len(angles), len(others), table)


def turn_distance(a: Any, b: Any) -> fmpq:
    """Distance in turns on the circle, in [0, 1/2]."""
    gap = fmpq(a) - fmpq(b)
    gap -= gap.floor()
    return min(gap, 1 - gap)


def turn_sign(a: Any, b: Any) -> int:
    """sgn(x^T v) for angles in turns; zero where they are at a right angle."""
    distance = turn_distance(a, b)
    return (distance < fmpq(1, 4)) - (distance > fmpq(1, 4))


def circle_patterns(angles: Any) -> list[tuple[fmpq, tuple[int, ...]]]:
    """Law of the sign vector (sgn(x_i^T v))_i on the circle: one entry per arc of directions v."""
    turns = {fmpq(a) + fmpq(side, 4) for a in angles for side in (1, -1)}
    ends = sorted(turn - turn.floor() for turn in turns)
    arcs = []
    for start, end in zip(ends, [*ends[1:], ends[0] + 1], strict=True):
        middle = (start + end) / 2
        arcs.append((end - start, tuple(turn_sign(a, middle) for a in angles)))
    return arcs


def drawn_excess(phi: Any, rho: Any, features: Any, sample: Any) -> Any:
    """`moment_excess` for one draw of features, given as indices of columns of phi."""
    counts = [tuple(features).count(k) for k in range(phi.ncols())]
    return moment_excess(drawn(phi, counts), rho, sample)
