"""Random sign features on spheres: exact kernels and certified mean squared differences.

design is "circle" (points at `angles`, in turns, on the unit circle) or "orthonormal" (n points
along the axes of R^n, `angles` only counts them); the feature is sgn(x^T v), v uniform.
"""

from __future__ import annotations

import math
from typing import Any

from flint import arb, arb_mat, fmpq, fmpq_mat

from boundcheck.quantities.features import circle_kernel, circle_patterns, turn_sign
from boundcheck.quantities.operators import column, identity
from boundcheck.quantities.ridge import (
    feature_draws,
    predictions,
    ridge_norm,
    ridge_solution,
    table_of_counts,
)

EXACT_SIZE = 6  # points up to which rationals are used
EXACT_DRAWS = 300


def sign_kernel(design: str, angles: Any) -> Any:
    """K (n x n) = E_v sgn(x_i^T v) sgn(x_j^T v); rational, or balls for many points."""
    gram = identity(len(angles)) if design == "orthonormal" else circle_kernel(angles)
    return gram if len(angles) <= EXACT_SIZE else arb_mat(gram)


def kernel_terms(design: str, angles: Any, y: Any, lambda_: Any) -> tuple[Any, Any]:
    """alpha^T K alpha and alpha^T K^2 alpha, alpha = (K + n lambda I)^-1 y."""
    gram = sign_kernel(design, angles)
    alpha = ridge_solution(gram, _like(gram, y), lambda_)
    return ridge_norm(gram, alpha), ridge_norm(gram * gram, alpha)


def upper_form(design: str, angles: Any, y: Any, lambda_: Any) -> Any:
    """||K^(1/2) (K + n lambda I)^-1 y||^2."""
    return kernel_terms(design, angles, y, lambda_)[0]


def lower_form(design: str, angles: Any, y: Any, lambda_: Any) -> Any:
    """||(K - K^2 / n)^(1/2) (K + n lambda I)^-1 y||^2."""
    first, second = kernel_terms(design, angles, y, lambda_)
    return first - second / len(angles)


def _like(gram: Any, y: Any) -> tuple[Any, ...]:
    return tuple(arb(fmpq(v)) for v in y) if isinstance(gram, arb_mat) else tuple(y)


def sandwiched(design: str, angles: Any, middle: Any) -> Any:
    """E_g[g g^T M g g^T] for the sign vector g of the points and a symmetric M (n x n).

    Orthonormal points: fair independent signs, so (tr M) I + 2 (M - diag M).
    """
    size = len(angles)
    if design == "orthonormal":
        spread = diagonal_part(middle)
        trace = sum((middle[i, i] for i in range(size)), fmpq(0))
        return identity_like(middle) * trace + (middle - spread) * 2
    patterns = circle_patterns(angles)
    signs = fmpq_mat(size, len(patterns), [p[1][i] for i in range(size) for p in patterns])
    table = arb_mat(signs) if isinstance(middle, arb_mat) else signs
    image = middle * table
    weighted = [
        sum((table[i, k] * image[i, k] for i in range(size)), fmpq(0)) * patterns[k][0]
        for k in range(len(patterns))
    ]
    made: Any = type(table)
    scaled = made(
        size, len(patterns), [table[i, k] * weighted[k] for i in range(size)
                              for k in range(len(patterns))],
    )  # fmt: skip
    return scaled * table.transpose()


def diagonal_part(matrix: Any) -> Any:
    """The diagonal of a matrix, zero elsewhere."""
    size = matrix.nrows()
    return type(matrix)(
        size, size, [matrix[i, j] if i == j else 0 for i in range(size) for j in range(size)]
    )


def identity_like(matrix: Any) -> Any:
    """The identity of the size and type of a matrix."""
    return type(matrix)(identity(matrix.nrows()))


def sign_difference(design: str, angles: Any, y: Any, s: Any, lambda_: Any) -> Any:
    """E over x' uniform on the training set and s sign features of (f~ - f)^2.

    Few draws are enumerated. Otherwise a ball: with D = K~ - K, R = (K + n lambda I)^-1 and
    alpha = R y the training errors are n lambda R~ D alpha = n lambda R D alpha
    - n lambda R~ D R D alpha, so sqrt(n E) lies within T2 of T1 = n lambda ||R D alpha||_L2,
    which is exact from fourth moments. ||n lambda R~|| <= 1, ||R|| <= 1 / (n lambda) and
    E ||D||_F^4 <= 3 (2 n)^4 / s^2 (independent centred summands of norm at most 2 n) give
    T2 <= sqrt(48) n ||alpha|| / (lambda s).
    """
    if design == "circle" and _few(angles, s):
        return _enumerated(angles, y, s, lambda_)
    gram = sign_kernel(design, angles)
    size, penalty = len(angles), len(angles) * fmpq(lambda_)
    shift = gram + identity_like(gram) * penalty
    alpha = shift.solve(type(gram)(column(y)))
    inverse = shift.inv()
    square = inverse * inverse
    spread = sandwiched(design, angles, square) - gram * square * gram
    main = (arb(ridge_norm(spread, alpha)).nonnegative_part() / s).sqrt() * penalty
    length = arb((alpha.transpose() * alpha)[0, 0]).sqrt()
    rest = arb(48).sqrt() * size * length / (fmpq(lambda_) * s)
    low, high = (main - rest).nonnegative_part().lower(), (main + rest).upper()
    low = arb(0) if low < 0 else low
    return (low**2).union(high**2) / size


def _few(angles: Any, s: Any) -> bool:
    return int(s) <= 6 and math.comb(2 * len(angles) + int(s) - 1, int(s)) <= EXACT_DRAWS


def _enumerated(angles: Any, y: Any, s: Any, lambda_: Any) -> fmpq:
    patterns = circle_patterns(angles)
    size = len(angles)
    phi = fmpq_mat(size, len(patterns), [p[1][i] for i in range(size) for p in patterns])
    tau = tuple(p[0] for p in patterns)
    exact = predictions(circle_kernel(angles), range(size), y, lambda_)
    total = fmpq(0)
    for probability, counts in feature_draws(tau, s):
        gap = predictions(table_of_counts(phi, counts), range(size), y, lambda_) - exact
        total += probability * sum((value**2 for value in gap.entries()), fmpq(0))
    return total / size


def sign_table(angles: Any, directions: Any) -> Any:
    """sgn(x_i^T v_l) (n x s) on the circle; rational, or balls for many points."""
    signs = [turn_sign(a, v) for a in angles for v in directions]
    table = fmpq_mat(len(angles), len(directions), signs)
    return table if len(angles) <= EXACT_SIZE else arb_mat(table)
